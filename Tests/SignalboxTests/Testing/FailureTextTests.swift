import Signalbox
import SignalboxTesting
import Synchronization
import Testing

/// Tests the complete texts of the most frequent failures.
@Suite(.timeLimit(.minutes(60))) @MainActor struct FailureTextTests {
  private let clock = TestClock()
  private let input = Emitter<String>()

  private func makeStore(
    exhaustive: Bool = false,
    _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
  ) -> DeskTest {
    DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in
          input.sink {
            store.title = $0
            if $0 != "silent" { store.dispatch(Job($0)) }
          }
        }, handle: handle), exhaustive: exhaustive)
  }

  @Test("T4 a failure shows an expected change that did not happen")
  func nothingChanged() async {
    let store = makeStore { _, _ in }
    let text = await failures {
      await store.dispatch("go") { $0.count = 1 }
    }.only
    #expect(
      text == """
        dispatch(go): nothing changed.
        Difference:
          count: expected 1, is 0
        Last events:
          dispatched go
          finished go after … ms
        """)
  }

  @Test("T4 a failure shows an unexpected change")
  func surplus() async {
    let store = makeStore(exhaustive: true) { _, store in
      store.count = 1
      store.log = ["a"]
    }
    let text = await failures { await store.dispatch("go") { _ in } }.only
    #expect(
      text == """
        dispatch(go): changed although nothing was expected.
        Difference:
          log: [] → ["a"]
          count: 0 → 1
        Last events:
          dispatched go
          count: 0 → 1  ← go
          log: [] → ["a"]  ← go
          finished go after … ms
        Write instead:
          $0.log = ["a"]
          $0.count = 1
        """)
  }

  @Test("T4 a failure shows a value that differs from the expected one")
  func wrong() async {
    let store = makeStore { job, store in store.title = job.text }
    let text = await failures {
      await store.dispatch("stop") { $0.title = "go" }
    }.only
    #expect(
      text == """
        dispatch(stop): the state is not as expected.
        Difference:
          title: expected "go", is "stop"
        Last events:
          dispatched stop
          title: "" → "stop"  ← stop
          finished stop after … ms
        Write instead:
          $0.title = "stop"
        """)
  }

  @Test("T4 a failure shows what a hook changed instead, with the causes of what followed")
  func causes() async {
    let store = makeStore { job, store in
      store.run(id: "count") { $0.count = 3 }
      throw Refusal(reason: job.text)
    }
    let text = await failures {
      await store.hook(OneHook.only) {
        input.send("a")
      } expecting: {
        $0.count = 2
      }
    }.only
    #expect(
      text == """
        only: the state is not as expected.
        Difference:
          count: expected 2, is 3
          title: expected "", is "a"
        Last events:
          hook only received "a"
          title: "" → "a"  ← hook only
          dispatched a  ← hook only
          run "count"  ← a
          count: 0 → 3  ← a
          finished run "count" after … ms  ← a
          failed a: Refusal(reason: "a")
          unhandled error: Refusal(reason: "a")  ← a
        Write instead:
          $0.count = 3
          $0.title = "a"
        """)
    store.expectError()
  }

  @Test("T4 a failure shows work that sleeps when an exhaustive test ends")
  func asleep() async {
    let store = makeStore(exhaustive: true) { [clock] _, _ in
      try await clock.sleep(for: .seconds(1))
    }
    store.send("go")
    let text = await failures { await store.finish() }.only
    #expect(
      text == """
        finish(): still running at the end: go.
        Last events:
          dispatched go
        In flight:
          go, sent at FailureTextTests.swift:…, for … ms, sleeps until 1.0 seconds on a test clock that shows 0.0 seconds
        Write instead:
          await clock.run()  // or store.cancelAll()
        """)
    store.cancelAll()
  }

  @Test("T4 a failure shows work that hangs")
  func hangs() async {
    let gate = StoreGate()
    let store = makeStore { job, store in
      if job.text == "hang" { try await gate.pass("never") }
      if job == "go" { await store.dispatch(Job("hang", id: "x")) }
    }
    store.send("go")
    let text = await failures { await store.finish(timeout: .milliseconds(5)) }.only
    #expect(
      text == """
        finish(): still running at the end: hang. Waited for 0.005 seconds.
        Last events:
          dispatched go
          dispatched hang  ← go
        In flight:
          hang, named "x" (latest), started by go, for … ms, waits for something that the test kit cannot see
          go, sent at FailureTextTests.swift:…, for … ms, waits for hang
        """)
    store.cancelAll()
    gate.open("never")
  }

  @Test("T4 a failure shows a hook that never fired")
  func neverFired() async {
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(connect: { [input] hook, store in
        switch hook {
        case .first: input.sink { store.title = $0 }
        case .second: input.map(\.count).sink { _ in }
        case .third: input.filter { $0 == "b" }.sink { _ in }
        }
      }))
    let text = await failures {
      await store.hook(ThreeHooks.third, timeout: .zero) { input.send("a") }
    }.only
    #expect(
      text == """
        third: the hook never fired; these did: first, second. Waited for 0.0 seconds.
        Last events:
          hook first received "a"
          title: "" → "a"  ← hook first
          hook second received 1
        """)
  }

  @Test("T4 a failure shows an action that was not received, and others that were")
  func notReceived() async {
    let store = makeStore { job, store in
      if job == "go" { store.send("other") }
    }
    store.send("go")
    let text = await failures {
      await store.receive("missing", timeout: .zero)
    }.only
    #expect(
      text == """
        missing was not received; these were: other.
        Last events:
          dispatched go
          dispatched other  ← go
          finished other after … ms
          finished go after … ms
        Write instead:
          await store.receive(Job(text: "other", id: nil, overlap: .latest))
        """)
    let none = makeStore { _, _ in }
    let nothing = await failures { await none.receive("missing", timeout: .zero) }.only
    #expect(nothing == "missing was not received; nothing was.")
  }

  @Test("T4 the dropped writes of a stale writer are among the events of a failure")
  func drops() async {
    let gate = StoreGate()
    let end = StoreMoment()
    let store = makeStore { job, store in
      if job == Job("old", id: "x") { try await gate.pass("door") }
      store.title = job.text
      if job == Job("old", id: "x") { end.happen() }
    }
    store.send(Job("old", id: "x"))
    store.send(Job("new", id: "x"))
    gate.open("door")
    await end.arrival
    await store.settle(includingCancelled: true)
    let text = await failures { store.expect { $0.title = "old" } }.only
    #expect(
      text == """
        expect: the state is not as expected.
        Difference:
          title: expected "old", is "new"
        Last events:
          dispatched old
          dispatched new
          superseded old by new
          title: "" → "new"  ← new
          finished new after … ms
          dropped change title: "" → "old"  ← old
        Write instead:
          $0.title = "new"
        """)
  }

  /// Counts how often its parts are read.
  private struct Read: Equatable, CustomReflectable {
    static let reads = Atomic(0)
    var count = 0

    var customMirror: Mirror {
      Self.reads.add(1, ordering: .relaxed)
      return Mirror(self, children: ["count": count])
    }
  }

  @Test("T4 D4 a state is searched once for what is redacted, however many failures show a hook")
  func searchedOnce() async {
    let store = TestStore(
      state: Read(),
      interactor: Hooking<Read, Int, OneHook>(
        connect: { _, store in store.publisher.count.sink { _ in } },
        handle: { count, store in store.count = count }))
    for count in 1...100 { store.send(count) }
    func readsOfFailure() async -> Int {
      let before = Read.reads.load(ordering: .relaxed)
      let text = await failures { store.expect { $0.count = 0 } }.only
      #expect(text.contains("hook only received 100"))
      return Read.reads.load(ordering: .relaxed) - before
    }
    let first = await readsOfFailure()
    #expect(await readsOfFailure() <= first - 100)
  }
}
