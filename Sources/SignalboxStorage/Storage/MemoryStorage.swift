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

    func copy(_ number: Int, of name: String) -> String { "\(name).damaged-\(number)" }

    func nextCopy(of name: String) -> Int {
      // A dictionary does not have all names, so there is a free one.
      guard let number = CopyNumber.next({ bytes[copy($0, of: name)] != nil }) else {
        fatalError("Signalbox: all names of copies of \"\(name)\" are used. Make a new storage.")
      }
      return number
    }
  }

  /// The error of a storage that was told to fail.
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
  ///
  /// - Throws: an error if `isFailing`.
  public func lock(_ name: String) throws -> (any StorageLock)? {
    guard try use({ $0.locked.insert(name).inserted }) else { return nil }
    return Lock { [contents] in contents.withLock { _ = $0.locked.remove(name) } }
  }

  /// The bytes under a name.
  ///
  /// - Throws: an error if `isFailing`.
  public func read(_ name: String) throws -> Data? { try use { $0.bytes[name] } }

  /// Replaces the bytes under a name.
  ///
  /// - Throws: an error if `isFailing`.
  @concurrent public func write(_ data: Data, to name: String) async throws {
    try use { contents in
      contents.bytes[name] = data
      contents.writes += 1
    }
  }

  /// Does nothing.
  ///
  /// - Throws: an error if `isFailing`.
  @concurrent public func sync(_ name: String) async throws { try use { _ in } }

  /// Gives the bytes under a name another name.
  ///
  /// - Throws: an error if `isFailing`.
  public func setAside(_ name: String) throws -> String {
    try use { contents in
      let other = contents.copy(contents.nextCopy(of: name), of: name)
      contents.bytes[other] = contents.bytes.removeValue(forKey: name)
      return other
    }
  }

  /// Stores bytes under a free name, unless the latest of such names has the same bytes.
  ///
  /// - Throws: an error if `isFailing`.
  public func keep(_ data: Data, beside name: String) throws -> String {
    try use { contents in
      let number = contents.nextCopy(of: name)
      let latest = contents.copy(number - 1, of: name)
      if contents.bytes[latest] == data { return latest }
      let other = contents.copy(number, of: name)
      contents.bytes[other] = data
      return other
    }
  }

  private final class Lock: StorageLock {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    var isHeld: Bool { true }
  }
}
