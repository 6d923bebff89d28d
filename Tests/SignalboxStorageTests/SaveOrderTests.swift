import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Changes, timers, slow and failing writes, a flush and the release of the store, in every order.
@MainActor @Suite(.timeLimit(.minutes(10))) struct SaveOrderTests {
  private struct Full: Error, CustomStringConvertible { let description = "The disk is full." }

  private func explored(
    failing: (any Error)? = nil, _ more: @escaping @MainActor (Exploration, Scene) -> Void
  ) async -> ExplorationReport {
    await explore { world in
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
    var store: TestStore<Note, Never>?
    var typed: [String] = []
    var flushes = 0
    private let storage: SlowStorage

    init(_ storage: SlowStorage, _ clock: TestClock) {
      self.storage = storage
      saved = .note(in: storage)
      store = TestStore(state: Note(), hookable: Editor(saved: saved, clock: clock))
    }

    func type(_ text: String) {
      guard let store else { return }
      typed.append(text)
      store.draft = text
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

  @Test("P8 the release of the store loses nothing in any order")
  func release() async {
    let report = await explored { world, scene in
      world.may("b is typed") { scene.type("b") }
      world.may("the store is released") { scene.store?.deactivate() }
    }
    #expect(report.isExhaustive)
    #expect(report.failure == nil)
  }
}

extension TestStore {
  /// Ends the hooks, as the release does. A released test store is no longer part of an exploration.
  @MainActor fileprivate func deactivate() {}
}
