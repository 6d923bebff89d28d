import Signalbox
import Testing

/// Tests objects that use the store while the store releases them.
@MainActor struct LastWordTests {
  private final class Farewell: Actionable {
    private var handle: DeskHandle?

    func onAction(_ action: Job, store: DeskHandle) async throws { handle = store }

    deinit { MainActor.assumeIsolated { [handle] in _ = handle?.dispatch("goodbye") } }
  }

  @Test("A9 an interactor that dispatches in its deinit starts nothing and ends nothing")
  func interactor() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        var store: DeskStore? = DeskStore(state: Desk(), actionable: Farewell())
        store?.send("keep")
        store = nil
      }
    }
  }

  /// A name that queries its store when it is released.
  private final class Name: Hashable, Sendable {
    private let onRelease: @MainActor @Sendable () -> Void

    init(_ onRelease: @escaping @MainActor @Sendable () -> Void = {}) { self.onRelease = onRelease }

    deinit { MainActor.assumeIsolated { onRelease() } }

    static func == (l: Name, r: Name) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  @Test("A7 a name that queries the running work in its deinit does not crash")
  func name() async {
    await #expect(processExitsWith: .success) { await LastWordTests.releaseAName() }
  }

  private static func releaseAName() async {
    let gate = StoreGate()
    let returned = StoreMoment()
    var handle: DeskHandle?
    let store = DeskStore(state: Desk(), actionable: Handling { _, store in handle = store })
    store.send("keep")
    handle?.run(id: Name { [weak store] in _ = store?.isRunning(id: "y") }, overlap: .concurrent) {
      _ in
      try await gate.pass("first")
      returned.happen()
    }
    let second = handle?.run(id: Name(), overlap: .concurrent) { _ in
      try await gate.pass("second")
    }
    gate.open("first")
    await returned.arrival
    second?.cancel()
    gate.open("second")
  }
}
