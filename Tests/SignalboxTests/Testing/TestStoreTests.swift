import Signalbox
import SignalboxTesting
import Testing

enum ChatHook: CaseIterable { case received, announced, silent }

/// Hooks with values from outside and from the state, and actions that wait.
@MainActor private struct Chat: Interactor {
  let incoming = Emitter<String>()
  let gate = StoreGate()
  var waits = false

  func onAction(_ action: Job, store: DeskHandle) async throws {
    if waits { try await gate.pass(action.text) }
    store.log.append(action.text)
  }

  func subscription(for hook: ChatHook, store: DeskHandle) -> Subscription {
    switch hook {
    case .received: incoming.sink { store.title = $0 }
    case .announced: store.publisher.title.assign(toAction: { Job($0, id: "x") }, using: store)
    case .silent: Emitter<Int>().sink { _ in }
    }
  }
}

@MainActor struct TestStoreTests {
  @Test("T1 a test store records every commit, action and hook value once, in order")
  func records() async {
    let chat = Chat()
    let store = TestStore(state: Desk(), interactor: chat)
    await store.dispatch("hello")
    chat.incoming.send("a")
    chat.incoming.send("a")
    #expect(store.triggeredActions == ["hello", Job("a", id: "x")])
    #expect(store.firedHooks == ["received", "announced", "received"])
    #expect(
      store.stateUpdates == [
        Desk(log: ["hello"]), Desk(log: ["hello"], title: "a"),
        Desk(log: ["hello", "a"], title: "a"),
      ])
    #expect(store.didTrigger("hello") && !store.didTrigger("bye"))
    #expect(store.log == ["hello", "a"])
  }

  @Test("T1 what hooks do while they are connected is recorded")
  func recordsFromTheStart() {
    let store = TestStore(
      state: Desk(count: 2),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in
          store.publisher.count.includingCurrent().assign(toAction: { Job("\($0)") }, using: store)
        }, handle: { job, store in store.title = job.text }))
    #expect(store.firedHooks == ["only"])
    #expect(store.triggeredActions == ["2"])
    #expect(store.stateUpdates == [Desk(count: 2, title: "2")])
  }

  @Test("T1 changing the state of a test store fires its hooks")
  func arranging() async {
    let store = TestStore(state: Desk(), interactor: Chat())
    store.title = "arranged"
    #expect(store.triggeredActions == [Job("arranged", id: "x")])
    store.state = Desk()
    #expect(store.triggeredActions.count == 2)
  }

  @Test("T2 testHook returns when the hook has fired and what it caused has ended")
  func testHook() async {
    let chat = Chat()
    let store = await TestStore.testHook(
      .received, trigger: chat.incoming.send("hello"), state: Desk(), interactor: chat,
      timeout: .seconds(60))
    #expect(store.didTriggerHook)
    #expect(store.log == ["hello"])
    #expect(store.firedHooks == ["received", "announced"])
  }

  @Test("T2 testHook waits for a value that another thread sends")
  func testHookFromElsewhere() async {
    let chat = Chat()
    let incoming = chat.incoming
    let store = await TestStore.testHook(
      .received, trigger: Task.detached { incoming.post("hello") }.start(), state: Desk(),
      interactor: chat, timeout: .seconds(60))
    #expect(store.title == "hello")
  }

  @Test("T2 testHook waits for the actions that the hook dispatched, however long they take")
  func testHookWaitsForActions() async {
    let chat = Chat(waits: true)
    Task { chat.gate.open("hello") }
    let store = await TestStore.testHook(
      .announced, trigger: chat.incoming.send("hello"), state: Desk(), interactor: chat,
      timeout: .seconds(60))
    #expect(store.log == ["hello"])
  }

  @Test("T2 testHook keeps waiting if the work that the hook started is superseded")
  func testHookWaitsForTheNewest() async {
    let chat = Chat(waits: true)
    Task {
      // "two" supersedes "one", so testHook waits for "two".
      chat.incoming.send("two")
      Task { chat.gate.open("two") }
    }
    let store = await TestStore.testHook(
      .announced, trigger: chat.incoming.send("one"), state: Desk(), interactor: chat,
      timeout: .seconds(60))
    #expect(store.log == ["two"])
    chat.gate.open("one")
  }

  @Test("T2 a hook that never fires is a failure at the caller's line, at the timeout")
  func aHookThatNeverFires() async {
    let chat = Chat()
    var store: TestStore<Desk, Job>?
    let line = #line + 2
    let failures = await kitFailures {
      store = await TestStore.testHook(
        .silent, trigger: chat.incoming.send("x"), state: Desk(), interactor: chat,
        timeout: .milliseconds(5))
    }
    #expect(store?.didTriggerHook == false)
    #expect(store?.firedHooks == ["received", "announced"])
    #expect(failures.count == 1)
    let text = failures.first?.text ?? ""
    #expect(text.contains("silent") && text.contains("received, announced"), "\(text)")
    #expect(failures.first?.line == line)
    #expect(failures.first?.fileID == #fileID)
  }

  @Test("T2 work that hangs after the hook has fired is a failure at the timeout")
  func workThatHangs() async {
    let chat = Chat(waits: true)
    let failures = await kitFailures {
      _ = await TestStore.testHook(
        .received, trigger: chat.incoming.send("x"), state: Desk(), interactor: chat,
        timeout: .milliseconds(5))
    }
    #expect(failures.count == 1)
    #expect(failures.first?.text.contains("still running") == true, "\(failures)")
    chat.gate.open("x")
  }

  @Test("T2 a hundred hook tests do not take a hundred timeouts")
  func fast() async throws {
    let timeout = Duration.seconds(3_600)
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<100 {
      let chat = Chat()
      let store = await TestStore.testHook(
        .received, trigger: chat.incoming.send("x"), state: Desk(), interactor: chat,
        timeout: timeout)
      #expect(store.title == "x")
      try #require(clock.now - start < timeout, "one of them has waited for its timeout")
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Marks the task as intentionally not awaited.
  fileprivate func start() {}
}
