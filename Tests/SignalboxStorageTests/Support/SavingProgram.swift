import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxStorage
import SignalboxTesting

/// A note whose actions are batches, with a call in the middle.
struct BatchingEditor: Interactor {
  struct Batch: Sendable {
    let text: String
    let between: @MainActor @Sendable () -> Void
  }

  let saved: SavedState<Note>
  let clock: TestClock

  func onAction(_ batch: Batch, store: MutatingStore<Note, Batch>) async {
    store.batch {
      store.draft = batch.text
      batch.between()
      store.recipients = [batch.text]
    }
  }

  func subscription(for hook: NoteHook, store: MutatingStore<Note, Batch>) -> Subscription {
    saved.autosave(store, status: \.saving, clock: clock)
  }
}

/// One random program, and what must be true of the storage.
///
/// A draft is a list of numbers, such as `1.4.9`. Typing adds a number, so a draft continues those
/// with which it begins. A change sets both properties in a batch, so a file with two different ones
/// is torn.
@MainActor struct SavingProgram {
  private typealias Window = Store<Note, BatchingEditor.Batch>

  private(set) var log: [String] = []
  private(set) var failure: String?
  private var random: SeededRandom
  private var last = 0

  private var storage = FaultyStorage()
  private var clock = TestClock()
  private var saved: SavedState<Note>
  private var otherLock: (any StorageLock)?
  private var note = Note()
  private let windows = Windows()
  private var flushes: [(task: Task<Void, any Error>, texts: [String])] = []

  /// The stores whose hooks have not ended, by number.
  @MainActor private final class Windows {
    var open: [Int: Window] = [:]
    var last = 0
  }

