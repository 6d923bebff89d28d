import Signalbox

/// Much is there, and is cancelled one by one, newest first.
@MainActor enum Cancels {
  static let cliffs = [
    cliff("cancels-queued", "queued actions", .queue),
    cliff("cancels-concurrent", "concurrent actions", .concurrent),
    cliff("cancels-joined", "joined actions", .join),
    Cliff("cancels-computed", "subscriptions to computed key paths, each another") { size in
      let (store, _) = Writing.store(Rows())
      var subscriptions = (0..<size).map { row in
        store.publisher[dynamicMember: \.[row]].sink { blackHole($0) }
      }
      return { while let last = subscriptions.popLast() { last.cancel() } }
    },
    Cliff("cancels-settle", "waits of settle()") { size in
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
      // The first one runs, and the others wait for it or beside it.
      let first = store.send(Parked.Action(overlap: overlap))
      var tasks = (0..<size).map { _ in store.send(Parked.Action(overlap: overlap)) }
      return {
        while let last = tasks.popLast() { last.cancel() }
        guard store.runningCount == 1 else { fatalError("\(store.runningCount) are left") }
        first.cancel()
      }
    }
  }
}

/// Actions of one name that go on until they are cancelled.
struct Parked: Actionable {
  struct Action: CancellableAction {
    var overlap: Overlap
    var cancelIdentifier: String? { "parked" }

    static let concurrent = Action(overlap: .concurrent)
  }

  func onAction(_ action: Action, store: MutatingStore<Items, Action>) async {
    // A stream, because that is what ends a wait when the task is cancelled.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }
}

/// A state of which any number of computed parts can be observed.
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
    name: "cancels", title: "Started, and cancelled one by one, newest first: time of each",
    axis: "how many", sizes: [100, 250, 1_000, 4_000, 16_000],
    series: Cancels.cliffs.map(\.series))
}
