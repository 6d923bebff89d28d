import Signalbox

/// Measures cancelling many things one by one, newest first.
@MainActor enum Cancels {
  static let cliffs = [
    cliff("cancels-queued", "queued actions", .queue),
    cliff("cancels-concurrent", "concurrent actions", .concurrent),
    cliff("cancels-joined", "joined actions", .join),
    Cliff("cancels-computed", "subscriptions to distinct computed key paths") { size in
      let (store, _) = Writing.store(Rows())
      var subscriptions = (0..<size).map { row in
        store.publisher[dynamicMember: \.[row]].sink { blackHole($0) }
      }
      return { while let last = subscriptions.popLast() { last.cancel() } }
    },
    Cliff("cancels-settle", "waits of settle()") { size in
      guard #available(macOS 26, *) else { fatalError("Run the benchmarks on macOS 26.") }
      let store = Store(state: Items(), actionable: Parked())
      let task = store.send(.concurrent)
      var waiting = (0..<size).map { _ in Task.immediate { await store.settle() } }
      return {
        while let last = waiting.popLast() {
          last.cancel()
          await last.value
        }
        task.cancel()
      }
    },
  ]

  private static func cliff(_ name: String, _ title: String, _ overlap: Overlap) -> Cliff {
    Cliff(name, title) { size in
      let store = Store(state: Items(), actionable: Parked())
      // The first one runs. The others wait for it or run beside it.
      let first = store.send(Parked.Action(overlap: overlap))
      var tasks = (0..<size).map { _ in store.send(Parked.Action(overlap: overlap)) }
      return {
        while let last = tasks.popLast() { last.cancel() }
        guard store.runningCount == 1 else {
          fatalError("\(store.runningCount) actions are running instead of 1")
        }
        first.cancel()
      }
    }
  }
}

/// Actions of one name that run until they are cancelled.
struct Parked: Actionable {
  struct Action: CancellableAction {
    var overlap: Overlap
    var cancelIdentifier: String? { "parked" }

    static let concurrent = Action(overlap: .concurrent)
  }

  func onAction(_ action: Action, store: MutatingStore<Items, Action>) async {
    // Waits for a stream, because cancelling the task ends that wait.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }
}

/// A state with any number of computed parts.
struct Rows {
  var count = 0
  var rows = Array(repeating: 0, count: 10)

  subscript(row: Int) -> Int {
    get { rows[row % 10] }
    set { rows[row % 10] = newValue }
  }
}

extension Growth {
  static let cancels = Curve(
    name: "cancels", title: "Time to start one and cancel it, newest first",
    axis: "number of them", sizes: [100, 250, 1_000, 4_000, 16_000],
    series: Cancels.cliffs.map(\.series))
}
