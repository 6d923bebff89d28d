import Signalbox
import Testing

/// Tests what stays in memory after work was cancelled or a store was released.
@Suite(.timeLimit(.minutes(60))) @MainActor struct StaleCopyTests {
  /// A state whose lifetime can be watched, as if it contained an image or a document.
  struct Folder {
    var token: SignalToken?
    var count = 0
  }

  private typealias FolderStore = Store<Folder, Job>

  @Test("A6 A10 the copy of the state that a cancelled action keeps is released with its body")
  func copiesOfTheCancelled() async {
    var trace = SignalTrace()
    let gate = StoreGate()
    let store = FolderStore(
      state: Folder(),
      actionable: Handling { job, store in
        switch job.text {
        case "fill":
          let token = SignalToken()
          trace.token = token
          store.token = token
        case "empty": store.token = nil
        default: try await gate.pass("door")
        }
      })
    store.send("fill")
    store.send("a").cancel()
    store.send("empty")
    #expect(trace.isAlive, "the cancelled action still has its copy")
    gate.open("door")
    await trace.release()
    #expect(!trace.isAlive)
    withExtendedLifetime(store) {}
  }

  @Test("A9 the state of a released store is released, even if a handle on its work is kept")
  func handles() async {
    var trace = SignalTrace()
    func makeStore() -> FolderStore {
      let token = SignalToken()
      trace.token = token
      return FolderStore(state: Folder(token: token), actionable: Handling { _, _ in })
    }
    var store: FolderStore? = makeStore()
    let task = store?.send("a")
    await task?.settled
    #expect(trace.isAlive)
    store = nil
    #expect(!trace.isAlive)
    withExtendedLifetime(task) {}
  }
}
