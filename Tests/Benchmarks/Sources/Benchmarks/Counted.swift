import Signalbox

/// What is counted in instructions: each runs its subject `count` times.
///
///     valgrind --tool=callgrind Benchmarks count B1 100000
@MainActor enum Counted {
  static let all: [String: @MainActor (Int) -> Void] = [
    "B1": unobservedIncrement, "B2": observedIncrement,
    "B4": dispatch, "B4-floor": immediateTask, "B12": storesOfTenHooks,
  ]

  static func unobservedIncrement(_ count: Int) {
    let (store, writing) = Writing.store(Items())
    for _ in 0..<count { writing.count += 1 }
    blackHole(store)
  }

  static func observedIncrement(_ count: Int) {
    let (store, writing) = Writing.store(Items())
    let subscription = store.publisher.count.sink { blackHole($0) }
    for _ in 0..<count { writing.count += 1 }
    blackHole((store, subscription))
  }

  private struct Counter: Actionable {
    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async { store.count += action }
  }

  static func dispatch(_ count: Int) {
    let store = Store(state: Items(), actionable: Counter())
    for _ in 0..<count { store.dispatch(1) }
    blackHole(store.state.count)
  }

  static func immediateTask(_ count: Int) {
    let (store, writing) = Writing.store(Items())
    for _ in 0..<count { Task.immediate { @MainActor in writing.count += 1 } }
    blackHole(store)
  }

  private struct Sensors: Interactor {
    enum Hook: CaseIterable { case a, b, c, d, e, f, g, h, i, j }
    let emitter = Emitter<Int>()

    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async {}

    func subscription(for hook: Hook, store: MutatingStore<Items, Int>) -> Signalbox.Subscription {
      switch hook {
      case .a, .b, .c, .d, .e: emitter.assign(to: \.count, using: store)
      case .f, .g, .h, .i, .j: store.publisher.count.assign(toAction: 1, using: store)
      }
    }
  }

  static func storesOfTenHooks(_ count: Int) {
    for _ in 0..<count { blackHole(Store(state: Items(), interactor: Sensors())) }
  }
}
