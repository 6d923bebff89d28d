import Signalbox
import SignalboxTesting
import Testing

@MainActor private struct TitleHook: Hookable {
  typealias Action = Job
  let input: Emitter<String>
  func subscription(for hook: OneHook, store: DeskHandle) -> Subscription {
    input.sink {
      store.title = $0
      store.dispatch(Job($0))
    }
  }
}

@MainActor struct TestStoreInitTests {
  private let input = Emitter<String>()

  private func naming(_ name: String) -> Wrapping<Desk, Job> {
    Wrapping { job, store, next in
      store.log.append("\(name)+")
      try await next(job)
      store.log.append("\(name)-")
    }
  }

  @Test("T1 a test store of an interactor handles actions and connects hooks, with middleware")
  func interactor() async {
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.sink { store.dispatch(Job($0)) } },
        handle: { job, store in store.log.append(job.text) }),
      middleware: naming("outer"), naming("inner"))
    input.send("go")
    #expect(store.log == ["outer+", "inner+", "go", "inner-", "outer-"])
    #expect(store.triggeredActions == ["go"])
    #expect(store.firedHooks == ["only"])
    #expect(store.stateUpdates.count == 5)
  }

  @Test("T1 a test store of an actionable handles actions, with middleware")
  func actionable() async {
    let store = DeskTest(
      state: Desk(), actionable: Handling { job, store in store.log.append(job.text) },
      middleware: naming("outer"))
    await store.dispatch("go") { $0.log = ["outer+", "go", "outer-"] }
    #expect(store.triggeredActions == ["go"])
  }

  @Test("T1 a test store of hooks alone connects them and drops the actions that they dispatch")
  func hookable() {
    let store = DeskTest(state: Desk(), hookable: TitleHook(input: input))
    input.send("go")
    #expect(store.title == "go")
    #expect(store.firedHooks == ["only"])
    #expect(store.triggeredActions.isEmpty)
    #expect(store.stateUpdates == [Desk(title: "go")])
  }

  @Test("T1 a test store of state alone is changed through its binder and recorded")
  func stateAlone() {
    let store = TestStore(state: Desk())
    store.binder.count.wrappedValue = 2
    #expect(store.stateUpdates == [Desk(count: 2)])
  }

  @Test("T1 each kind of test store can be exhaustive")
  func exhaustive() async {
    let input = input
    let silent = Hooking<Desk, Job, OneHook>(connect: { _, _ in input.sink { _ in } })
    let texts = await failures {
      let stores = [
        DeskTest(state: Desk(), interactor: silent, exhaustive: true),
        DeskTest(
          state: Desk(), interactor: silent, middleware: naming("m"), exhaustive: true),
        DeskTest(
          state: Desk(), actionable: Handling { _, _ in }, middleware: naming("m"), exhaustive: true
        ),
        DeskTest(state: Desk(), hookable: TitleHook(input: input), exhaustive: true),
      ]
      for store in stores {
        store.binder.count.wrappedValue += 1
        await store.finish()
      }
      let plain = TestStore(state: Desk(), exhaustive: true)
      plain.binder.count.wrappedValue += 1
      await plain.finish()
    }
    #expect(texts.count == 5)
  }

  @Test("T1 a dispatched action is recorded even if middleware refuses, swallows or changes it")
  func middleware() async {
    let store = DeskTest(
      state: Desk(),
      actionable: HandlingErrors<Desk, Job>(
        handle: { job, store in store.log.append(job.text) },
        recover: { error, job, store in store.log.append("\(job) \(error)") }),
      middleware: Wrapping { job, _, next in
        switch job.text {
        case "refused": throw CancellationError()
        case "swallowed": break
        case "changed": try await next("other")
        default: try await next(job)
        }
      })
    for text in ["refused", "swallowed", "changed", "plain"] { await store.dispatch(Job(text)) }
    #expect(store.triggeredActions == ["refused", "swallowed", "changed", "plain"])
    #expect(store.log == ["refused CancellationError()", "other", "plain"])
  }
}
