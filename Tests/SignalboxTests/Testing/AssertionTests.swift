import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct AssertionTests {
  private let desk = AssertedDesk()

  @Test("T5 a closure is exact, including: asserts what it changes, and no closure asserts nothing")
  func exact() async {
    let store = desk.makeStore()
    let found = await AssertedDesk.headlines {
      await store.dispatch("a") {
        $0.title = "a"
        $0.log = ["a"]
      }
      await store.dispatch("b", including: { $0.log = ["a", "b"] })
      await store.dispatch("c")
      await store.dispatch("nothing")
      await store.dispatch("nothing") { _ in }
      await store.finish()
    }
    #expect(found.isEmpty)
    let wrong = await AssertedDesk.headlines {
      await store.dispatch("d") { $0.title = "d" }
      await store.dispatch("e") { _ in }
      await store.dispatch("f", including: { $0.log = ["f"] })
    }
    #expect(
      wrong == [
        AssertedDesk.more("dispatch(d)"), "dispatch(e): changed although nothing was expected.",
        "dispatch(f): the state is not as expected.",
      ])
  }

  @Test("T5 a closure runs once, on the state before")
  func once() async {
    let store = desk.makeStore()
    var runs: [Desk] = []
    await store.dispatch("a") {
      runs.append($0)
      $0.title = "a"
      $0.log.append("a")
    }
    await store.dispatch("b", including: { runs.append($0) })
    #expect(runs == [Desk(), Desk(log: ["a"], title: "a")])
  }

  @Test("T5 expecting: and including: at once are refused")
  func both() async {
    let store = desk.makeStore()
    let found = await AssertedDesk.headlines {
      await store.dispatch("nothing", expecting: { _ in }, including: { _ in })
    }
    #expect(found == ["dispatch(nothing): takes one closure, expecting: or including:."])
  }

  @Test(
    "T5 what other work changes until the action has ended counts, and what comes later does not")
  func meanwhile() async {
    let lookup = TestEndpoint<String, String>("lookup")
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        let text = try await lookup(job.text)
        store.log.append(text)
      })
    async let slow: Void = store.dispatch("slow", timeout: .seconds(60)) {
      $0.log = ["other", "slow"]
    }
    await lookup.next(timeout: .seconds(60))
    store.send("other")
    await lookup.reply(to: "other", with: "other")
    await lookup.reply(to: "slow", with: "slow")
    await slow
    let leaving = desk.makeStore()
    await leaving.dispatch("chain") { $0.count = 1 }
    await leaving.receive("link", timeout: .seconds(60)) {
      $0.title = "link"
      $0.log = ["link"]
    }
  }

  @Test("T5 each change that the closure makes must be found")
  func each() async {
    let store = desk.makeStore()
    let texts = await failures {
      await store.dispatch("a") {
        $0.title = "a"
        $0.count = 1
        $0.log = ["x"]
      }
    }
    #expect(
      texts.only.section("Difference:") == [
        #"log[0]: expected "x", is "a""#, "count: expected 1, is 0",
      ])
  }

  @Test("T5 a change that was made before the dispatch does not count for it")
  func before() async {
    let store = desk.makeStore(Desk(title: "a"))
    let found = await AssertedDesk.headlines {
      await store.dispatch("a", including: { $0.title = "a" })
    }
    #expect(found.isEmpty, "title is as it was, and the closure changes nothing")
    let missing = await AssertedDesk.headlines {
      await store.dispatch("nothing") { $0.title = "b" }
    }
    #expect(missing == ["dispatch(nothing): nothing changed."])
  }

  @Test("T5 in an exhaustive store, what is not asserted stays to be asserted")
  func exhaustive() async {
    let store = desk.makeStore(exhaustive: true)
    let found = await AssertedDesk.headlines {
      await store.dispatch("a") { $0.title = "a" }
      await store.dispatch("b")
      await store.dispatch("c") { $0.title = "c" }
      await store.dispatch("d")
      store.expect {
        $0.title = "d"
        $0.log.append("d")
      }
      await store.dispatch("e", including: { $0.title = "e" })
      await store.dispatch("nothing") { $0.log.append("e") }
      await store.dispatch("nothing") { _ in }
      await store.dispatch("f", including: { $0.title = "f" })
      await store.finish()
    }
    #expect(
      found == [
        AssertedDesk.more("dispatch(a)"), AssertedDesk.more("dispatch(c)"),
        "finish(): changed although nothing was expected.",
      ])
  }

  @Test("T5 an earlier action is received after a part of the state was asserted")
  func partBeforeReceive() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "inner" {
          store.title = "inner"
        } else {
          store.send("inner")
          store.count = 2
        }
      }, exhaustive: true)
    let found = await AssertedDesk.headlines {
      await store.dispatch("outer", including: { $0.count = 2 })
      await store.receive("inner") { $0.title = "inner" }
      await store.finish()
    }
    #expect(found.isEmpty)
  }

  @Test("T5 changes that the test makes need no assertion, but what follows from them does")
  func arranged() async {
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in store.publisher.title.sink { store.log.append($0) } }),
      exhaustive: true)
    store.count = 3
    store.state.count += 1
    await store.finish()
    store.title = "a"
    let found = await AssertedDesk.headlines {
      store.expect { _ in }
      store.title = "b"
      store.expect { $0.log = ["a", "b"] }
      await store.finish()
    }
    #expect(found == ["expect: changed although nothing was expected."])
  }

  @Test("T5 the closure of hook is exact, and including: asserts what it changes")
  func hook() async {
    for exhaustive in [false, true] {
      let store = desk.makeStore(exhaustive: exhaustive)
      let found = await AssertedDesk.headlines {
        await store.hook(OneHook.only) {
          desk.input.send("a")
        } expecting: {
          $0.title = "a"
          $0.log = ["a"]
        }
        await store.receive("a")
        await store.hook(OneHook.only) {
          desk.input.send("b")
        } expecting: {
          $0.title = "b"
        }
        await store.hook(OneHook.only) {
          desk.input.send("c")
        } including: {
          $0.title = "c"
        }
      }
      #expect(found == [AssertedDesk.more("only")])
    }
  }

  @Test("T5 expect asserts what has changed since the last assertion")
  func expects() async {
    let store = desk.makeStore(exhaustive: true)
    let found = await AssertedDesk.headlines {
      desk.input.send("a")
      store.expect {
        $0.title = "a"
        $0.log = ["a"]
      }
      store.expect { _ in }
      desk.input.send("b")
      store.expect(including: { $0.title = "b" })
      store.expect { $0.log.append("b") }
      desk.input.send("c")
      store.expect { $0.title = "c" }
      desk.input.send("nothing")
      store.expect { $0.title = "d" }
    }
    #expect(found == [AssertedDesk.more("expect"), "expect: nothing changed."])
  }
}
