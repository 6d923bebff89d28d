import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Changes, timers, slow and failing writes, a flush and the end of the hook, in every order.
@MainActor @Suite(.timeLimit(.minutes(60))) struct SaveOrderTests {
  private struct Full: Error, CustomStringConvertible { let description = "The disk is full." }

  private func explored(
    failing: (any Error)? = nil, limit: Int = 10_000,
    _ more: @escaping @MainActor (Exploration, Scene) -> Void
  ) async -> ExplorationReport {
    await explore(limit: limit) { world in
      let storage = SlowStorage(world.endpoint("write", failing: failing) { _ in })
      let scene = Scene(storage, world.clock)
      world.always("what is stored is a draft that was typed") {
        storage.draft.map { scene.typed.contains($0) } ?? true
      }
      world.always("the status does not claim too much") {
        scene.store?.saving != .saved || scene.typed.last == nil
          || storage.draft == scene.typed.last
      }
      world.finally("the newest draft is stored") {
        scene.typed.last == nil || storage.draft == scene.typed.last
      }
      scene.type("a")
      more(world, scene)
      await world.run()
    }
  }

  @MainActor private final class Scene {
    let saved: SavedState<Note>
    var store: TestStore<Note, String>?
    var typed: [String] = []
    var brokenFlushes = 0
    /// A store that is not saved, and lives as long as the scene.
    private let keeper: TestStore<Note, String>
    private var hasEnded = false
    private let storage: SlowStorage

    init(_ storage: SlowStorage, _ clock: TestClock) {
      self.storage = storage
      saved = .note(in: storage)
      keeper = TestStore(state: Note(), actionable: Waiting(saved: saved))
      store = TestStore(
        state: Note(),
        interactor: Flushing(saved: saved, clock: clock) { [weak self] draft in
          self?.hasFlushed(draft)
        })
    }

    func type(_ text: String) {
      guard let store, !hasEnded else { return }
      typed.append(text)
      store.draft = text
    }

    private func hasFlushed(_ draft: String) {
      let newer = typed.drop { $0 != draft }
      if !newer.contains(storage.draft ?? "") { brokenFlushes += 1 }
    }

    func endHook() {
      store?.deactivateHooks()
      hasEnded = true
    }

    /// Types and releases the store before the hook is told of that, while an action of another store
    /// waits until all is stored.
    func release(after text: String) {
      let signal = Emitter<String>()
      let subscription = signal.sink { text in
        self.type(text)
        self.store = nil
      }
      signal.send(text)
      subscription.cancel()
      hasEnded = true
      keeper.send(typed.last ?? "")
    }

    func mustNotBreakFlushes(in world: Exploration) {
      world.always("a flush that has returned has stored what was typed before it") {
        self.brokenFlushes == 0
      }
    }

    func flush() { store?.send(typed.last ?? "") }
  }

  /// An action that ends when everything is stored.
  private struct Waiting: Actionable {
    let saved: SavedState<Note>

    func onAction(_ action: String, store: MutatingStore<Note, String>) async throws {
      try await saved.flush()
    }
  }

  /// A note whose actions flush.
  ///
  /// An action is the newest draft at its start.
  private struct Flushing: Interactor {
    let saved: SavedState<Note>
    let clock: TestClock
    let broke: @MainActor (String) -> Void

    func onAction(_ action: String, store: MutatingStore<Note, String>) async throws {
      try await saved.flush()
      broke(action)
    }

    func subscription(for hook: NoteHook, store: MutatingStore<Note, String>) -> Subscription {
      saved.autosave(store, status: \.saving, clock: clock)
    }
  }

  @Test("P4 P8 changes during slow writes are saved in every order")
  func changes() async {
    let report = await explored { world, scene in
      world.may("b is typed") { scene.type("b") }
      world.may("c is typed") { scene.type("c") }
    }
    #expect(report.isExhaustive)
    #expect(report.failure == nil)
  }

  @Test("P8 a write that fails is tried again in every order")
  func failures() async {
    let report = await explored(failing: Full(), limit: 100) { world, scene in
      world.may("b is typed") { scene.type("b") }
    }
    // A write may fail without end, so the orders never end either.
    #expect(report.orders == 100)
    #expect(report.failure == nil)
  }

  @Test("P8 the end of the hook loses nothing in any order")
  func hookEnds() async {
    let report = await explored { world, scene in
      world.may("b is typed") { scene.type("b") }
      // An exploration does not wait for the work of a store that was released.
      world.may("the hook ends") { scene.endHook() }
    }
    #expect(report.isExhaustive)
    #expect(report.failure == nil)
  }

  @Test("P8 the release of the store loses nothing in any order")
  func released() async {
    let report = await explored { world, scene in
      world.may("b is typed") { scene.type("b") }
      world.may("c is typed, and the store is released, in one delivery") {
        scene.release(after: "c")
      }
    }
    #expect(report.isExhaustive)
    #expect(report.failure == nil)
  }

  @Test("P3 P8 what was typed before a flush is stored when the flush returns, in every order")
  func flush() async {
    let report = await explored { world, scene in
      world.may("b is typed") { scene.type("b") }
      world.may("flush, and c is typed before it has begun") {
        scene.flush()
        scene.type("c")
      }
      scene.mustNotBreakFlushes(in: world)
    }
    #expect(report.isExhaustive)
    #expect(report.failure == nil)
  }

  @Test("P3 P8 a flush among changes at any moment keeps its promise")
  func flushAmongChanges() async {
    // All orders, of which there are 350, take three times as long.
    let report = await explored(limit: 100) { world, scene in
      world.may("b is typed") { scene.type("b") }
      world.may("flush") { scene.flush() }
      world.may("c is typed") { scene.type("c") }
      scene.mustNotBreakFlushes(in: world)
    }
    #expect(report.orders == 100)
    #expect(report.failure == nil)
  }
}
