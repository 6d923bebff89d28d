/// Splits a stream of bytes into lines, in bounded memory.
///
/// A line that is too long or not UTF-8 is reported and skipped. So its sender can be told about it
/// and remains connected.
package struct LineFramer {
  package enum Item: Equatable, Sendable {
    case line(String)
    case tooLong
    case notUTF8
  }

  package let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isSkipping = false

  package init(limit: Int) {
    self.limit = limit
  }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  /// The next complete line.
  ///
  /// `nil` if more bytes are needed.
  package mutating func next() -> Item? {
    while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = buffer[start..<end]
      start = end + 1
      searched = start
      if isSkipping {
        isSkipping = false
      } else {
        return item(line)
      }
    }
    buffer.removeFirst(start)
    start = 0
    if isSkipping {
      buffer.removeAll(keepingCapacity: true)
    } else if buffer.count > limit {
      buffer.removeAll(keepingCapacity: true)
      isSkipping = true
      searched = 0
      return .tooLong
    }
    searched = buffer.count
    return nil
  }

  /// The last line of the stream, if it has no line end.
  package mutating func finish() -> Item? {
    let rest = isSkipping ? [] : buffer[start...]
    self = LineFramer(limit: limit)
    return rest.isEmpty ? nil : item(rest)
  }

  private func item(_ bytes: ArraySlice<UInt8>) -> Item {
    guard bytes.count <= limit else { return .tooLong }
    let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    return String(validating: bytes, as: UTF8.self).map(Item.line) ?? .notUTF8
  }
}

extension String {
  /// The bytes of the line and its line end.
  package var asLine: [UInt8] { Array(utf8) + [UInt8(ascii: "\n")] }
}
