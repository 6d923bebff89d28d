import Foundation
import SignalboxStorage
import SignalboxTesting

/// A storage in memory whose saves end when a test answers them.
struct Disk: Storage {
  let saves: TestEndpoint<String, Void>
  private let memory = MemoryStorage()

  init(saves: TestEndpoint<String, Void>) { self.saves = saves }

  func lock(_ name: String) throws -> (any StorageLock)? { try memory.lock(name) }
  func read(_ name: String) throws -> Data? { try memory.read(name) }

  @concurrent func write(_ data: Data, to name: String) async throws {
    try await saves(name)
    try await memory.write(data, to: name)
  }

  @concurrent func sync(_ name: String) async throws { try await memory.sync(name) }
  func setAside(_ name: String) throws -> String { try memory.setAside(name) }

  func keep(_ data: Data, beside name: String) throws -> String {
    try memory.keep(data, beside: name)
  }
}

/// Why a disk does not save.
enum DiskError: Error, Equatable { case full }
