import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct TestEndpointTests {
  private func makeStore(_ lookup: TestEndpoint<String, String>) -> DeskTest {
    DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        do {
          store.log.append(try await lookup(job.text))
        } catch {
          store.title = "\(error)"
        }
      })
  }

  @Test("T10 a call waits until the test answers, and the stores have settled after the answer")
  func reply() async {
    let lookup = TestEndpoint<String, String>("lookup")
    let store = makeStore(lookup)
    store.send("a")
    store.send("b")
    await store.settle(timeout: .zero)
    #expect(lookup.pending == ["a", "b"])
    await lookup.reply(to: "b", with: "B")
    store.expect { $0.log = ["B"] }
    await lookup.reply(with: "A")
    store.expect { $0.log = ["B", "A"] }
    #expect(lookup.pending.isEmpty)
  }

  @Test("T10 a call can be answered with an error")
  func fail() async {
    let lookup = TestEndpoint<String, String>()
    let store = makeStore(lookup)
    store.send("a")
    store.send("b")
    await lookup.fail("b", with: Refusal(reason: "b"))
    #expect(store.title == "Refusal(reason: \"b\")")
    await lookup.fail(with: Refusal(reason: "a"))
    #expect(store.title == "Refusal(reason: \"a\")")
  }

  @Test("T10 an answer goes to the oldest call")
  func oldest() async {
    let lookup = TestEndpoint<String, String>()
    let store = makeStore(lookup)
    for text in ["a", "b", "c"] { store.send(Job(text)) }
    await lookup.reply(with: "A")
    #expect(lookup.pending == ["b", "c"])
    await lookup.fail(with: Refusal())
    #expect(lookup.pending == ["c"])
    await lookup.reply(with: "C")
  }

  @Test("T10 an answer without a pending call is a failure at the caller's line")
  func nothingPending() async {
    let lookup = TestEndpoint<String, String>("lookup")
    let store = makeStore(lookup)
    store.send("a")
    let line = #line + 2
    let failures = await kitFailures {
      await lookup.reply(to: "x", with: "X")
      await lookup.reply(with: "A")
      await lookup.reply(with: "A")
    }
    #expect(failures.map(\.line) == [line, line + 2])
    #expect(
      failures.map(\.text) == [
        "lookup: reply(to: \"x\"): these are pending: \"a\".",
        "lookup: reply(with:): no call is pending.",
      ])
  }

  @Test("T10 an answer without a pending call doubts a clock that nothing has used")
  func answerWithUnusedClock() async {
    let (clock, lookup) = (TestClock(), TestEndpoint<String, String>("lookup"))
    let store = makeStore(lookup)
    await clock.advance(by: .seconds(1))
    let failures = await kitFailures { await lookup.reply(with: "A") }
    #expect(
      failures.first?.text.hasPrefix(
        "lookup: reply(with:): no call is pending. Nothing has ever slept on the test clock")
        == true)
    withExtendedLifetime(store) {}
  }

  @Test(
    "T10 a cancelled call throws at once if the endpoint heeds cancellation, and stays otherwise")
  func cancellation() async {
    for heeds in [true, false] {
      let lookup = TestEndpoint<String, String>("lookup", heedsCancellation: heeds)
      let store = makeStore(lookup)
      store.send("a")
      store.cancelAll()
      #expect(lookup.pending == (heeds ? [] : ["a"]))
      if !heeds {
        await lookup.reply(with: "late")
        #expect(store.log.isEmpty)
      }
      await store.settle(includingCancelled: true)
    }
  }

  @Test("T10 next waits for a call and leaves it pending")
  func next() async {
    let lookup = TestEndpoint<String, String>("lookup")
    let store = makeStore(lookup)
    let next = Task.atOnce { await lookup.next(timeout: .seconds(600)) }
    store.send("a")
    #expect(await next.value == "a")
    #expect(lookup.pending == ["a"])
    await lookup.reply(with: "A")
    let text = await failures { await lookup.next(timeout: .milliseconds(5)) }.only
    #expect(text == "lookup: waited 0.005 seconds, and no call came.")
  }

  @Test("T10 a failure lists a pending call by name and request")
  func listed() async {
    let lookup = TestEndpoint<String, String>("lookup")
    let store = makeStore(lookup)
    let text = await failures {
      await store.dispatch("a", timeout: .milliseconds(5)) { $0.count = 1 }
    }.only
    #expect(text.headline == "a has not ended: it waits at an endpoint, which has not answered.")
    #expect(text.section("In flight:").only.hasSuffix("waits for lookup(\"a\")"))
    store.cancelAll()
  }

  @Test("T3 nextSleep waits until something sleeps on the clock")
  func nextSleep() async {
    let clock = TestClock()
    let sleep = Task.atOnce { await clock.nextSleep(timeout: .seconds(600)) }
    let sleeper = Task.detached { try await clock.sleep(for: .seconds(3)) }
    #expect(await sleep.value?.offset == .seconds(3))
    sleeper.cancel()
    _ = await sleeper.result
    let text = await failures { await clock.nextSleep(timeout: .milliseconds(5)) }.only
    #expect(text.hasPrefix("nextSleep() waited 0.005 seconds, and nothing went to sleep"))
  }

  @Test("T11 a failure names a clock that was advanced and on which nothing has slept")
  func unusedClock() async {
    let clock = TestClock()
    let store = makeStore(TestEndpoint())
    await clock.advance(by: .seconds(1))
    let text = await failures { store.expect { $0.count = 1 } }.only
    #expect(
      text.section("Note:") == [
        "Nothing has ever slept on the test clock that the test advanced to 1.0 seconds. Does the "
          + "code under test use it?"
      ])
  }
}
