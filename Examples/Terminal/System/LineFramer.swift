/// Cuts a stream of bytes into lines, and never holds more than one line too many.
///
/// What is no line (too long, not UTF-8) is reported and skipped, so that whoever sent it can be
/// told and stay.
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

  /// The next complete line; `nil` when more bytes are needed.
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

  /// What is left at the end of the stream: a last line that nobody ended.
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
  /// A line as bytes, with its end.
  package var asLine: [UInt8] { Array(utf8) + [UInt8(ascii: "\n")] }
}
