import Signalbox
import Testing

/// Tests what stays in memory after work was cancelled or a store was released.
@MainActor struct StaleCopyTests {
  /// A state whose lifetime can be watched, as if it contained an image or a document.
  struct Folder {
    var canary: StoreCanary?
    var count = 0
  }

  private typealias FolderStore = Store<Folder, Job>

  @Test(
    "A6 A10 the copy of the state that a cancelled action keeps is released with its body",
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
    "A9 the state of a released store is released, even if a handle on its work is kept",
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
  /// Returns a canary that only the caller holds.
  fileprivate mutating func watched() -> StoreCanary {
    let canary = StoreCanary()
    watch(canary)
    return canary
  }
}
