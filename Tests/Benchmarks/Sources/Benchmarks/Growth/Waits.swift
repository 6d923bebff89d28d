import Signalbox

/// Measures actions and effects that wait in one queue.
@MainActor enum Waits {
  static let cliffs = [
    Cliff("waits-actions", "actions that each await a queued one") { size in
      let store = Store(state: Items(), actionable: Clerk())
      return {
        for _ in 0..<size { store.send(.wait) }
        await store.settle()
        guard store.state.count == size else {
          fatalError("\(store.state.count) have run instead of \(size)")
        }
      }
    },
    Cliff("waits-requests", "effects that each await a queued request") { size in
      let store = Store(state: Items(), transducer: Counter.self, env: ())
      return {
        for _ in 0..<size { store.send(.wait) }
        await store.settle()
        guard store.state.count == size else {
          fatalError("\(store.state.count) have run instead of \(size)")
        }
      }
    },
  ]

  private enum Errand: CancellableAction {
    case wait, turn

    var cancelIdentifier: String? { self == .turn ? "desk" : nil }
    var overlap: Overlap { .queue }
  }

  private struct Clerk: Actionable {
    func onAction(_ action: Errand, store: MutatingStore<Items, Errand>) async {
      switch action {
      case .wait: await store.dispatch(.turn)
      case .turn:
        await Task.yield()
        store.count += 1
      }
    }
  }

  private enum Counter: Transducer {
    typealias State = Items
    typealias Env = Void
    typealias Output = Void
    enum Event { case wait, turn, done }

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .wait:
        return .run { @MainActor input, _ in
          try await input.request(.turn)
          try await input.send(.done)
        }
      case .turn:
        return .request(id: "desk", overlap: .queue) { @MainActor _, _ in await Task.yield() }
      case .done:
        state.count += 1
        return nil
      }
    }
  }
}

extension Growth {
  static let waits = Curve(
    name: "waits", title: "Time of one that waits in a queue with the others",
    axis: "number of them",
    sizes: [100, 250, 1_000, 4_000, 16_000], series: Waits.cliffs.map(\.series))
}
