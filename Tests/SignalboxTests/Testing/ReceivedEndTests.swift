import Signalbox
import SignalboxTesting
import Testing

/// Tests which changes belong to an action that the test receives, and how it ended.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReceivedEndTests {
  private struct Page: Equatable {
    var count = 0
    var isLoading = false
    var notice = ""
    var query = "" { didSet {} }
  }

  private struct Loading: Interactor {
    enum Hook: CaseIterable { case typed, queried }
    let typed: Emitter<String>
    let lookup: TestEndpoint<String, Int>

    func onAction(_ job: Job, store: MutatingStore<Page, Job>) async throws {
      switch job.text {
      case "start": store.send(Job("inner"))
      case "start failing": store.send(Job("failing"))
      case "failing":
        store.count = 1
        throw Refusal(reason: "no")
      case "inner":
        store.mark(\.isLoading)
        store.count = try await lookup("inner")
      default: store.count = try await lookup(job.text)
      }
    }

    func onError(_ error: any Error, action: Job, store: MutatingStore<Page, Job>) {
      store.notice = "failed"
    }

    func subscription(for hook: Hook, store: MutatingStore<Page, Job>) -> Subscription {
      switch hook {
      case .typed: typed.assign(toAction: { Job($0, id: "search", .latest) }, using: store)
      case .queried: store.publisher.query.sink { _ in store.count += 1 }
      }
    }
  }

  private let typed = Emitter<String>()
  private let lookup = TestEndpoint<String, Int>("lookup")

  private func makeStore(exhaustive: Bool = true) -> TestStore<Page, Job> {
    TestStore(
      state: Page(), interactor: Loading(typed: typed, lookup: lookup), exhaustive: exhaustive)
  }

  @Test("T5 what onError writes belongs to the action that threw", arguments: [true, false])
  func errors(exhaustive: Bool) async {
    let store = makeStore(exhaustive: exhaustive)
    store.send("start failing")
    await store.receive("failing") {
      $0.count = 1
      $0.notice = "failed"
    }
    await store.finish()
  }

  @Test("T5 the removal of marks belongs to the action that made them", arguments: [true, false])
  func marks(exhaustive: Bool) async {
    let store = makeStore(exhaustive: exhaustive)
    store.send("start")
    await lookup.reply(with: 3)
    let found = await failures {
      await store.receive("inner") {
        $0.count = 3
        $0.isLoading = false
      }
    }
    #expect(found.map(\.headline) == [])
    await store.finish()
  }

  @Test("T8 an action of a hook that was superseded is asserted with receiveCancelled")
  func superseded() async {
    let store = makeStore()
    typed.send("a")
    typed.send("ab")
    await lookup.reply(to: "ab", with: 2)
    await store.receiveCancelled(Job("a", id: "search", .latest))
    await store.receive(Job("ab", id: "search", .latest)) { $0.count = 2 }
    await store.finish()
  }

  @Test("T8 receiveCancelled fails for an action that ended by itself")
  func endedByItself() async {
    let store = makeStore(exhaustive: false)
    typed.send("a")
    await lookup.reply(with: 2)
    let found = await failures { await store.receiveCancelled(Job("a", id: "search", .latest)) }
    #expect(
      found.map(\.headline) == [
        "receiveCancelled(a): the action was not cancelled. It ended by itself."
      ])
  }

  @Test("T5 what the test writes in a trigger needs no assertion", arguments: [true, false])
  func arrangedInTrigger(exhaustive: Bool) async {
    let store = makeStore(exhaustive: exhaustive)
    await store.hook(Loading.Hook.queried) {
      store.query = "computed, because it has an observer"
      store.notice = "stored"
    } expecting: {
      $0.count = 1
    }
    await store.finish()
  }

  @Test("T8 after a write to an observed property, what hooks do must be asserted")
  func arranged() async {
    let store = makeStore()
    store.query = "x"
    let found = await failures { await store.finish() }
    #expect(found.count == 1)
    let plain = makeStore(exhaustive: false)
    plain.query = "x"
    plain.expect { $0.count += 1 }
    await plain.finish()
  }

  @Test(
    "T5 what a closure writes after the end of the action that made it does not belong to the action",
    arguments: [true, false])
  func closures(exhaustive: Bool) async {
    var write: (@MainActor () -> Void)?
    let connecting = Handling<Page, Job> { job, store in
      if job == "start" {
        store.send("connect")
      } else {
        store.isLoading = true
        write = { store.count = 5 }
      }
    }
    let store = TestStore(state: Page(), actionable: connecting, exhaustive: exhaustive)
    store.send("start")
    write?()
    await store.receive("connect") { $0.isLoading = true }
    store.expect { $0.count = 5 }
    await store.finish()
  }

  @Test("T5 T8 an action of a hook that connects first is received before what later hooks change")
  func connecting() async {
    func makeStore() -> DeskTest {
      TestStore(
        state: Desk(),
        interactor: Hooking<Desk, Job, ThreeHooks>(
          connect: { hook, store in
            switch hook {
            case .first: store.send("load")
            case .second: store.title = "later"
            case .third: break
            }
            return .empty
          }, handle: { _, store in store.count = 1 }), exhaustive: true)
    }
    let store = makeStore()
    await store.receive("load") { $0.count = 1 }
    store.expect { _ in }
    await store.finish()
    let wrong = makeStore()
    let found = await failures { await wrong.receive("load") { $0.title = "" } }
    #expect(found.only.section("Difference:") == ["title: expected \"\", is \"later\""])
  }
}
