import Signalbox
import SignalboxTesting

/// Measures tests of hooks, which end when the hook has fired and everything after it has settled
/// (B9).
@MainActor enum HookTests {
  static let comparisons = [
    Comparison("B9", "100 tests of hooks") {
      Sides(
        Subject(
          "testHook",
          awaiting: { count in
            for _ in 0..<count * 100 { await test() }
          }), limits: [.time(.milliseconds(500))])
    }
  ]

  private struct Sensors: Interactor {
    enum Hook: CaseIterable { case measured }
    let measurements = Emitter<Int>()

    func onAction(_ action: Int, store: MutatingStore<Reading, Int>) async {
      await Task.yield()
      store.isHigh = action > 20
    }

    func subscription(for hook: Hook, store: MutatingStore<Reading, Int>) -> Subscription {
      measurements.assign(toAction: { $0 }, using: store)
    }
  }

  private struct Reading: Equatable { var isHigh = false }

  private static func test() async {
    let sensors = Sensors()
    let store = await TestStore.testHook(
      .measured, trigger: sensors.measurements.send(21), state: Reading(), interactor: sensors)
    guard store.isHigh else { fatalError("the hook's action has not settled") }
  }
}
