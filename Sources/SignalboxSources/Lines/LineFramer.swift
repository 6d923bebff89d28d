/// Splits bytes into lines, in bounded memory.
///
///     var framer = LineFramer(limit: 4_096)
///     framer.append(bytes)
///     while let line = framer.next() { handle(line) }
///
/// It is for bytes that a program reads itself. `lines(of:)` reads from a `FileHandle`. A line ends
/// with LF or CRLF. A line that is too long or not UTF-8 is a failure, and the next line is found all
/// the same (E5).
public struct LineFramer: Sendable {
  /// A line, or why it cannot be used.
  public typealias Item = Result<String, LineError>

  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isSkipping = false

  /// Makes a framer without any bytes.
  ///
  /// - Parameter limit: the number of bytes that a line may have, without its end.
  public init(limit: Int) { self.limit = limit }

  /// Adds bytes that follow the earlier ones.
  ///
  /// They are kept until `next()` has returned their lines.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  /// Takes the next complete line; `nil` if more bytes are needed.
  public mutating func next() -> Item? {
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
    } else if Self.withoutReturn(buffer[...]).count > limit {
      buffer = []
      isSkipping = true
      searched = 0
      return .failure(.tooLong(limit: limit))
    }
    searched = buffer.count
    return nil
  }

  /// Takes the last line of the bytes, if it has no end.
  ///
  /// Call it when `next()` returns `nil` and no more bytes will follow.
  public mutating func finish() -> Item? {
    let rest = isSkipping ? [] : buffer[start...]
    self = LineFramer(limit: limit)
    return rest.isEmpty ? nil : item(rest)
  }

  private func item(_ bytes: ArraySlice<UInt8>) -> Item {
    let bytes = Self.withoutReturn(bytes)
    guard bytes.count <= limit else { return .failure(.tooLong(limit: limit)) }
    let line = String(validating: bytes, as: UTF8.self)
    return line.map(Item.success) ?? .failure(.notUTF8(bytes: Array(bytes)))
  }

  private static func withoutReturn(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
  }
}
