import Signalbox
import SignalboxTesting
import Testing

/// Tests that nothing passes unseen (T8).
@Suite(.timeLimit(.minutes(60))) @MainActor struct UnseenTests {
  private let input = Emitter<String>()
  private let clock = TestClock()

  private func makeStore(
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskTest {
    DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.assign(toAction: { Job($0) }, using: store) },
        handle: handle))
  }

  private func headlines(_ body: @MainActor () async -> Void) async -> [String] {
    await failures(of: body).map(\.headline)
  }

  // MARK: - What an expectation writes

  @Test("T8 a value that an expectation writes is demanded, also where it equals the value before")
  func sameAsBefore() async {
    let store = makeStore { _, store in
      store.count = 1
      store.log.append("a")
    }
    let found = await headlines {
      await store.dispatch("load") {
        $0.log = ["a"]
        $0.count = 0
      }
    }
    #expect(
      found == [
        "dispatch(load): more has changed than what the closure changes. The label including: "
          + "asserts only that."
      ])
    await store.dispatch("load") { $0.log.append("a") }
    await store.dispatch("load", including: { $0.count += 0 })
  }

  // MARK: - Errors

  @Test("T8 an error that nothing handles fails the test at the call that led to it")
  func unhandled() async {
    let store = makeStore { job, store in
      if job == "go" { store.send("inner") } else { throw Refusal(reason: job.text) }
    }
    let line = #line + 2
    let failures = await kitFailures {
      await store.dispatch("go")
      await store.settle()
      store.expect { _ in }
    }
    #expect(failures.map(\.line) == [line])
    #expect(
      failures.first?.text.headline
        == "inner threw Refusal(reason: \"inner\"), which is not handled. Add onError to the "
        + "interactor, or expect it with expectError. If the interactor has an `onError`, it has "
        + "another signature than `onError(_:action:store:)`.")
  }

  @Test("T8 an error that nothing handles fails a test that does nothing more with the store")
  func unhandledAtTheEnd() async {
    let found = await headlines {
      let store = makeStore { _, _ in throw Refusal(reason: "a") }
      await store.dispatch("go")
    }
    #expect(found.count == 1)
    #expect(found.only.hasPrefix("go threw Refusal"))
  }

  @Test("T8 an expected error is no failure, and each is expected once")
  func expected() async {
    let store = makeStore { job, _ in throw Refusal(reason: job.text) }
    await store.dispatch("a")
    store.expectError { ($0 as? Refusal)?.reason == "a" }
    let found = await headlines { store.expectError() }
    #expect(found == ["expectError: no unhandled error since the last assertion."])
    await store.dispatch("b")
    let others = await headlines { store.expectError { ($0 as? Refusal)?.reason == "c" } }
    #expect(others == ["expectError: these were not handled: Refusal(reason: \"b\")."])
    store.expectError()
  }

  @Test("T8 a loop of writes that was stopped fails the test")
  func loop() async {
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in store.publisher.count.sink { store.count = $0 + 1 } }))
    store.count = 1
    let found = await headlines { await store.finish() }
    #expect(found.only.hasPrefix("A loop of writes was stopped: "))
  }

  // MARK: - Receive

  @Test("T8 receive fails for an action that was cancelled, threw, or has not ended")
  func receive() async {
    let store = makeStore { [clock] job, store in
      switch job.text {
      case "go":
        store.send(Job("cancelled", id: "x"))
        store.cancel(id: "x")
        store.send("throws")
        store.send("sleeps")
      case "throws": throw Refusal(reason: "no")
      default: try await clock.sleep(for: .seconds(1))
      }
    }
    await store.dispatch("go")
    let found = await headlines {
      await store.receive(Job("cancelled", id: "x"))
      await store.receive("throws")
      await store.receive("sleeps", timeout: .milliseconds(5))
    }
    #expect(
      found == [
        "receive(cancelled): the action did not end by itself: cancelled cancelled.",
        "receive(throws): the action threw Refusal(reason: \"no\"), which is not handled.",
        "receive(sleeps): the action has not ended.",
      ])
    store.cancelAll()
  }

  @Test("T8 the changes of a queued action count from its start")
  func queued() async {
    let store = makeStore { job, store in
      if job == "go" {
        for _ in 0..<3 { store.send(Job("add", id: "x", .queue)) }
      } else {
        await farAway()
        store.count += 1
      }
    }
    await store.dispatch("go")
    for _ in 0..<3 {
      await store.receive(Job("add", id: "x", .queue)) { $0.count += 1 }
    }
  }

  @Test("T8 receive accepts a pattern")
  func pattern() async {
    let store = makeStore { job, store in
      if job == "go" { store.send("found 3") } else { store.title = job.text }
    }
    await store.dispatch("go")
    await store.receive(
      where: { $0.text.hasPrefix("found") }, expecting: { $0.title = "found 3" })
  }

  // MARK: - Hooks, tasks and objects

  @Test("T8 hook counts only what comes after its trigger")
  func postedBefore() async {
    let store = makeStore { job, store in store.title = job.text }
    input.post("early")
    let found = await headlines {
      await store.hook(OneHook.only, timeout: .milliseconds(5)) {
      } expecting: {
        $0.title = "early"
      }
    }
    #expect(
      found.only.hasPrefix("only: the hook has fired 1 × before, but not since; no other did."))
  }

  @Test("T8 a hook that the store does not have is a failure that says so")
  func unknownHook() async {
    let store = makeStore { _, _ in }
    let found = await headlines { await store.hook("only") {} }
    #expect(
      found == [
        "only: String is not the type of the store's hooks. They are only of OneHook."
      ])
  }

  @Test("T8 without hooks, the failure says that the subscription may have another signature")
  func misnamedSubscription() async {
    struct Misnamed: Interactor {
      func onAction(_ job: Job, store: MutatingStore<Desk, Job>) {}
      func subscriptions(for hook: OneHook, store: MutatingStore<Desk, Job>) -> Subscription {
        .empty
      }
    }
    let store = TestStore(state: Desk(), interactor: Misnamed())
    let found = await headlines { await store.hook(OneHook.only) {} }
    #expect(
      found == [
        "only: the store has no hooks. If the interactor has a `subscription`, it has another "
          + "signature than `subscription(for:store:)`."
      ])
  }

  @Test("T8 an expectation that changes an object that the states share is a failure")
  func objects() async {
    let store = TestStore<ObjectDesk, Job>(state: ObjectDesk(), actionable: Handling { _, _ in })
    let found = await headlines { await store.dispatch("go") { $0.object.number = 5 } }
    #expect(found.only.contains("the closure changes an object"))
  }
}

/// A state that refers to an object.
private struct ObjectDesk: Equatable {
  final class Object: Equatable {
    var number = 0
    static func == (l: Object, r: Object) -> Bool { l.number == r.number }
  }

  var object = Object()
}
