import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Restores, saves and ends of stores within a batch, whose state is not that of a commit.
@MainActor struct BatchSaveTests {
  private struct Pair: Equatable, Sendable { var left = 0, right = 0 }

  /// A pair whose actions change both sides, with a call between the two.
  private struct Pairing: Interactor {
    let saved: SavedState<Pair>
    let between: @MainActor () -> Void

    func onAction(_ action: Int, store: MutatingStore<Pair, Int>) async {
      store.batch {
        store.left = action
        between()
        store.right = action
      }
    }

    func subscription(for hook: NoteHook, store: MutatingStore<Pair, Int>) -> Subscription {
      saved.autosave(store, clock: TestClock())
    }
  }

  @MainActor private final class Stores { var a, c, d: Store<Pair, Int>? }

  private let storage = MemoryStorage()

  private var saved: SavedState<Pair> {
    SavedState<Pair>("pair", in: storage).property("left", \.left).property("right", \.right)
  }

  /// The pairs that are stored, as text without spaces.
  private var pairs: Set<String> {
    Set(
      storage.names.compactMap { name in
        storage[name].map { data in
          String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst().joined()
            .filter { !$0.isWhitespace }
        }
      })
  }

  @Test("P8 a restore in a batch finds no state of half a batch")
  func torn() async throws {
    let saved = saved
    var pair = Pair()
    saved.restore(into: &pair)
    var restored: [Pair] = []
    let store = Store(
      state: pair,
      interactor: Pairing(saved: saved) {
        var pair = Pair()
        saved.restore(into: &pair)
        restored.append(pair)
      })
    store.send(1)
    store.send(2)
    #expect(restored == [Pair(), Pair()])
    try await saved.flush()
    #expect(pairs == [#"{"left":2,"right":2}"#])
  }

  @Test("P4 P8 a save that begins in a batch of a store whose hook has ended takes no half of it")
  func hookEnds() async throws {
    let saved = saved
    let stores = Stores()
    var pair = Pair()
    saved.restore(into: &pair)
    stores.a = Store(
      state: pair,
      interactor: Pairing(saved: saved) {
        stores.a?.deactivateHooks()
        stores.d = nil
      })
    saved.restore(into: &pair)
    stores.c = Store(state: Pair(left: 7, right: 7), interactor: Pairing(saved: saved) {})
    stores.d = Store(state: Pair(left: 8, right: 8), interactor: Pairing(saved: saved) {})
    stores.a?.binder.left.wrappedValue = 1
    stores.c?.binder.left.wrappedValue = 70
    stores.c = nil
    stores.a?.send(2)
    try await saved.flush()
    #expect(pairs == [#"{"left":2,"right":2}"#, #"{"left":70,"right":7}"#])
  }

  @Test("P8 a restore in a batch does not find its changes, which are kept all the same")
  func kept() async throws {
    let saved = saved
    var pair = Pair()
    var second: Store<Pair, Int>?
    saved.restore(into: &pair)
    var first: Store<Pair, Int>? = Store(
      state: pair,
      interactor: Pairing(saved: saved) {
        var found = Pair()
        saved.restore(into: &found)
        #expect(found == Pair())
        second = Store(state: found, interactor: Pairing(saved: saved) {})
      })
    first?.send(1)
    first = nil
    _ = first
    second?.binder.left.wrappedValue = 5
    try await saved.flush()
    #expect(pairs == [#"{"left":1,"right":1}"#, #"{"left":5,"right":0}"#])
  }

  @Test("P7 a restore in a batch does not miss values that are pending, but says that it cannot")
  func pendingBefore() throws {
    let saved = saved
    var outcomes: [Restored] = []
    var pair = Pair()
    let store = Store(
      state: pair,
      interactor: Pairing(saved: saved) { outcomes.append(saved.restore(into: &pair)) })
    store.binder.left.wrappedValue = 1
    store.send(2)
    #expect(outcomes == [.unavailable("A batch is changing it at this moment.")])
    #expect(pair == Pair())
    #expect(saved.restore(into: &pair) == .restored)
    #expect(pair == Pair(left: 2, right: 2))
  }
}
