import Foundation
import Signalbox
import SignalboxStorage

/// A storage of an exploration, from one process to the next.
final class ExploredStorage: ForwardingStorage {
  let name: String
  let writes: TestEndpoint<String, Void>
  private weak let world: Exploration?
  private let process: LockedValue<StorageOfProcess>

  init(_ name: String, in world: Exploration) {
    self.name = name
    self.world = world
    writes = TestEndpoint(name, heedsCancellation: false)
    process = LockedValue(StorageOfProcess(ExploredFiles(name, .init(), world), writes, world))
  }

  var target: any Storage { process.withLock { $0 } }

  var files: ExploredFiles { process.withLock { $0.files } }

  /// Begins the next process, on the disk of the last one, whose calls fail from a crash until then.
  func restart() {
    let files = ExploredFiles(name, files.disk, world)
    process.withLock { $0 = StorageOfProcess(files, writes, world) }
  }
}

/// The storage of one process; a class, so that its saved states for one name share a file.
private final class StorageOfProcess: ForwardingStorage {
  let files: ExploredFiles
  let target: any Storage
  private let writes: TestEndpoint<String, Void>
  private weak let world: Exploration?

  init(_ files: ExploredFiles, _ writes: TestEndpoint<String, Void>, _ world: Exploration?) {
    self.files = files
    self.writes = writes
    self.world = world
    target = FileStorage(folder: URL(filePath: ExploredFiles.folder), files: files)
  }

  // A write of the scenario outside of `run()` would wait without end.
  private var waits: Bool {
    MainQueue.isCurrent && MainActor.assumeIsolated { world?.faults.mayOccur == true }
  }

  @concurrent func write(_ data: Data, to name: String) async throws {
    if waits { try await writes(name) }
    try await target.write(data, to: name)
  }
}
