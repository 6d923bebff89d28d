import Dispatch
public import Foundation
package import Signalbox

/// Records what happens in all stores into a file, with its causes.
///
///     let recording = try Recording.start(to: URL(filePath: "run.jsonl"))
///     let store = Store(state: RoomState(), interactor: Room(sensor: sensor))
///     // …
///     recording.stop()
///
/// The file survives a crash: it is readable up to its last whole line whenever the program ends
/// (R1). Another thread writes it. `@Redacted` values and the properties named to
/// `DebugStore.redact(_:)` are not in it (D4). While nothing is recorded, nothing is reflected,
/// copied or formatted for it (D5).
@MainActor public final class Recording {
  fileprivate let file: TraceFile
  private let listener: TraceListener

  private init(file: TraceFile, isRecorded: @escaping (Any.Type, String?) -> Bool) {
    self.file = file
    listener = TraceListener(file: file, isRecorded: isRecorded)
    file.whenNews { [weak self] news in
      switch news {
      case .hasRoom: self?.listener.catchUp()
      case .hasFailed: self?.stop()
      }
    }
  }

  /// Records every store from here on into a file.
  ///
  /// An existing store is recorded from the next thing that happens in it, with its state at that
  /// time. A recording goes on until `stop()`, whether or not the program keeps the result. Several
  /// recordings may be in progress.
  ///
  /// - Parameters:
  ///   - url: the file. It is readable by its owner only. An earlier recording in its place is
  ///     removed, any other file is left alone.
  ///   - limit: the largest size of the file in bytes. When the file is full, its newer half stays,
  ///     with the states that it begins with. A file whose states take more than a quarter of the
  ///     limit becomes larger (R4).
  /// - Returns: the recording.
  /// - Throws: a `RecordingError`, if the file cannot be written, is no recording, or is one that this
  ///   program is making.
  @discardableResult
  public static func start(to url: URL, limit: Int = 64_000_000) throws -> Recording {
    try start(to: url, limit: limit, checkpoint: 262_144, mostWeight: 32_000_000)
  }

  /// - Parameters:
  ///   - checkpoint: the bytes of changes after which a whole state is written.
  ///   - mostWeight: roughly the bytes of memory in which events wait for the file.
  ///   - isRecorded: whether a store is recorded, by its type of state and its name.
  package static func start(
    to url: URL, limit: Int, checkpoint: Int, mostWeight: Int,
    program: String = ProcessInfo.processInfo.processName,
    isRecorded: @escaping (Any.Type, String?) -> Bool = { _, _ in true }
  ) throws -> Recording {
    // A link in the place of the file stays, and leads to the recording.
    let url = try RecordingError.explaining(url) { try url.followingLinks() }
    try RecordingError.check(url)
    guard !OpenRecordings.contains(url) else {
      throw RecordingError.cannotWrite(url, reason: "this program is recording into it")
    }
    let header = TraceHeader(
      started: Date.now.formatted(.iso8601), program: program,
      process: Int(ProcessInfo.processInfo.processIdentifier))
    let writer = try RecordingError.explaining(url) {
      try TraceWriter(url: url, header: header, limit: limit, checkpoint: checkpoint)
    }
    let file = TraceFile(writer, at: url, mostWeight: mostWeight)
    let recording = Recording(file: file, isRecorded: isRecorded)
    OpenRecordings.add(recording)
    StoreListening.add(recording.listener)
    return recording
  }

  /// Why nothing more is recorded, as a sentence; `nil` while all is well.
  ///
  /// A recording ends by itself when its file cannot be written, for example because the disk is
  /// full, or because another program records into the file. The program goes on, and the recording
  /// costs nothing any more (R4).
  public var failure: String? { file.failure }

  /// Ends the recording.
  ///
  /// The file is complete when this returns. A second call does nothing.
  public func stop() {
    StoreListening.remove(listener)
    listener.stop()
    file.close()
    OpenRecordings.remove(self)
  }

  /// Writes what has been recorded so far into the file.
  ///
  /// Another thread does so all the time. Call it before you read the file of a recording that goes
  /// on. If events were lost, a line says how many (R4).
  public func flush() {
    file.flush()
    listener.catchUpWaiting()
    file.flush()
  }

  /// Starts a recording of the stores that are added to it, for the test kit.
  package static func ofStores(in url: URL, program: String) throws -> Recording {
    try start(
      to: url, limit: 64_000_000, checkpoint: 262_144, mostWeight: 32_000_000, program: program,
      isRecorded: { _, _ in false })
  }

  package func add<State, Action>(_ store: Store<State, Action>) {
    listener.record(store.eventLog)
  }

  package func testHasFailed(_ text: String) { listener.testHasFailed(text) }

  /// Lets events wait, for tests of what happens when the file is slow.
  package func hold() { file.hold() }
  package func release() { file.release() }
}

/// Why a recording cannot be made.
public enum RecordingError: Error, CustomStringConvertible, LocalizedError {
  /// The file cannot be written, with the reason that the system gives.
  case cannotWrite(URL, reason: String)
  /// There is a file that is no recording.
  case noRecording(URL)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .cannotWrite(let url, let reason):
      """
      \(url.path) cannot be written: \(reason). Choose another file, in a folder that exists and \
      that this program may write.
      """
    case .noRecording(let url):
      """
      \(url.path) exists and is no recording, so it was left alone. Remove it, or choose another \
      file.
      """
    }
  }

  /// The same as `description`.
  public var errorDescription: String? { description }

  /// Turns an error of the file system into one of these.
  static func explaining<R>(_ url: URL, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as RecordingError {
      throw error
    } catch {
      throw RecordingError.cannotWrite(url, reason: reason(of: error))
    }
  }

  /// Checks that there is no other file in the place of a recording.
  fileprivate static func check(_ url: URL) throws {
    let files = FileManager.default
    guard files.fileExists(atPath: url.path) else { return }
    // A pipe or a device, such as /dev/null, is neither read nor removed.
    let type = try? files.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
    guard type == .typeRegular, let handle = try? FileHandle(forReadingFrom: url),
      let start = try? handle.read(upToCount: 4_096) ?? Data(),
      // A program that was killed at once leaves an empty file.
      start.isEmpty || start.starts(with: TraceHeader.beginning)
    else { throw RecordingError.noRecording(url) }
  }
}

/// The recordings to complete when the program exits; global, as `atexit` passes no context.
private enum OpenRecordings {
  /// Marks the main queue, because other threads than the main one may serve it.
  private static let isMain = DispatchSpecificKey<Bool>()

  private static let all: LockedValue<[Recording]> = {
    DispatchQueue.main.setSpecific(key: isMain, value: true)
    atexit { OpenRecordings.flush() }
    return LockedValue([])
  }()

  static func add(_ recording: Recording) { all.withLock { $0.append(recording) } }

  /// Whether a recording is made into a file, under whatever name.
  static func contains(_ url: URL) -> Bool {
    guard let identity = FileIdentity(at: url) else { return false }
    return all.withLock { all in all.contains { FileIdentity(at: $0.file.url) == identity } }
  }

  static func remove(_ recording: Recording) {
    // Released last, because what the listener holds may call back.
    let removed = all.withLock { all in
      all.firstIndex { $0 === recording }.map { all.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  private static func flush() {
    for recording in all.withLock({ $0 }) {
      // Any thread may end the program. Only the main actor knows what was lost.
      if Thread.isMainThread || DispatchQueue.getSpecific(key: isMain) == true {
        MainActor.assumeIsolated { recording.flush() }
      } else {
        recording.file.flush()
      }
    }
  }
}
