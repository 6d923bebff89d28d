import Signalbox
import Testing

@testable import SignalboxTesting

/// Waits of a test that are no calls of the test kit.
@Suite(.timeLimit(.minutes(60))) @MainActor struct TestWaitTests {
  private let lookup = TestEndpoint<String, String>("lookup", heedsCancellation: false)

  private func makeStore(_ lookup: TestEndpoint<String, String>? = nil) -> DeskTest {
    let lookup = lookup ?? self.lookup
    return DeskTest(
      state: Desk(),
      actionable: Handling { job, store in store.title = try await lookup(job.text) })
  }

  @Test(
    "T13 the wait for a handle ends with a failure that names the work, at the call before it",
    arguments: ["value", "result", "settled"])
  func handles(_ way: String) async {
    let store = makeStore()
    var line = 0
    let found = await kitFailures {
      line = #line + 1
      let task = store.send("a")
      switch way {
      case "value": await task.value
      case "result": _ = await task.result
      default: await task.settled
      }
      // The work goes on.
      #expect(!task.isFinished)
    }
    #expect(found.map(\.line) == [line])
    let text = masked(found.first?.text ?? "")
    #expect(
      text.headline
        == "The test waits for a, which does not come: everything has been idle for one second.")
    #expect(text.section("In flight:").only.contains("waits for lookup(\"a\")"))
    await lookup.reply(with: "A")
    store.expect { $0.title = "A" }
  }

  private enum Asking: Transducer {
    typealias State = Desk
    typealias Output = Void

    static func update(
      _ state: inout Desk, event: String
    ) -> TransducerEffect<String, TestEndpoint<String, String>, Void>? {
      .run { _, lookup in _ = try await lookup(event) }
    }
  }

  @Test(
    "T13 the wait for what an action has started ends with a failure, also after the action",
    arguments: ["run", "sent", "cancelled", "event", "child"])
  func started(_ way: String) async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [lookup] job, store in
        switch job {
        case "sent": store.send("other")
        case "other": _ = try await lookup("a")
        default: store.run { _ in _ = try await lookup("a") }
        }
      })
    let asking = TestStore(state: Desk(), transducer: Asking.self, env: lookup)
    let manor = TestStore(state: ManorState(), interactor: ManorFeature())
    let found = await failures {
      let task =
        switch way {
        case "event": asking.send("a")
        case "child":
          manor.child(\.room, ManorRoom.self).send(
            ManorErrand(description: "errand") { [lookup] store in
              store.run { _ in _ = try await lookup("a") }
            })
        default: store.send(Job(way))
        }
      if way == "cancelled" { task.cancel() }
      #expect(task.isFinished)
      await task.settled
    }.only
    #expect(
      found.headline
        == "The test waits for work of the store, which does not come: everything has been idle "
        + "for one second.")
    #expect(found.section("In flight:").only.contains("waits for lookup(\"a\")"))
    await lookup.reply(with: "A")
  }

  @Test("T13 T3 work that waits for what other work has started is at rest")
  func startedForWork() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [lookup] job, store in
        if job == "a" {
          store.run { _ in _ = try await lookup("a") }
        } else {
          await store.send("a").settled
          store.title = "settled"
        }
      })
    store.send("b")
    let found = await failures {
      await store.settle()
      store.expect { $0.title = "settled" }
    }
    #expect(
      masked(found.only).section("In flight:").contains {
        $0.hasPrefix("b, ") && $0.hasSuffix("waits for a")
      }, "\(found)")
    await lookup.reply(with: "A")
    #expect(store.title == "settled")
  }

  @Test("T13 the wait for a value of the state ends with a failure")
  func first() async {
    let store = makeStore()
    store.send("a")
    let found = await failures {
      let title = await store.publisher.title.map { $0 }.first()
      #expect(title == nil)
    }.only
    #expect(found.hasPrefix("The test waits for a value of the state, which does not come"))
    await lookup.reply(with: "A")
  }

  private static let doubled = Derived<Desk, Int> { desk in desk.count * 2 }

  @Test("T13 V3 so does the wait for a derived value")
  func firstDerived() async {
    let store = makeStore()
    let found = await failures {
      #expect(await store.publisher[Self.doubled].first() == nil)
    }.only
    #expect(found.hasPrefix("The test waits for a value of the state, which does not come"))
  }

  @Test("T13 a wait that a call of the kit answers is no failure")
  func answered() async {
    let store = makeStore()
    let found = await failures {
      let title = Task.atOnce { await store.publisher.title.first() }
      let value = Task.atOnce { await store.send("a").value }
      await lookup.reply(with: "A")
      await value.value
      #expect(await title.value == "A")
    }
    #expect(found.isEmpty)
  }

  @Test("T13 in an exploration, such a wait is a failure of the order", arguments: [true, false])
  func exploration(isOver: Bool) async {
    let found = await failures {
      await explore { world in
        let load = world.endpoint("load") { (text: String) in text }
        let store = DeskTest(
          state: Desk(),
          actionable: Handling { _, store in
            let run = store.run { _ in _ = try await load("a") }
            if !isOver { await run.value }
          })
        await store.send("a").settled
        await world.run()
      }
    }.only
    #expect(
      found.contains(
        """
        The test waits for \(isOver ? "work of the store" : "a"), which does not come: only run() \
        answers and moves the clock.
        """), "\(found)")
  }

  @Test("T10 a late answer to a cancelled call returns when the body has run on")
  func lateAnswer() async {
    var steps: [String] = []
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { [lookup] job, store in
        let text = try await lookup(job.text)
        for _ in 0..<10 { await farAway() }
        steps.append(text)
        store.title = text
      }, exhaustive: true)
    store.send("a")
    store.cancelAll()
    await lookup.reply(with: "late")
    #expect(steps == ["late"])
    store.expectDropped(1)
    await store.finish()
  }

  @Test("T8 an exhaustive store that is released while a hook holds back a value fails")
  func heldAtRelease() async {
    let clock = TestClock()
    let found = await failures {
      let store = HeldStore.make(clock)
      store.state = "a"
      store.expect { _ in }
    }.only
    #expect(found.contains("still running: the value that hook typed holds back"), "\(found)")
  }

  @Test("T4 work that was woken and has not run yet is about to run")
  func runnable() async {
    let heeding = TestEndpoint<String, String>("lookup")
    let store = makeStore(heeding)
    store.send("a")
    let found = failuresNow {
      store.cancelAll()
      store.expect { $0.title = "A" }
    }
    #expect(
      masked(found).section("In flight:").only.hasSuffix(
        "cancelled, but its body has not returned; is about to run"), "\(found)")
    await store.settle(includingCancelled: true)
  }

  private func failuresNow(_ body: () -> Void) -> String {
    var found = ""
    CallSite.$failureHandler.withValue(FailureHandler { text, _ in found += text }) { body() }
    return found
  }
}

private enum HeldStore {
  enum Hook: CaseIterable { case typed }

  struct Typing: Hookable {
    let clock: TestClock
    func subscription(for hook: Hook, store: MutatingStore<String, Never>) -> Subscription {
      store.publisher.debounce(for: .seconds(1), clock: clock).sink { _ in }
    }
  }

  @MainActor static func make(_ clock: TestClock) -> TestStore<String, Never> {
    TestStore(state: "", hookable: Typing(clock: clock), exhaustive: true)
  }
}
