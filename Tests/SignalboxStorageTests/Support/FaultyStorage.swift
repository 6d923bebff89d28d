import Foundation
import Signalbox
import SignalboxStorage

/// A storage in memory of which some calls fail.
final class FaultyStorage: Storage {
  enum Fault: CaseIterable {
    case none, diskIsFull, nothingCanBeKept, cannotBeRead
    /// Bytes get their name, but that cannot be synced.
    case namesAreNotSynced
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let memory = MemoryStorage()
  private let held = LockedValue(Fault.none)

  var fault: Fault {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  private func check(_ faults: Set<Fault>) throws {
    let fault = fault
    if faults.contains(fault) { throw Failure(description: "\(fault)") }
  }

  func lock(_ name: String) throws -> (any StorageLock)? { try memory.lock(name) }

  func read(_ name: String) throws -> Data? {
    try check([.cannotBeRead])
    return try memory.read(name)
  }

  @concurrent func write(_ data: Data, to name: String) async throws {
    try check([.diskIsFull])
    try await memory.write(data, to: name)
    try check([.namesAreNotSynced])
  }

  @concurrent func sync(_ name: String) async throws {
    try check([.namesAreNotSynced])
    try await memory.sync(name)
  }

  func setAside(_ name: String) throws -> String {
    try check([.nothingCanBeKept, .namesAreNotSynced])
    return try memory.setAside(name)
  }

  func keep(_ data: Data, beside name: String) throws -> String {
    try check([.nothingCanBeKept, .diskIsFull])
    let other = try memory.keep(data, beside: name)
    try check([.namesAreNotSynced])
    return other
  }
}
