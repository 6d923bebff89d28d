import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxStorage
import SignalboxTesting

/// One random program, and what must be true of the storage.
///
/// A draft is a list of numbers, such as `1.4.9`. Typing adds a number, so a draft continues those
/// with which it begins. A change sets both properties in a batch, so a file with two different ones
/// is torn.
@MainActor struct SavingProgram {
  private(set) var log: [String] = []
  var failure: String?
  private var random: SeededRandom
  private var last = 0

  private(set) var storage = FaultyStorage()
  private var clock = TestClock()
  private var saved: SavedState<Note>
  private var otherLock: (any StorageLock)?
  /// What the restores since the last store have found.
  private var notes: [FoundNote] = []
  private let windows = Windows()
  private var flushes: [(task: Task<Void, any Error>, texts: [String])] = []

  private var typed = TypedDrafts()
  /// Drafts that must not get lost: what a flush has saved, and what others have written.
  private(set) var kept: Set<String> = []
  private(set) var garbage: Set<Data> = []
  /// What others have put into the file since the last change; `nil` if it may be anything.
  private var edits: Set<String>? = []
  /// Whether a save may be running, which an edit could race with.
  private(set) var mayBeSaving = false
  private var hasRestored = false
  /// Whether the last restore has failed.
  private var hasFailed = false
  private var hasSetAside = false
  /// Whether the program has changed the first state of a store.
  private var hasOwn = false
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

  var contents: [String: Data] { storage.memory.contents }

  // MARK: - Steps

