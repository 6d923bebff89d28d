import OpenCombine
import Signalbox

/// Measures making and releasing a store, which must leave no allocations (B12).
@MainActor enum Stores {
  static let comparisons = [
    Comparison("B12", "made and released") {
      Sides(
        Subject("a store of 10 hooks", storesOfTenHooks),
        limits: [.time(.microseconds(20)), .remains(0)],
        beside: [
          Subject("OpenCombine, a subject of 10 sinks") { count in
            for _ in 0..<count { subjectOfTenSinks() }
          }.unlimited
        ])
    }
  ]

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

  nonisolated private static func subjectOfTenSinks() {
    let subject = CurrentValueSubject<Items, Never>(Items())
    var cancellables: Set<AnyCancellable> = []
    for _ in 0..<10 {
      subject.map(\.count).removeDuplicates().sink { blackHole($0) }.store(in: &cancellables)
    }
  }
}
