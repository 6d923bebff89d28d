import Foundation

/// Standard output, in large pieces.
struct Output {
  /// The error of a reader that has gone, such as `head`.
  struct Closed: Error {}

  private var pending = Data()
  private let write: (Data) throws -> Void

  init(_ write: @escaping (Data) throws -> Void = FileHandle.standardOutput.write(contentsOf:)) {
    self.write = write
  }

  mutating func print(_ line: String) throws(Closed) {
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > 32 << 10 { try flush() }
  }

  mutating func flush() throws(Closed) {
    defer { pending.removeAll(keepingCapacity: true) }
    do { try write(pending) } catch { throw Closed() }
  }
}
