import ExampleTesting
import Foundation
import Observation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Changes that the hook has not been told of when it ends.
@MainActor struct HookEndTests {
  private let storage = MemoryStorage()

  @Test("P8 a change and the release of the store in one delivery lose nothing")
  func releasedInDelivery() async throws {
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>? = Store(state: Note(), hookable: Editor(saved: saved))
    let emitter = Emitter<String>()
    let subscription = emitter.sink { text in
      store?.binder.draft.wrappedValue = text
      store = nil
    }
    emitter.send("last")
    try await saved.flush()
    #expect(storage.restoredDraft == "last")
    subscription.cancel()
  }

  @Test("P8 of two changes and the release of the store in one delivery, the second is saved")
  func changedTwice() async throws {
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>? = Store(state: Note(), hookable: Editor(saved: saved))
    let emitter = Emitter<String>()
    let subscription = emitter.sink { text in
      store?.binder.draft.wrappedValue = text
      store?.binder.draft.wrappedValue = text + "!"
      store?.binder.draft.wrappedValue = text + "!"
      store = nil
    }
    emitter.send("last")
    try await saved.flush()
    #expect(storage.restoredDraft == "last!")
    subscription.cancel()
  }

  @Test("P8 an observer before the hook that writes again and releases the store loses nothing")
  func releasedByObserver() async throws {
    /// Observes before `autosave` does.
    struct Observing: Hookable {
      let saved: SavedState<Note>
      let observe: @MainActor (String, MutatingStore<Note, Never>) -> Void
      func subscription(for hook: NoteHook, store: MutatingStore<Note, Never>) -> Subscription {
        let first = store.publisher.draft.sink { observe($0, store) }
        let second = saved.autosave(store, status: \.saving, clock: TestClock())
        return Subscription {
          first.cancel()
          second.cancel()
        }
      }
    }
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>?
    store = Store(
      state: Note(),
      hookable: Observing(saved: saved) { draft, hookStore in
        hookStore.draft = draft
        store = nil
      })
    store?.binder.draft.wrappedValue = "last"
    try await saved.flush()
    #expect(storage.restoredDraft == "last")
  }

  @Test("P4 P8 the end of the hook in a batch saves what the batch leads to, of one commit")
  func endedInBatch() async throws {
    struct Pair: Equatable, Sendable { var left = 0, right = 0 }
    struct Saving: Interactor {
      let saved: SavedState<Pair>
      let end: @MainActor () -> Void
      func onAction(_ action: Int, store: MutatingStore<Pair, Int>) async {
        store.batch {
          store.left = action
          end()
          store.right = action
        }
        store.left = 7
      }
      func subscription(for hook: NoteHook, store: MutatingStore<Pair, Int>) -> Subscription {
        saved.autosave(store)
      }
    }
    let saved = SavedState<Pair>("pair", in: storage).property("left", \.left)
      .property("right", \.right)
    weak var weakStore: Store<Pair, Int>?
    let store = Store(
      state: Pair(), interactor: Saving(saved: saved) { weakStore?.deactivateHooks() })
    weakStore = store
    store.send(1)
    try await saved.flush()
    let text = String(decoding: try #require(storage["pair"]), as: UTF8.self)
    #expect(text.contains("\"left\" : 1") && text.contains("\"right\" : 1"), "\(text)")
    #expect(storage.writes == 1)
  }

  @Test("P8 a child that is edited and removed in one batch loses nothing")
  func child() async throws {
    struct Row: Equatable, Sendable, Identifiable { var id = 3, text = "" }
    struct Rows: Equatable, Sendable { var rows = [Row()] }
    struct RowSaving: Interactor {
      let saved: SavedState<Row>
      func onAction(_ action: String, store: MutatingStore<Row, String>) async {
        store.text = action
      }
      func subscription(for hook: NoteHook, store: MutatingStore<Row, String>) -> Subscription {
        saved.autosave(store)
      }
    }
    struct Parent: Interactor {
      let saved: SavedState<Row>
      func onAction(_ action: String, store: MutatingStore<Rows, String>) async {
        let row = store.child(\.rows, id: 3, RowSaving.self)
        store.batch {
          row?.send(action)
          store.rows = []
        }
      }
      func children(of store: MutatingStore<Rows, String>) -> Children<Rows> {
        Each(\.rows) { _ in RowSaving(saved: saved) }
      }
    }
    let saved = SavedState<Row>("row", in: storage).property("text", \.text)
    let store = Store(state: Rows(), interactor: Parent(saved: saved))
    store.send("last")
    #expect(store.rows.isEmpty)
    try await saved.flush()
    let text = String(decoding: try #require(storage["row"]), as: UTF8.self)
    #expect(text.contains("\"text\" : \"last\""))
  }

  @Test("P8 the release of a store in whose saved properties nothing has changed saves nothing")
  func unchanged() async throws {
    let saved = SavedState.note(in: storage)
    var store: Store<Note, Never>? = Store(state: Note(), hookable: Editor(saved: saved))
    let emitter = Emitter<Int>()
    let subscription = emitter.sink { cursor in
      store?.binder.cursor.wrappedValue = cursor
      store = nil
    }
    emitter.send(3)
    try await saved.flush()
    #expect(storage.names == [])
    subscription.cancel()
  }

  /// A clock that counts how often it is read.
  private final class CountingClock: Clock, Sendable {
    private let clock = TestClock()
    let reads = Log<Int>()
    var minimumResolution: Duration { .zero }
    var now: TestClock.Instant {
      reads.append([1])
      return clock.now
    }
    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline)
    }
  }

  @MainActor private final class Holder {
    var store: Store<Note, Never>?
  }

  @Test("P8 the release of the store by an observer of the status starts no timer")
  func releasedByStatus() async throws {
    let saved = SavedState.note(in: storage)
    let clock = CountingClock()
    let holder = Holder()
    holder.store = Store(state: Note(), hookable: Editor(saved: saved, clock: clock))
    withObservationTracking {
      _ = holder.store?.saving
    } onChange: {
      MainActor.assumeIsolated { holder.store = nil }
    }
    holder.store?.binder.draft.wrappedValue = "last"
    #expect(holder.store == nil)
    try await saved.flush()
    #expect(storage.restoredDraft == "last")
    #expect(clock.reads.all.isEmpty)
  }
}
