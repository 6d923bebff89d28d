import Signalbox
import SignalboxTesting
import Testing

/// Tests what `receive` waits for and asserts (T5).
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReceiveTests {
  private let desk = AssertedDesk()

  @Test("T5 receive waits for a later action and asserts only the change of that action")
  func receive() async {
    for exhaustive in [false, true] {
      let store = desk.makeStore(exhaustive: exhaustive)
      let found = await AssertedDesk.headlines {
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
    let store = desk.makeStore()
    await store.dispatch("chain")
    let found = await AssertedDesk.headlines {
      await store.receive("link", timeout: .seconds(60)) { $0.title = "other" }
    }
    #expect(found == ["receive(link): the state is not as expected."])
  }

  @Test("T5 receive skips actions that the test dispatched, and receives each action once")
  func receiveOnce() async {
    let store = desk.makeStore()
    await store.dispatch("a")
    desk.input.send("b")
    let found = await AssertedDesk.headlines {
      await store.receive("a", timeout: .zero)
      await store.receive("b", timeout: .zero)
      await store.receive("b", timeout: .zero)
    }
    #expect(
      found == [
        "a was not received; these were: b.",
        "b was received before, and was not received since; nothing was.",
      ])
  }

  /// Its hook has another signature than that of the requirement.
  private struct Deaf: Interactor {
    func onAction(_ action: Int, store: MutatingStore<Int, Int>) {}
    func subscription(for hook: String, store: MutatingStore<Int, Never>) -> Subscription { .empty }
  }

  @Test("T5 if nothing was received and the store has no hooks, the failure says it")
  func noHooks() async {
    let store = TestStore(state: 0, interactor: Deaf())
    let found = await AssertedDesk.headlines { await store.receive(1, timeout: .zero) }
    #expect(
      found == [
        """
        1 was not received; nothing was. And the store has no hooks. If the interactor has a \
        `subscription`, it has another signature than `subscription(for:store:)`.
        """
      ])
  }

  @Test("T5 an exhaustive store receives in order, and another store skips earlier actions")
  func order() async {
    for exhaustive in [false, true] {
      let store = desk.makeStore(exhaustive: exhaustive)
      desk.input.send("nothing")
      desk.input.send("a")
      let found = await AssertedDesk.headlines {
        await store.receive("a", timeout: .zero) {
          $0.title = "a"
          $0.log = ["a"]
        }
      }
      #expect(found == (exhaustive ? ["a was received, but first nothing must be asserted."] : []))
    }
  }

  @Test("T5 an action that is received after it ended is asserted by its own change")
  func receivedLate() async {
    let store = desk.makeStore()
    for text in ["a", "b", "c"] { desk.input.send(text) }
    let found = await AssertedDesk.headlines {
      await store.receive("a", including: { $0.title = "a" })
      await store.receive(
        where: { $0 == "b" },
        expecting: {
          $0.title = "b"
          $0.log = ["a", "b"]
        })
      await store.receive("c") { $0.title = "c" }
    }
    #expect(found == [AssertedDesk.more("receive(c)")])
  }

  @Test("T5 an action that an earlier receive skipped is said to be skipped, without a wait")
  func skipped() async {
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "go" {
          store.send("first")
          store.send("second")
        }
      })
    let found = await AssertedDesk.headlines {
      await store.dispatch("go")
      await store.receive("second")
      await store.receive("first", timeout: .seconds(3_600))
    }
    #expect(
      found == ["first was skipped by receive(second), and was not received since; nothing was."])
    await store.dispatch("go")
    await store.receive("first")
    store.expect(including: { _ in })
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
    let found = await AssertedDesk.headlines {
      await store.dispatch("outer") { $0.count = 2 }
      await store.receive("inner")
      await store.finish()
    }
    #expect(found.isEmpty)
  }
}
