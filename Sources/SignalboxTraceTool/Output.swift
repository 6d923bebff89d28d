import Foundation
import SignalboxTrace

/// Standard output, in large pieces.
struct Output {
  enum Failure: Error, CustomStringConvertible {
    /// A reader has gone, such as `head`.
    case closed
    case other(reason: String)

    var description: String {
      switch self {
      case .closed: "Standard output is closed."
      case .other(let reason): "Standard output cannot be written: \(reason)."
      }
    }
  }

  private(set) var count = 0
  private var pending = Data()
  private let write: (Data) throws -> Void

  init(_ write: @escaping (Data) throws -> Void = FileHandle.standardOutput.write(contentsOf:)) {
    self.write = write
  }

  mutating func print(_ line: String) throws(Failure) {
    count += 1
    pending.append(contentsOf: line.utf8)
    pending.append(UInt8(ascii: "\n"))
    if pending.count > 32 << 10 { try flush() }
  }

  mutating func flush() throws(Failure) {
    defer { pending.removeAll(keepingCapacity: true) }
    do {
      try write(pending)
    } catch {
      throw systemError(error) == EPIPE ? .closed : .other(reason: reason(of: error))
    }
  }
}
