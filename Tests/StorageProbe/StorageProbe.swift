import Foundation
import Signalbox
import SignalboxStorage

/// A program that saves, and that is killed while it does.
///
///     StorageProbe FOLDER save FROM TO [N]    saves drafts and kills itself at its Nth call
///     StorageProbe FOLDER hold                 keeps the lock until standard input ends
///
/// It prints what it has restored, and each draft once `flush` has returned.
@main @MainActor struct StorageProbe {
  static func main() async throws {
    let words = CommandLine.arguments
    let kill = words.count > 5 ? Int(words[5]) : nil
    let storage = FileStorage(
      folder: URL(filePath: words[1]), files: KillingFiles(at: kill ?? .max))
    let saved = SavedState<ProbeState>("probe", in: storage).property("draft", \.draft)
    var state = ProbeState()
    let outcome = saved.restore(into: &state)
    say("\(outcome == .busy ? "busy" : outcome == .nothing ? "nothing" : state.draft.number)")
    if words[2] == "hold" {
      _ = readLine()
      return
    }
    guard let first = Int(words[3]), let last = Int(words[4]) else { return }
    let store = Store(state: state, hookable: Saving(saved: saved))
    for number in first...last {
      store.binder.draft.wrappedValue = Draft(number)
      // Some changes wait for the limit, so that saves begin at other moments, too.
      if number % 7 == 3 { continue }
      try await saved.flush()
      say("flushed \(number)")
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private struct Saving: Hookable {
    enum Hook: CaseIterable { case changed }
    let saved: SavedState<ProbeState>

    func subscription(for hook: Hook, store: MutatingStore<ProbeState, Never>) -> Subscription {
      saved.autosave(store, after: .milliseconds(1), atMost: .milliseconds(2))
    }
  }
}

private struct ProbeState: Sendable {
  var draft = Draft(0)
}

/// A text that shows whether it is whole.
package struct Draft: Codable, Equatable, Sendable {
  package let number: String
  package let text: String

  package init(_ number: Int) {
    self.number = "\(number)"
    text = String(repeating: "\(number % 10)", count: number * 977 % 20_000)
  }
}

/// The files of the system, whose process is killed at a call.
private final class KillingFiles: FileSystem {
  private let real = SystemFiles()
  private let left: Countdown

  init(at call: Int) { left = Countdown(call) }

  private func count() { if left.next() { kill(getpid(), SIGKILL) } }

  func open(_ path: String, toReplace other: String) throws(FileFailure) -> Int32 {
    count()
    return try real.open(path, toReplace: other)
  }

  func write(_ bytes: Data, to file: Int32) throws(FileFailure) {
    count()
    try real.write(bytes.prefix(bytes.count / 2), to: file)
    count()
    try real.write(bytes.dropFirst(bytes.count / 2), to: file)
  }

  func sync(_ file: Int32) throws(FileFailure) {
    count()
    try real.sync(file)
  }

  func rename(_ path: String, to other: String) throws(FileFailure) {
    count()
    try real.rename(path, to: other)
  }

  func remove(_ path: String) throws(FileFailure) {
    count()
    try real.remove(path)
  }

  func syncFolder(_ path: String) throws(FileFailure) {
    count()
    try real.syncFolder(path)
    count()
  }

  func syncFile(_ path: String) throws(FileFailure) {
    count()
    try real.syncFile(path)
  }

  func isOpen(_ file: Int32, at path: String) -> Bool { real.isOpen(file, at: path) }
  func names(in folder: String) -> [String] { real.names(in: folder) }
  func close(_ file: Int32) { real.close(file) }
  func read(_ path: String) throws(FileFailure) -> Data? { try real.read(path) }
  func exists(_ path: String) -> Bool { real.exists(path) }
  func target(of path: String) -> String { real.target(of: path) }
  func hide(_ path: String) { real.hide(path) }
  func makeFolder(_ path: String) throws(FileFailure) { try real.makeFolder(path) }
  func lock(_ path: String) throws(FileFailure) -> (any StorageLock)? { try real.lock(path) }
}

/// Counts down on any thread.
private final class Countdown: Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var left: Int

  init(_ count: Int) { unsafe left = count }

  /// Whether this is the last one.
  func next() -> Bool {
    lock.withLock {
      unsafe left -= 1
      return unsafe left == 0
    }
  }
}
