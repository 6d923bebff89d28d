import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

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
