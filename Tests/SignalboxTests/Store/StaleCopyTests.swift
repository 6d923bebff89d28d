import Signalbox
import Testing

/// What is left in memory of work that was cancelled, and of a store that is gone.
@MainActor struct StaleCopyTests {
  /// A state that can be watched, as one with an image or a document in it can.
  struct Folder {
    var canary: StoreCanary?
    var count = 0
  }

  private typealias FolderStore = Store<Folder, Job>

  @Test(
    "A6 A10 the copy of the state that a cancelled action is left with goes with its body",
    .timeLimit(.minutes(10)))
  func copiesOfTheCancelled() async {
    var ends = StoreEnds()
    let gate = StoreGate()
    let store = FolderStore(
      state: Folder(),
      actionable: Handling { job, store in
        switch job.text {
        case "fill": store.canary = ends.watched()
        case "empty": store.canary = nil
        default: try await gate.pass("door")
        }
      })
    store.send("fill")
    store.send("a").cancel()
    store.send("empty")
    gate.open("door")
    await ends.arrival()
    withExtendedLifetime(store) {}
  }

  @Test(
    "A9 the state of a released store goes with it, although a handle on its work is kept",
    .timeLimit(.minutes(10)))
  func handles() async {
    var ends = StoreEnds()
    var store: FolderStore?
    store = FolderStore(
      state: Folder(canary: ends.watched()), actionable: Handling { _, _ in })
    let task = store?.send("a")
    await task?.settled
    store = nil
    await ends.arrival()
    withExtendedLifetime(task) {}
  }
}

extension StoreEnds {
  /// A canary that nobody else holds.
  fileprivate mutating func watched() -> StoreCanary {
    let canary = StoreCanary()
    watch(canary)
    return canary
  }
}