  /// The last draft that was typed in each store of the process.
  private var typed: [Int: String] = [:]
  /// Drafts that must not get lost: what a flush has saved, and what others have written.
  private var kept: Set<String> = []
  private var garbage: Set<Data> = []
  /// What others have put into the file since the last change; `nil` if it may be anything.
  private var edits: Set<String>? = []
  /// Whether a save may be running, which an edit could race with.
  private var mayBeSaving = false
  private var hasRestored = false
  /// Whether a flush has saved everything that was typed.
  private var isQuiet = false

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    saved = .note(in: storage)
  }

  private mutating func number() -> String {
    last += 1
    return "\(last)"
  }
  private func continued(_ draft: String, by number: String) -> String {
    draft.isEmpty ? number : "\(draft).\(number)"
  }

  private var contents: [String: Data] {
    Dictionary(
      uniqueKeysWithValues: storage.memory.names.map { ($0, storage.memory[$0] ?? Data()) })
  }

  // MARK: - Steps

  mutating func step() async {
    let before = contents
    var mayChange = !isQuiet || before["note"] == nil || !flushes.isEmpty
    switch random.below(32) {
    case 0..<4: mayChange = restore() || mayChange
    case 4..<7:
      // Otherwise all that the store has is new.
      if !hasRestored { mayChange = restore() || mayChange }
      open()
    case 7..<13: type()
    case 13..<17: endStore()
    case 17..<22: await flush()
    case 22, 23: beginFlush()
    case 24: await endFlushes()
    case 25:
      log.append("turn")
      await Task { @MainActor in }.value
    case 26:
      log.append("advance")
      mayBeSaving = true
      await clock.advance(by: .seconds(random.pick([1, 3, 100])))
    case 27, 28:
      storage.fault = random.pick([.none, .diskIsFull, .nothingCanBeKept, .cannotBeRead])
      log.append("\(storage.fault)")
    case 29:
      if mayBeSaving { await flush() }
      edit()
      mayChange = true
    case 30:
      kill()
      mayChange = true
    default:
      log.append("another process ends or begins")
      otherLock = otherLock == nil ? (try? storage.memory.lock("note")) : nil
    }
    if !mayChange, isQuiet, contents != before { fail("An untouched store has changed the file.") }
    check()
  }

  /// - Returns: whether the file may have been set aside.
  private mutating func restore() -> Bool {
    note = Note()
    let outcome = saved.restore(into: &note)
    hasRestored = true
    log.append("restore \(note.draft): \(outcome)")
    checkWhole(note)
    if case .setAside = outcome { return true }
    return false
  }

  private mutating func open() {
    windows.last += 1
    log.append("open \(windows.last) with \(note.draft)")
    windows.open[windows.last] = Store(
      state: note, interactor: BatchingEditor(saved: saved, clock: clock))
  }

  private mutating func type() {
    guard
      let (id, window) = windows.open.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
    else { return }
    let text = continued(window.draft, by: number())
    let kind = random.below(6)
    log.append("type \(text) into \(id), \(kind)")
    let box = Box()
    window.send(
      .init(text: text) { [saved, windows] in
        switch kind {
        case 0: saved.restore(into: &box.note)
        case 1: windows.open[id] = nil
        case 2: windows.open[windows.open.keys.min() ?? 0] = nil
        case 3:
          window.deactivateHooks()
          windows.open[id] = nil
        default: break
        }
      })
    checkWhole(box.note)
    // A store is made of what the last restore has found.
    if kind == 0 { note = box.note }
    typed[id] = text
    edits = []
    isQuiet = false
    if (1...3).contains(kind) { mayBeSaving = true }
  }

  @MainActor private final class Box { var note = Note() }

  private mutating func endStore() {
    guard let id = windows.open.keys.sorted().randomElement(using: &random) else { return }
    let text = random.oneIn(3) ? continued(windows.open[id]?.draft ?? "", by: number()) : nil
    log.append("end \(id)\(text.map { ", after typing \($0) in the same delivery" } ?? "")")
    let signal = Emitter<Void>()
    let subscription = signal.sink { [windows] in
      if let text { windows.open[id]?.send(.init(text: text) {}) }
      windows.open[id] = nil
    }
    signal.send(())
    subscription.cancel()
    mayBeSaving = true
    guard let text else { return }
    typed[id] = text
    edits = []
    isQuiet = false
  }

  private mutating func flush() async {
    log.append("flush")
    await endFlushes()
    mayBeSaving = false
    let texts = Array(typed.values)
    do {
      try await saved.flush()
      log.append("  saved, \(storage.memory.restoredDraft ?? "no file")")
      kept.formUnion(texts)
      isQuiet = true
      let newest = typed.max { $0.key < $1.key }?.value
      let stored = storage.memory.restoredDraft ?? ""
      if let newest, let edits, stored != newest, !edits.contains(stored) {
        fail("\(newest) was typed last, and \(stored) is stored.")
      }
    } catch {
      log.append("  \(error)")
    }
  }

  private mutating func beginFlush() {
    log.append("begin a flush")
    mayBeSaving = true
    let saved = saved
    flushes.append((Task.immediate { try await saved.flush() }, Array(typed.values)))
  }

  private mutating func endFlushes() async {
    for (task, texts) in flushes {
      let hasSaved = (try? await task.value) != nil
      log.append("flush: \(hasSaved)")
      // What has replaced the file meanwhile may have replaced these, too.
      if hasSaved, edits == [] { kept.formUnion(texts) }
    }
    flushes = []
  }

  /// Another program or a person changes the file.
  private mutating func edit() {
    let stored = typed.filter { isStored($0.value) }
    let draft = storage.memory.restoredDraft ?? ""
    let kind = random.below(6)
    let text = kind < 3 ? number() : continued(draft, by: number())
    switch kind {
    case 0:
      storage.memory["note"] = nil
      edits = nil
    case 1:
      let bytes = Data("no \(text)".utf8)
      storage.memory["note"] = bytes
      garbage.insert(bytes)
      edits = nil
    default:
      let version = random.oneIn(5) ? 3 : 2
      storage.memory["note"] = file(draft: text, to: "[\"\(text)\"]", version: version)
      kept.insert(text)
      edits?.insert(text)
    }
    // What only the file had is lost, and not by a save.
    for (id, text) in stored where !isStored(text) { typed[id] = nil }
    kept = kept.filter(isStored)
    garbage = garbage.filter { contents.values.contains($0) }
    log.append("edit \(text), \(kind)")
  }

  /// The process is killed, and a new one begins.
  private mutating func kill() {
    log.append("kill")
    let next = FaultyStorage()
    for (name, bytes) in contents { next.memory[name] = bytes }
    storage = next
    otherLock = nil
    windows.open = [:]
    flushes = []
    clock = TestClock()
    saved = .note(in: storage)
    note = Note()
    typed = [:]
    edits = []
    hasRestored = false
    mayBeSaving = false
    isQuiet = true
  }

  /// Without faults, everything that is left is saved.
  mutating func end() async {
    log.append("end")
    await endFlushes()
    storage.fault = .none
    otherLock = nil
    // A restore during a save that fails would find nothing.
    await flush()
    note = Note()
    saved.restore(into: &note)
    while let id = windows.open.keys.min() { windows.open[id] = nil }
    isQuiet = false
    let bytes = contents["note"] ?? Data()
    let isNewer = String(decoding: bytes, as: UTF8.self).contains("version 3")
    await flush()
    if !isNewer, !isQuiet { fail("Nothing is in the way, and the last flush has failed.") }
    check()
  }

  // MARK: - Checks

  private mutating func fail(_ text: String) {
    if failure == nil { failure = "\(text)\n\(storage.memory.drafts.sorted())" }
  }

  private func isStored(_ text: String) -> Bool {
    storage.memory.drafts.contains { $0 == text || $0.hasPrefix(text + ".") }
  }

  private mutating func check() {
    if mayBeSaving { return }
    for text in kept where !isStored(text) { fail("\(text) was saved and is gone.") }
    for bytes in garbage where !contents.values.contains(bytes) { fail("A damaged file is gone.") }
    for bytes in contents.values where !garbage.contains(bytes) {
      let text = String(decoding: bytes, as: UTF8.self)
      if let match = text.firstMatch(of: /"draft" : "(.*)"/), !match.1.isEmpty,
        !text.dropFirst(match.0.count).contains("\"\(match.1)\"\n")
          && !text.contains("[\"\(match.1)\"]")
      {
        fail("A state of no commit is stored: \(text)")
      }
    }
  }

  private mutating func checkWhole(_ note: Note) {
    let recipients = note.draft.isEmpty ? [] : [note.draft]
    if note.recipients != recipients { fail("A state of no commit was restored: \(note)") }
  }
}