  mutating func step() async {
    let before = contents
    hasSetAside = false
    // What is gone or cannot be decoded may be replaced by a flush.
    let isThere = before["note"].map { !garbage.contains($0) } ?? false
    var mayChange = !isQuiet || !isThere || !flushes.isEmpty
    switch random.below(32) {
    case 0..<4: restore()
    case 4..<7:
      let isOwn = random.oneIn(6)
      // Otherwise all that the store has is new.
      if !hasRestored, !isOwn { restore() }
      open(isOwn: isOwn)
    case 7..<12: type()
    case 12..<17: changeInDelivery()
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
      storage.fault = random.pick(FaultyStorage.Fault.allCases)
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
    mayChange = mayChange || hasSetAside || hasOwn
    if !mayChange, isQuiet, contents != before { fail("An untouched store has changed the file.") }
    check()
  }

  private mutating func restore() {
    let found = FoundNote(saved)
    hasRestored = true
    log.append("restore \(found.note.draft): \(found.outcome)")
    hasFound(found)
  }

  private mutating func hasFound(_ found: FoundNote) {
    checkWhole(found.note)
    if windows.isUsed { notes = [] }
    windows.isUsed = false
    hasFailed = found.hasFailed
    // After a restore that has succeeded, no program uses the state of one that has not.
    if !found.hasFailed { notes.removeAll(where: \.hasFailed) }
    notes.append(found)
    if case .setAside = found.outcome { hasSetAside = true }
  }

  /// - Parameter isOwn: whether the program changes the first state.
  private mutating func open(isOwn: Bool) {
    // What was typed in the store before is saved now.
    if !windows.open.isEmpty { mayBeSaving = true }
    windows.last += 1
    // What is made without another restore is the program's own, too.
    let isAgain = windows.isUsed
    windows.isUsed = true
    // What was typed after a failed restore does not replace what another one has found since.
    if windows.newestHasFailed, !hasFailed { edits?.formUnion(notes.map(\.note.draft)) }
    windows.newestHasFailed = hasFailed
    // A program may make a store of any of them.
    var note = notes.isEmpty ? Note() : random.pick(random.oneIn(3) ? notes : notes.suffix(1)).note
    if isOwn {
      note.draft = continued(note.draft, by: number())
      note.recipients = [note.draft]
    }
    if isOwn || isAgain {
      // A flush may save it, or may not.
      hasOwn = true
      edits?.insert(note.draft)
    }
    log.append("open \(windows.last) with \(note.draft)")
    windows.open[windows.last] = Store(
      state: note, interactor: BatchingEditor(saved: saved, clock: clock))
  }

  private mutating func type() {
    guard
      let (id, window) = windows.open.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
    else { return }
    let text = continued(window.draft, by: number())
    let isNewest = id == windows.open.keys.max()
    let kind = random.below(6)
    let isFirst = random.oneIn(3)
    log.append("type \(text) into \(id), \(kind)\(isFirst ? ", with the call first" : "")")
    let box = FoundNotes()
    let call = { @MainActor @Sendable [saved, windows] in
      switch kind {
      case 0: box.restore(saved)
      case 1: windows.open[id] = nil
      case 2: windows.open[windows.open.keys.min() ?? 0] = nil
      case 3:
        window.deactivateHooks()
        windows.open[id] = nil
      default: break
      }
    }
    window.send(isFirst ? .init(text: text, before: call) : .init(text: text, between: call))
    for note in box.notes { hasFound(note) }
    // A hook that ends before the change need not save it.
    if isFirst, kind == 3 { edits?.insert(text) } else { hasTyped(text, into: id, isNewest) }
    if (1...3).contains(kind) { mayBeSaving = true }
  }

  private mutating func hasTyped(_ text: String, into id: Int, _ isNewest: Bool) {
    typed.add(text, into: id, isNewest: isNewest)
    if isNewest { edits = [] }
    isQuiet = false
  }

  /// Types into a store, restores or ends it, all before its hook is told.
  private mutating func changeInDelivery() {
    guard let id = windows.open.keys.sorted().randomElement(using: &random) else { return }
    let isNewest = id == windows.open.keys.max()
    let steps = random.list(random.below(4)) { $0.oneIn(2) }
    let ends = steps.isEmpty || random.oneIn(2)
    var text = windows.open[id]?.draft ?? ""
    var texts: [String] = []
    for isTyped in steps where isTyped {
      text = continued(text, by: number())
      texts.append(text)
    }
    log.append("in \(id), in one delivery: \(steps), \(texts)\(ends ? ", end" : "")")
    let box = FoundNotes()
    let signal = Emitter<Void>()
    let subscription = signal.sink { [windows, saved] in
      var rest = texts[...]
      for isTyped in steps {
        if isTyped {
          windows.open[id]?.send(.init(text: rest.removeFirst()))
        } else {
          box.restore(saved)
        }
      }
      if ends { windows.open[id] = nil }
    }
    signal.send(())
    subscription.cancel()
    if ends { mayBeSaving = true }
    if let text = texts.last { hasTyped(text, into: id, isNewest) }
    for note in box.notes { hasFound(note) }
  }

  private mutating func flush() async {
    log.append("flush")
    await endFlushes()
    mayBeSaving = false
    let texts = typed.all
    do {
      try await saved.flush()
      log.append("  saved, \(storage.memory.restoredDraft ?? "no file")")
      kept.formUnion(texts)
      isQuiet = true
      let stored = storage.memory.restoredDraft ?? ""
      if let newest = typed.newest, let edits, stored != newest, !edits.contains(stored) {
        fail("\(newest) was typed last in the newest store, and \(stored) is stored.")
      }
    } catch {
      log.append("  \(error)")
    }
  }

  private mutating func beginFlush() {
    log.append("begin a flush")
    mayBeSaving = true
    let saved = saved
    flushes.append((Task.atOnce { try await saved.flush() }, typed.all))
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
    let stored = typed.all.filter(isStored)
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
    for text in stored where !isStored(text) { typed.remove(text) }
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
    notes = []
    windows.isUsed = false
    windows.newestHasFailed = false
    hasFailed = false
    typed = TypedDrafts()
    edits = []
    hasRestored = false
    hasOwn = false
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
    restore()
    while let id = windows.open.keys.min() { windows.open[id] = nil }
    isQuiet = false
    let bytes = contents["note"] ?? Data()
    let isNewer = String(decoding: bytes, as: UTF8.self).contains("version 3")
    await flush()
    if !isNewer, !isQuiet { fail("Nothing is in the way, and the last flush has failed.") }
    check()
  }
}
