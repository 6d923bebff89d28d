import Signalbox
import SignalboxStorage
import Synchronization

/// Measures whether work that has ended still costs something.
@MainActor enum Remains {
  static let cliffs = [
    Cliff("remains-chain", "a chain of actions, each dispatching the next") { size in
      return { await chain(size) }
    },
    Cliff(
      "remains-reads", "a write, after reads of distinct key paths", pieces: writes
    ) { size in
      let (store, writing) = Writing.store(Rows())
      read(0..<size, of: store)
      return {
        for _ in 0..<writes { writing.count += 1 }
        blackHole(store)
      }
    },
    Cliff("remains-merge", "a chain of events, each in a merge that has more to do") { size in
      return { Store(state: 0, transducer: Countdown.self).send(size) }
    },
    Cliff("remains-files", "a file that is opened") { size in
      return {
        let storage = MemoryStorage()
        var items = Items()
        let files = (0..<size).map { number in
          SavedState<Items>("\(number)", in: storage).property("count", \.count)
        }
        for file in files { blackHole(file.restore(into: &items)) }
      }
    },
  ]

  private static let writes = 1_000

  /// Reads each of the rows once.
  static func read(_ rows: Range<Int>, of store: Store<Rows, Never>) {
    for row in rows { blackHole(store[dynamicMember: \.[row]]) }
  }

  /// Runs a chain of actions, each of which begins a run that outlives the start of its successor.
  ///
  /// - Returns: the largest number of action payloads that were alive at once.
  @discardableResult static func chain(_ count: Int) async -> Int {
    let poller = Poller()
    let store = Store(state: Items(), actionable: poller)
    store.send(Poller.Action(left: count - 1))
    await store.settle()
    guard store.state.count == count else {
      fatalError("\(store.state.count) actions have run instead of \(count)")
    }
    return poller.most
  }

  private final class Poller: Actionable {
    struct Action {
      let left: Int
      let payload = Payload()
    }

    private(set) var most = 0

    func onAction(_ action: Action, store: MutatingStore<Items, Action>) async {
      store.count += 1
      most = max(most, Payload.alive.load(ordering: .relaxed))
      store.run { _ in
        for _ in 0..<4 { await Task.yield() }
      }
      await Task.yield()
      if action.left > 0 { store.send(Action(left: action.left - 1)) }
      blackHole(action.payload)
    }
  }
}

/// Counts down with one event for each step, each of which leaves an effect for the end.
private enum Countdown: Transducer {
  typealias State = Int
  typealias Event = Int
  typealias Env = Void
  typealias Output = Void

  static func update(_ state: inout Int, event: Int) -> Effect? {
    state += 1
    return event == 0 ? nil : .merge([.sequence([.event(event - 1), .cancel("x")])])
  }
}

/// Counts its live instances.
private final class Payload: Sendable {
  static let alive = Atomic(0)

  init() { Self.alive.add(1, ordering: .relaxed) }
  deinit { Self.alive.subtract(1, ordering: .relaxed) }
}

extension Growth {
  static let remains = Curve(
    name: "remains", title: "Time of one more after many others", axis: "number of others before",
    sizes: [100, 250, 1_000, 4_000, 16_000],
    series: [
      Remains.cliffs[0].series,
      Curve.Series("a write, after reads of distinct key paths", .ours) { size in
        let (store, writing) = Writing.store(Rows())
        Remains.read(0..<size, of: store)
        return { count in
          for _ in 0..<count { writing.count += 1 }
          blackHole(store)
        }
      },
    ])
}
