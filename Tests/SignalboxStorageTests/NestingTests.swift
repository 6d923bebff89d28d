import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Values that cannot be stored as they are.
@MainActor struct NestingTests {
  private struct Outline: Codable, Equatable, Sendable { var parts: [Outline] = [] }

  private struct State: Sendable {
    var outline = Outline()
    var twice: Int?? = 5
  }

  private struct Saving: Hookable {
    let saved: SavedState<State>
    func subscription(for hook: NoteHook, store: MutatingStore<State, Never>) -> Subscription {
      saved.autosave(store, clock: TestClock())
    }
  }

  private let storage = MemoryStorage()

  private var saved: SavedState<State> {
    SavedState<State>("state", in: storage).property("outline", \.outline)
      .property("twice", \.twice)
  }

  private func nested(_ depth: Int) -> Outline {
    (0..<depth).reduce(Outline()) { outline, _ in Outline(parts: [outline]) }
  }

  @Test("P11 a value that is nested too deep fails the save, and what is stored stays")
  func tooDeep() async throws {
    let saved = saved
    let store = Store(state: State(outline: nested(200)), hookable: Saving(saved: saved))
    try await saved.flush()
    let stored = storage["state"]
    for depth in [300, 3_000] {
      store.binder.outline.wrappedValue = nested(depth)
      let error = await #expect(throws: SaveError.self) { try await saved.flush() }
      #expect(error?.description.contains("nested in more than 500 levels") == true)
      #expect(storage["state"] == stored)
    }
    var state = State()
    let next = MemoryStorage()
    next["state"] = stored
    let other = SavedState<State>("state", in: next).property("outline", \.outline)
    #expect(other.restore(into: &state) == .restored)
    #expect(state.outline == nested(200))
  }

  @Test("P11 an optional that would come back as another one fails the save")
  func optional() async throws {
    let saved = saved
    let store = Store(state: State(), hookable: Saving(saved: saved))
    store.binder.twice.wrappedValue = .some(nil)
    let error = await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(error?.description.contains("twice would come back as nil") == true)
    store.binder.twice.wrappedValue = nil
    try await saved.flush()
  }
}
