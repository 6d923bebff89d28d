import Signalbox
import Testing

@MainActor struct MiddlewareTests {
  typealias Wrap = Wrapping<Desk, Job>

  private let interactor = HandlingErrors<Desk, Job>(
    handle: { job, store in
      store.log.append("\(job)")
      if job == "throws" { throw Refusal(reason: "inside") }
    }, recover: { error, job, store in store.log.append("\(job): \(error)") })

  private func naming(_ name: String) -> Wrap {
    Wrap { job, store, next in
      store.log.append("\(name)+")
      try await next(job)
      store.log.append("\(name)-")
    }
  }

  @Test("A11 middleware wraps actions, the first one outermost")
  func order() {
    let store = DeskStore(
      state: Desk(), actionable: interactor, middleware: naming("a"), naming("b"), naming("c"))
    store.send("go")
    #expect(store.log == ["a+", "b+", "c+", "go", "c-", "b-", "a-"])
  }

  @Test("A11 middleware can change an action, and onError still receives the one that was sent")
  func change() {
    let store = DeskStore(
      state: Desk(), actionable: interactor,
      middleware: Wrap { job, _, next in try await next(Job("throws", id: job.id)) })
    store.send("go")
    #expect(store.log == ["throws", "go: Refusal(reason: \"inside\")"])
  }

  @Test("A11 middleware refuses an action by throwing, and the error goes to onError")
  func refuse() async {
    let store = DeskStore(
      state: Desk(), actionable: interactor, middleware: naming("a"),
      Wrap { _, _, _ in throw Refusal(reason: "no") }, naming("never"))
    let task = store.send("go")
    #expect(store.log == ["a+", "go: Refusal(reason: \"no\")"])
    await #expect(throws: Refusal(reason: "no")) { try await task.result.get() }
  }

  @Test("A11 an action that middleware does not pass on ends without an error")
  func swallow() async {
    let store = DeskStore(
      state: Desk(), actionable: interactor, middleware: Wrap { _, _, _ in })
    let task = store.send("go")
    await #expect(throws: Never.self) { try await task.result.get() }
    #expect(store.log.isEmpty && !task.isCancelled && store.runningCount == 0)
  }

  @Test("A11 middleware sees the error of an action and can keep it from onError")
  func seesErrors() {
    var seen: [Refusal?] = []
    let outer = Wrap { job, _, next in
      do { try await next(job) } catch {
        seen.append(error as? Refusal)
        throw error
      }
    }
    let catching = Wrap { job, _, next in
      do { try await next(job) } catch { seen.append(error as? Refusal) }
    }
    let store = DeskStore(state: Desk(), actionable: interactor, middleware: outer)
    store.send("throws")
    #expect(store.log == ["throws", "throws: Refusal(reason: \"inside\")"])
    let silent = DeskStore(state: Desk(), actionable: interactor, middleware: outer, catching)
    silent.send("throws")
    #expect(silent.log == ["throws"])
    #expect(seen == [Refusal(reason: "inside"), Refusal(reason: "inside")])
  }

  @Test("A11 middleware spans the whole action, across its suspensions")
  func spansSuspensions() async {
    let gate = StoreGate()
    let store = DeskStore(
      state: Desk(),
      actionable: Handling { job, store in
        try await gate.pass("door")
        store.log.append("\(job)")
      }, middleware: naming("a"))
    let task = store.send("go")
    #expect(store.log == ["a+"])
    gate.open("door")
    await task.value
    #expect(store.log == ["a+", "go", "a-"])
  }

  @Test(
    "A11 middleware may wait before it passes an action on, and is stale once that is cancelled")
  func waits() async {
    let gate = StoreGate()
    let returned = StoreMoment()
    let store = DeskStore(
      state: Desk(), actionable: interactor,
      middleware: Wrap { job, store, next in
        try await gate.pass(job.text)
        try await next(job)
        if !store.isCurrent { returned.happen() }
      })
    store.send(Job("one", id: "x"))
    let two = store.send(Job("two", id: "x"))
    gate.open("two")
    await two.value
    gate.open("one")
    await returned.arrival
    #expect(store.log == ["two"])
  }

  @Test("A11 actions that hooks and actions dispatch pass through middleware")
  func allActions() {
    let emitter = Emitter<String>()
    var seen: [String] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in
          emitter.assign(toAction: { Job("hooked \($0)") }, using: store)
        },
        handle: { job, store in if job == "outer" { store.send("inner") } }),
      middleware: Wrap { job, _, next in
        seen.append(job.text)
        try await next(job)
      })
    emitter.send("a")
    store.send("outer")
    #expect(seen == ["hooked a", "outer", "inner"])
  }
}
