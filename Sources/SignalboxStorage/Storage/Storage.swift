public import Foundation

/// A place for the bytes of saved states, each under a name.
///
/// `FileStorage` keeps files, and `MemoryStorage` keeps bytes for tests and previews. A storage of
/// your own must keep these promises:
///
/// - `write` and `sync` return when the bytes outlive a power cut.
/// - When `write` throws or the process ends, the old bytes or the new ones are there, whole.
/// - It is one instance of a class, which all `SavedState`s share. For a struct, or an instance that is
///   made for each, this process would be another one, and a second window would find `.busy`.
/// - The functions may be called on any thread. One `SavedState` calls one at a time.
///
/// An error's description becomes the reason that an app shows.
public protocol Storage: Sendable {
  /// Takes the right to write under a name, and creates what that needs.
  ///
  /// - Returns: a lock that ends when it is released or the process ends; `nil` if another writer
  ///   holds it.
  /// - Throws: an error if the lock cannot be taken for any other reason.
  func lock(_ name: String) throws -> (any StorageLock)?

  /// Reads the bytes that are stored under a name.
  ///
  /// - Returns: `nil` only if it is certain that nothing is stored.
  /// - Throws: an error if something is there, or may be, that cannot be read.
  func read(_ name: String) throws -> Data?

  /// Replaces the bytes under a name, off the main actor.
  ///
  /// - Throws: an error if the bytes may not outlive a power cut.
  @concurrent func write(_ data: Data, to name: String) async throws

  /// Makes what is stored under a name, or that nothing is, outlive a power cut, off the main actor.
  ///
  /// - Throws: an error if that may not be the case.
  @concurrent func sync(_ name: String) async throws

  /// Gives what is stored under a name another name that is free, so that it is kept.
  ///
  /// - Returns: the other name. It outlives a power cut.
  /// - Throws: an error if the bytes are still under the old name.
  func setAside(_ name: String) throws -> String

  /// Stores bytes under a free name beside a name, and leaves what is stored under that.
  ///
  /// It is called again after an error. So it should use a name again that has the same bytes.
  ///
  /// - Returns: the other name. Its bytes outlive a power cut.
  /// - Throws: an error if that may not be the case.
  func keep(_ data: Data, beside name: String) throws -> String
}

/// The right to write under one name, which ends when the object is released.
public protocol StorageLock: AnyObject, Sendable {
  /// Whether the right still holds; `false` if, for example, a lock file was removed.
  var isHeld: Bool { get }
}

/// A storage that passes its calls on, to another target in each process of an exploration.
package protocol ForwardingStorage: Storage {
  var target: any Storage { get }
}

extension ForwardingStorage {
  package func lock(_ name: String) throws -> (any StorageLock)? { try target.lock(name) }
  package func read(_ name: String) throws -> Data? { try target.read(name) }
  @concurrent package func write(_ data: Data, to name: String) async throws {
    try await target.write(data, to: name)
  }
  @concurrent package func sync(_ name: String) async throws { try await target.sync(name) }
  package func setAside(_ name: String) throws -> String { try target.setAside(name) }
  package func keep(_ data: Data, beside name: String) throws -> String {
    try target.keep(data, beside: name)
  }
}

/// A lock that asks a closure whether it holds, and calls another one at its end.
package final class Lock: StorageLock {
  private let holds: @Sendable () -> Bool
  private let end: @Sendable () -> Void

  package init(_ holds: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void = {}) {
    self.holds = holds
    self.end = end
  }

  deinit { end() }

  package var isHeld: Bool { holds() }
}
