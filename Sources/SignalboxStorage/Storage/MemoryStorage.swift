public import Foundation
import Signalbox

/// Keeps bytes in memory, for tests and previews.
///
///     let storage = MemoryStorage()
///     let saved = SavedState<Note>("note", in: storage).property("draft", \.draft)
///     storage.isFailing = true          // every call fails from here on
///
/// It can be used on any thread.
public final class MemoryStorage: Storage {
  private struct Contents {
    var bytes: [String: Data] = [:]
    var locked: Set<String> = []
    var isFailing = false
    var writes = 0

    /// The next of the names `….damaged-1`, `….damaged-2` and so on, and the latest that is there.
    func copies(of name: String) -> (next: String, latest: String) {
      let last = FileStorage.lastCopy(of: name, in: Array(bytes.keys))
      return ("\(name).damaged-\(last + 1)", "\(name).damaged-\(last)")
    }
  }

  private struct Refusal: Error, CustomStringConvertible {
    let description = "The storage in memory was told to fail."
  }

  private let contents = LockedValue(Contents())

  /// Makes a storage without bytes.
  public init() {}

  /// Whether every call fails.
  public var isFailing: Bool {
    get { contents.withLock { $0.isFailing } }
    set { contents.withLock { $0.isFailing = newValue } }
  }

  /// The number of writes that have succeeded.
  public var writes: Int { contents.withLock { $0.writes } }

  /// The names under which bytes are stored, in order.
  public var names: [String] { contents.withLock { $0.bytes.keys.sorted() } }

  /// The bytes under a name; `nil` if there are none.
  public subscript(name: String) -> Data? {
    get { contents.withLock { $0.bytes[name] } }
    set { contents.withLock { $0.bytes[name] = newValue } }
  }

  private func use<R>(_ body: (inout Contents) throws -> R) throws -> R {
    try contents.withLock { contents in
      if contents.isFailing { throw Refusal() }
      return try body(&contents)
    }
  }

  /// Takes the right to write under a name.
  public func lock(_ name: String) throws -> (any StorageLock)? {
    guard try use({ $0.locked.insert(name).inserted }) else { return nil }
    return Lock({ true }, end: { [contents] in contents.withLock { _ = $0.locked.remove(name) } })
  }

  /// The bytes under a name.
  public func read(_ name: String) throws -> Data? { try use { $0.bytes[name] } }

  /// Replaces the bytes under a name.
  @concurrent public func write(_ data: Data, to name: String) async throws {
    try use { contents in
      contents.bytes[name] = data
      contents.writes += 1
    }
  }

  /// Does nothing.
  @concurrent public func sync(_ name: String) async throws { try use { _ in } }

  /// Gives the bytes under a name another name.
  public func setAside(_ name: String) throws -> String {
    try use { contents in
      let other = contents.copies(of: name).next
      contents.bytes[other] = contents.bytes.removeValue(forKey: name)
      return other
    }
  }

  /// Stores bytes under a free name, unless the latest of such names has the same bytes.
  public func keep(_ data: Data, beside name: String) throws -> String {
    try use { contents in
      let (next, latest) = contents.copies(of: name)
      if contents.bytes[latest] == data { return latest }
      contents.bytes[next] = data
      return next
    }
  }
}
