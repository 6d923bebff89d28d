import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@MainActor struct FlushTests {
  private let clock = TestClock()
  private let storage = SlowStorage()

  private func store(_ saved: SavedState<Note>) -> TestStore<Note, Never> {
    TestStore(state: Note(), hookable: Editor(saved: saved, clock: clock))
  }

  /// The drafts of the writes that wait for an answer.
  private var pending: [String] {
    storage.writes.pending.map { $0.firstMatch(of: /"draft" : "(.*)"/).map { String($0.1) } ?? "" }
  }

  @Test("P8 flush saves at once and returns when the newest values are stored")
  func flush() async throws {
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    var isFlushed = false
    let flush = Task.atOnce {
      try await saved.flush()
      isFlushed = true
    }
    await storage.writes.next(timeout: .seconds(60))
    #expect(pending == ["a"])
    #expect(!isFlushed)
    await storage.writes.reply(with: ())
    try await flush.value
    #expect(storage.draft == "a")
    #expect(store.saving == .saved)
  }

  @Test("P4 one save runs at a time, and of those that wait only the newest runs")
  func oneAtATime() async throws {
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    await clock.advance(by: .seconds(1))
    for draft in ["b", "c", "d"] {
      store.draft = draft
      await clock.advance(by: .seconds(1))
    }
    #expect(pending == ["a"])
    #expect(store.saving == .pending)
    await storage.writes.reply(with: ())
    #expect(pending == ["d"])
    #expect(store.saving == .pending)
    await storage.writes.reply(with: ())
    #expect(pending == [])
    #expect(store.saving == .saved)
    #expect(storage.draft == "d")
  }

  @Test("P8 flush during a save waits for one with the newest values")
  func flushDuringSave() async throws {
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    await clock.advance(by: .seconds(1))
    store.draft = "b"
    let flush = Task { try await saved.flush() }
    await storage.writes.reply(with: ())
    await storage.writes.next(timeout: .seconds(60))
    #expect(pending == ["b"])
    await storage.writes.reply(with: ())
    try await flush.value
    #expect(storage.draft == "b")
  }

  @Test("P8 a failed save is shown, blocks nothing, and is tried again after growing pauses")
  func retries() async throws {
    struct Full: Error, CustomStringConvertible { let description = "The disk is full." }
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    await clock.advance(by: .milliseconds(300))
    var pause = Duration.milliseconds(500)
    for _ in 1...10 {
      await storage.writes.fail(with: Full())
      #expect(store.saving == .failed("Saving failed: The disk is full."))
      await clock.advance(by: pause - .milliseconds(1))
      #expect(pending == [])
      await clock.advance(by: .milliseconds(1))
      #expect(pending == ["a"])
      pause = min(pause * 2, .seconds(60))
    }
    await storage.writes.reply(with: ())
    #expect(store.saving == .saved)
    #expect(storage.draft == "a")
  }

  @Test("P8 flush throws what went wrong, and the save is tried again")
  func flushThrows() async throws {
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    storage.memory.isFailing = true
    await #expect(throws: SaveError.self) { try await saved.flush() }
    storage.memory.isFailing = false
    await clock.advance(by: .milliseconds(500))
    await storage.writes.reply(with: ())
    #expect(storage.draft == "a")
    #expect(store.saving == .saved)
  }

  @Test("P8 restores do not put off the next attempt")
  func restoresBeforeRetry() async throws {
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    storage.memory.isFailing = true
    await #expect(throws: SaveError.self) { try await saved.flush() }
    storage.memory.isFailing = false
    await clock.advance(by: .milliseconds(400))
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    await clock.advance(by: .milliseconds(100))
    #expect(pending == ["a"])
    await storage.writes.reply(with: ())
    #expect(store.saving == .saved)
  }

  @Test("P8 the release of the store loses nothing, also if the first attempt fails")
  func release() async throws {
    let saved = SavedState.note(in: storage)
    var store: TestStore<Note, Never>? = store(saved)
    store?.draft = "a"
    await clock.advance(by: .milliseconds(299))
    store?.draft = "b"
    store = nil
    _ = store
    await storage.writes.next(timeout: .seconds(60))
    #expect(pending == ["b"])
    await storage.writes.fail(with: CancellationError())
    // No test store waits for this one any more, so the test waits for the retry itself.
    await clock.nextSleep(timeout: .seconds(60))
    await clock.advance(by: .milliseconds(500))
    await storage.writes.next(timeout: .seconds(60))
    #expect(pending == ["b"])
    await storage.writes.reply(with: ())
    try await saved.flush()
    #expect(storage.draft == "b")
  }

  @Test("P8 the end of the hook saves the values of then")
  func hookEnds() async throws {
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(), hookable: Editor(saved: saved, clock: clock))
    store.binder.draft.wrappedValue = "a"
    store.deactivateHooks()
    store.binder.draft.wrappedValue = "b"
    await storage.writes.next(timeout: .seconds(60))
    #expect(pending == ["a"])
    #expect(store.saving == .pending)
    let flush = Task { try await saved.flush() }
    await storage.writes.reply(with: ())
    try await flush.value
    #expect(store.saving == .saved)
    #expect(storage.draft == "a")
  }

  @Test("P4 a flush within a batch does not save a state between two commits")
  func batch() async throws {
    struct Pair: Equatable, Sendable { var left = 0, right = 0 }
    enum Hook: CaseIterable { case changed }
    struct Saving: Interactor {
      let saved: SavedState<Pair>
      func onAction(_ action: Int, store: MutatingStore<Pair, Int>) async throws {
        var flush: Task<Void, any Error>?
        store.batch {
          store.left = action
          flush = Task.atOnce { try await saved.flush() }
          store.right = action
        }
        try await flush?.value
      }
      func subscription(for hook: Hook, store: MutatingStore<Pair, Int>) -> Subscription {
        saved.autosave(store)
      }
    }
    let storage = MemoryStorage()
    let saved = SavedState<Pair>("pair", in: storage).property("left", \.left)
      .property("right", \.right)
    let store = Store(state: Pair(), interactor: Saving(saved: saved))
    await store.dispatch(1)
    #expect(storage.writes == 1)
    let text = String(decoding: try #require(storage["pair"]), as: UTF8.self)
    #expect(text.contains("\"left\" : 1") && text.contains("\"right\" : 1"))
  }

  @Test("P8 flush of an unused saved state returns, and writes nothing")
  func unused() async throws {
    let saved = SavedState.note(in: storage)
    try await saved.flush()
    #expect(storage.memory.names == [])
  }

  @Test("P11 a cancelled flush throws at once, and the save goes on")
  func cancelled() async throws {
    let saved = SavedState.note(in: storage)
    let store = store(saved)
    store.draft = "a"
    let flush = Task { try await saved.flush() }
    await storage.writes.next(timeout: .seconds(60))
    flush.cancel()
    await #expect(throws: CancellationError.self) { try await flush.value }
    #expect(pending == ["a"])
    await storage.writes.reply(with: ())
    #expect(store.saving == .saved)
    #expect(storage.draft == "a")
  }
}
