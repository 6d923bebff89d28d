import Signalbox
import Testing

/// Tests code that receives the first event of a piece of work and ends work at once.
@MainActor struct FirstEventTests {
  private let gate = StoreGate()

  @Test(
    "A3 H4 work that is cancelled by the receiver of its first event names itself in its events")
  func cancelledAtOnce() {
    let store = DeskStore(state: Desk(), actionable: Handling { _, store in store.count = 1 })
    var began: Int?
    var cancelled: [Int?] = []
    let events = store.events.sink { event in
      switch event.kind {
      case .dispatched:
        began = event.id
        store.cancelAll()
      case .cancelled: cancelled.append(event.work)
      default: break
      }
    }
    store.send(Job("go", id: "go"))
    #expect(began != nil && cancelled == [began])
    #expect(store.count == 0)
    events.cancel()
  }

  @Test("A4 H4 queued work whose turn comes while it is reported is the cause of what it does")
  func turnAtOnce() async {
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        if job.text == "first" { try await gate.pass("first") }
        store.log.append(job.text)
      })
    var first: ActionTask?
    var began: Int?
    var causes: [Int?] = []
    let events = store.events.sink { event in
      switch event.kind {
      case .dispatched(let job) where job.text == "second":
        began = event.id
        first?.cancel()
      case .stateChanged: causes.append(event.cause)
      default: break
      }
    }
    first = store.send(Job("first", id: "x", .queue))
    let second = store.send(Job("second", id: "x", .queue))
    #expect(store.log == ["second"])
    #expect(began != nil && causes == [began])
    #expect(second.isFinished)
    #expect(store.runningCount == 0)
    gate.open("first")
    events.cancel()
  }

  @Test("A9 a queued run does not start while its store is being released")
  func closing() async {
    var bodies: [String] = []
    var first: ActionTask?
    var store: DeskStore? = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        first = store.run(id: "x", overlap: .queue) { _ in
          bodies.append("first")
          try await gate.pass("first")
        }
        store.run(id: "x", overlap: .queue) { _ in bodies.append("second") }
        return Subscription { first?.cancel() }
      }))
    #expect(store?.runningCount == 2)
    store = nil
    #expect(bodies == ["first"])
    gate.open("first")
    await first?.settled
    #expect(bodies == ["first"])
  }
}
