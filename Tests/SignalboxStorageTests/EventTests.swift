import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@MainActor struct EventTests {
  private let storage = MemoryStorage()
  private let clock = TestClock()

  @Test("P8 a failed save is an event that leads back to the change")
  func failedEvent() async throws {
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(), hookable: Editor(saved: saved, clock: clock))
    var events: [StoreEvent<Note, Never>] = []
    let subscription = store.events.sink { events.append($0) }
    storage.isFailing = true
    store.binder.draft.wrappedValue = "a"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    let failed = try #require(
      events.first {
        if case .runFailed("saving note" as String, _) = $0.kind { true } else { false }
      })
    func event(_ id: Int?) -> StoreEvent<Note, Never>? { events.first { $0.id == id } }
    let hook = try #require(event(failed.cause))
    guard case .hookFired("changed", _) = hook.kind else { throw Wrong(kind: "\(hook.kind)") }
    let change = try #require(event(hook.cause))
    guard case .stateChanged(_, let note) = change.kind else { throw Wrong(kind: "\(change.kind)") }
    #expect(note.draft == "a")
    guard case .runStarted = try #require(event(failed.work)).kind else { throw Wrong(kind: "") }
    subscription.cancel()
  }

  @Test("P8 a subscriber to the start of a save may restore and end the hook")
  func startedEvent() async throws {
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(), hookable: Editor(saved: saved, clock: clock))
    var restored: Restored?
    let subscription = store.events.sink { [weak store] event in
      guard case .runStarted = event.kind, restored == nil else { return }
      var note = Note()
      restored = saved.restore(into: &note)
      store?.binder.draft.wrappedValue = "b"
      store?.deactivateHooks()
    }
    store.binder.draft.wrappedValue = "a"
    try await saved.flush()
    try await saved.flush()
    #expect(restored == .restored)
    #expect(storage.restoredDraft == "b")
    subscription.cancel()
  }

  @Test("P8 a failed save of a program whose standard error is closed stops nothing")
  func closedStandardError() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let storage = MemoryStorage()
      let saved = SavedState<Note>("note", in: storage).property("draft", \.draft)
      struct Silent: Hookable {
        let saved: SavedState<Note>
        func subscription(for hook: NoteHook, store: MutatingStore<Note, Never>) -> Subscription {
          saved.autosave(store)
        }
      }
      let store = Store(state: Note(), hookable: Silent(saved: saved))
      storage.isFailing = true
      close(2)
      store.binder.draft.wrappedValue = "a"
      await #expect(throws: SaveError.self) { try await saved.flush() }
    }
  }

  private struct Wrong: Error { let kind: String }

  @Test("P4 a test store counts a save as work of its own")
  func exhaustive() async throws {
    let saved = SavedState.note(in: storage)
    let store = TestStore(
      state: Note(), hookable: Editor(saved: saved, clock: clock), exhaustive: true)
    store.draft = "a"
    store.expect { $0.saving = .pending }
    await clock.run()
    store.expect { $0.saving = .saved }
    await store.finish()
  }
}
