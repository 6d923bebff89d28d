package import Foundation
package import SignalboxTrace

/// A recording in a folder of its own.
///
/// Tests run side by side, and a recording may have the stores of all of them. So the initializer says
/// which stores are recorded, and the others go on as if there were no recording.
@MainActor package final class RecordedFile {
  package let url: URL
  package let recording: Recording
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - limit: the largest size of the file in bytes.
  ///   - checkpoint: the bytes of changes after which a whole state is written.
  ///   - mostWeight: roughly the bytes of memory in which events wait for the file.
  ///   - isRecorded: whether a store is recorded that has a type of state and maybe a name.
  package init(
    limit: Int = 64_000_000, checkpoint: Int = 262_144, mostWeight: Int = 32_000_000,
    isRecorded: @escaping (Any.Type, String?) -> Bool
  ) throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "run.jsonl")
    recording = try Recording.start(
      to: url, limit: limit, checkpoint: checkpoint, mostWeight: mostWeight, isRecorded: isRecorded)
  }

  /// Records the stores of one name.
  package convenience init(of name: String) throws {
    try self.init(isRecorded: { $1 == name })
  }

  deinit {
    let recording = recording
    Task { @MainActor in recording.stop() }
  }

  /// Ends the recording and reads it.
  package func read() throws -> (reader: TraceReader, events: [TraceEvent]) {
    recording.stop()
    return try TraceReader.read(try Data(contentsOf: url))
  }
}
