import Signalbox
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct AssertionTests {
  private let input = Emitter<String>()

  /// Writes the title and the log, and dispatches a follow-up action after a hop.
  private func makeStore(exhaustive: Bool = false, _ state: Desk = Desk()) -> DeskTest {
    DeskTest(
      state: state,
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.assign(toAction: { Job($0) }, using: store) },
        handle: { job, store in
          switch job.text {
          case "nothing": break
          case "chain":
            store.count += 1
            store.run { store in
              await farAway()
              store.send("link")
            }
          default:
            store.title = job.text
            store.log.append(job.text)
          }
        }), exhaustive: exhaustive)
  }

  private func headlines(_ body: @MainActor () async -> Void) async -> [String] {
    await failures(of: body).map(\.headline)
  }

  @Test("T5 dispatch requires the changes of its closure and leaves the rest free")
  func free() async {
    let store = makeStore()
    let found = await headlines {
      await store.dispatch("a") { $0.title = "a" }
      await store.dispatch("b") { $0.log = ["a", "b"] }
      await store.dispatch("c")
      await store.dispatch("nothing")
      await store.dispatch("nothing") { _ in }
      await store.finish()
    }
    #expect(found.isEmpty)
  }

  @Test("T5 each change that the closure makes must be found")
  func each() async {
    let store = makeStore()
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
    let store = makeStore(Desk(title: "a"))
    let found = await headlines { await store.dispatch("a") { $0.title = "a" } }
    #expect(found.isEmpty, "title is as it was, and the closure changes nothing")
    let missing = await headlines { await store.dispatch("nothing") { $0.title = "b" } }
    #expect(missing == ["dispatch(nothing): nothing changed."])
  }

  @Test("T5 in an exhaustive store nothing else may change")
  func exhaustive() async {
    let store = makeStore(exhaustive: true)
    let found = await headlines {
      await store.dispatch("a") { $0.title = "a" }
      await store.dispatch("b")
      await store.dispatch("c") {
        $0.title = "c"
        $0.log.append("c")
      }
      await store.dispatch("nothing")
      await store.finish()
    }
    #expect(
      found == [
        "dispatch(a): the state is not as expected.",
        "dispatch(b): changed although nothing was expected.",
      ])
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
    let found = await headlines {
      store.expect { _ in }
      store.title = "b"
      store.expect { $0.log = ["a", "b"] }
      await store.finish()
    }
    #expect(found == ["expect: changed although nothing was expected."])
  }

  @Test("T5 hook requires the change, and in an exhaustive store no other")
  func hook() async {
    for exhaustive in [false, true] {
      let store = makeStore(exhaustive: exhaustive)
      let found = await headlines {
        await store.hook(OneHook.only) {
          input.send("a")
        } expecting: {
          $0.title = "a"
          $0.log = ["a"]
        }
        await store.receive("a")
        await store.hook(OneHook.only) {
          input.send("b")
        } expecting: {
          $0.title = "b"
        }
        await store.hook(OneHook.only) { input.send("nothing") }
      }
      #expect(found == (exhaustive ? ["only: the state is not as expected."] : []))
    }
  }

  @Test("T5 receive waits for a later action and asserts only the change of that action")
  func receive() async {
    for exhaustive in [false, true] {
      let store = makeStore(exhaustive: exhaustive)
      let found = await headlines {
        await store.dispatch("chain") { $0.count = 1 }
        await store.receive("link", timeout: .seconds(60)) {
          $0.title = "link"
          $0.log = ["link"]
        }
        await store.finish()
      }
      #expect(found.isEmpty)
    }
  }

  @Test("T5 receive of an action with a different change fails")
  func receiveOther() async {
    let store = makeStore()
    await store.dispatch("chain")
    let found = await headlines {
      await store.receive("link", timeout: .seconds(60)) { $0.title = "other" }
    }
    #expect(found == ["receive(link): the state is not as expected."])
  }

  @Test("T5 receive skips actions that the test dispatched, and receives each action once")
  func receiveOnce() async {
    let store = makeStore()
    await store.dispatch("a")
    input.send("b")
    let found = await headlines {
      await store.receive("a", timeout: .zero)
      await store.receive("b", timeout: .zero)
      await store.receive("b", timeout: .zero)
    }
    #expect(
      found == [
        "a was not received; these were: b.", "b was not received; nothing was.",
      ])
  }

  @Test("T5 an exhaustive store receives in order, and another store skips earlier actions")
  func order() async {
    for exhaustive in [false, true] {
      let store = makeStore(exhaustive: exhaustive)
      input.send("nothing")
      input.send("a")
      let found = await headlines {
        await store.receive("a", timeout: .zero) {
          $0.title = "a"
          $0.log = ["a"]
        }
      }
      #expect(found == (exhaustive ? ["a was not received; these were: nothing, a."] : []))
    }
  }

  @Test("T5 an action that is received after it ended is asserted by its own change")
  func receivedLate() async {
    let store = makeStore()
    for text in ["a", "b", "c"] { input.send(text) }
    let found = await headlines {
      await store.receive("a") { $0.title = "a" }
      await store.receive("b") { $0.title = "b" }
      await store.receive("c") {
        $0.title = "c"
        $0.log = ["a", "b", "c"]
      }
    }
    #expect(found.isEmpty)
  }

  @Test("T5 in an exhaustive store, an action whose change is already asserted needs no other")
  func covered() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "inner" {
          store.count = 1
        } else {
          store.send("inner")
          store.count = 2
        }
      }, exhaustive: true)
    let found = await headlines {
      await store.dispatch("outer") { $0.count = 2 }
      await store.receive("inner")
      await store.finish()
    }
    #expect(found.isEmpty)
  }

  @Test("T5 expect asserts what has changed since the last assertion")
  func expects() async {
    let store = makeStore(exhaustive: true)
    let found = await headlines {
      input.send("a")
      store.expect {
        $0.title = "a"
        $0.log = ["a"]
      }
      store.expect { _ in }
      input.send("b")
      store.expect { $0.title = "b" }
      input.send("nothing")
      store.expect { $0.title = "c" }
    }
    #expect(
      found == ["expect: the state is not as expected.", "expect: nothing changed."])
  }
}
