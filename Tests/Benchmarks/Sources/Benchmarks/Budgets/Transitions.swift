import Signalbox

/// Measures an event of a transducer that starts no work (B7).
@MainActor enum Transitions {
  static let comparisons = [
    Comparison("B7", "a transducer's synchronous event") {
      let store = Store(state: Items(), transducer: Counter.self, env: ())
      var items = Items()
      return Sides(
        Subject("dispatch") { count in
          for _ in 0..<count { store.dispatch(.init(step: 1)) }
        },
        beside: [
          Subject("update alone") { count in
            for _ in 0..<count { blackHole(Counter.update(&items, event: .init(step: 1))) }
            blackHole(items.count)
          }.unlimited
        ])
    }
  ]

  static func dispatched(_ count: Int) {
    let store = Store(state: Items(), transducer: Counter.self, env: ())
    for _ in 0..<count { store.dispatch(.init(step: 1)) }
    blackHole(store.state.count)
  }
}

private enum Counter: Transducer {
  typealias State = Items
  typealias Env = Void
  typealias Output = Void
  struct Event { let step: Int }

  static func update(_ state: inout Items, event: Event) -> Effect? {
    state.count += event.step
    return nil
  }
}
