import Signalbox
import SignalboxTesting
import Testing

/// Tests when `testHook` and `hook(_:trigger:)` return or fail.
@Suite(.timeLimit(.minutes(60))) @MainActor struct HookWaitTests {
  private let input = Emitter<String>()

  private func interactor(
    _ connect: @escaping @MainActor (DeskHandle) -> Subscription
  ) -> Hooking<Desk, Job, OneHook> {
    Hooking(
      connect: { _, store in connect(store) },
      handle: { job, store in
        await farAway()
        store.log.append(job.text)
      })
  }

  /// The failure of a hook that cannot fire, which must not wait for the timeout.
  private func failureAtOnce(
    _ connect: @escaping @MainActor (DeskHandle) -> Subscription,
    trigger: @MainActor () -> Void = {}
  ) async -> String {
    await failures {
      let store = await TestStore.testHook(
        .only, trigger: trigger(), state: Desk(), interactor: interactor(connect),
        timeout: .seconds(600))
      #expect(!store.didTriggerHook)
    }.only
  }

  private let never =
    "only: the hook never fired; none did. It cannot fire any more: it has no sink, "
    + "or what it listened to has finished."

  @Test("T2 testHook waits for the actions of the hook and for what they dispatched")
  func caused() async {
    let store = await TestStore.testHook(
      .only, trigger: input.send("a"), state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.assign(toAction: { Job($0) }, using: store) },
        handle: { job, store in
          await farAway()
          store.log.append(job.text)
          if job.text.count < 5 { store.send(Job(job.text + "a")) }
        }), timeout: .seconds(600))
    #expect(store.log == ["a", "aa", "aaa", "aaaa", "aaaaa"])
  }

  @Test("T2 testHook does not wait for work that sleeps on a test clock because of the hook")
  func sleeps() async {
    let clock = TestClock()
    let store = await TestStore.testHook(
      .only, trigger: input.send("a"), state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.assign(toAction: { Job($0) }, using: store) },
        handle: { job, store in
          await farAway()
          try await clock.sleep(for: .seconds(1))
          store.log.append(job.text)
        }), timeout: .seconds(600))
    #expect(store.log.isEmpty)
    await clock.advance(by: .seconds(1))
    #expect(store.log == ["a"])
  }

  @Test("T2 a hook whose signal has finished fails at once")
  func finished() async {
    input.finish()
    let text = await failureAtOnce { [input] _ in input.sink { _ in } }
    #expect(text.headline == never)
  }

  @Test("T2 a hook that returns .empty, or a subscription without a sink, fails at once")
  func withoutSinks() async {
    let empty = await failureAtOnce { _ in .empty }
    let custom = await failureAtOnce { _ in Subscription {} }
    #expect([empty.headline, custom.headline] == [never, never])
  }

  @Test("T2 a hook that finishes in the trigger, without a value, fails at once")
  func finishInTheTrigger() async {
    let text = await failureAtOnce { [input] _ in
      input.sink { _ in }
    } trigger: {
      input.finish()
    }
    #expect(text.headline == never)
  }

  @Test("T2 a hook fails at once when the last of its subscriptions has finished, not the first")
  func theLastOfThem() async {
    let other = Emitter<String>()
    let text = await failureAtOnce { [input] _ in
      .all(input.sink { _ in }, other.sink { _ in })
    } trigger: {
      input.finish()
      Task { other.finish() }
    }
    #expect(text.headline == never)
  }

  @Test("T2 a hook that is deactivated fails at once")
  func deactivated() async {
    let store = DeskTest(
      state: Desk(), interactor: interactor { [input] _ in input.sink { _ in } })
    let text = await failures {
      await store.hook(OneHook.only, timeout: .seconds(600)) {
        store.deactivateHooks()
        input.send("a")
      }
    }.only
    #expect(text.headline == never)
  }

  @Test("T2 a hook that receives a value and a finish in the trigger has fired")
  func valueAndFinish() async {
    let store = await TestStore.testHook(
      .only,
      trigger: {
        input.send("a")
        input.finish()
      }(), state: Desk(),
      interactor: interactor { [input] store in input.sink { store.title = $0 } },
      timeout: .seconds(600))
    #expect(store.didTriggerHook)
    #expect(store.title == "a")
  }

  @Test("T2 a hook that receives a debounced value on finish has fired")
  func flushedByFinish() async {
    let clock = TestClock()
    let store = await TestStore.testHook(
      .only,
      trigger: {
        input.send("a")
        input.finish()
      }(), state: Desk(),
      interactor: interactor { [input] store in
        input.debounce(for: .seconds(1), clock: clock).sink { store.title = $0 }
      }, timeout: .seconds(600))
    #expect(store.title == "a")
  }

  @Test("T2 a hook has fired if another thread posts a value and then releases the emitter")
  func postedValueAndFinish() async {
    for _ in 0..<100 {
      var source: Emitter<String>? = Emitter()
      let store = await TestStore.testHook(
        .only,
        trigger: {
          let posting = source
          source = nil
          Task.detached { posting?.post("a") }
        }(),
        state: Desk(),
        interactor: interactor { [signal = source?.signal ?? .never] store in
          signal.sink { store.title = $0 }
        }, timeout: .seconds(600))
      #expect(store.didTriggerHook && store.title == "a")
    }
  }

  @Test("T2 a hook whose emitter another thread releases without a value fails at once")
  func releasedElsewhere() async {
    var source: Emitter<String>? = Emitter()
    let text = await failureAtOnce { [signal = source?.signal ?? .never] _ in
      signal.sink { _ in }
    } trigger: {
      let last = source
      source = nil
      Task.detached { _ = last }
    }
    #expect(text.headline == never)
  }

  @Test("T2 a hook that ends itself after its first value has fired")
  func prefix() async {
    let store = await TestStore.testHook(
      .only, trigger: input.send("a"), state: Desk(),
      interactor: interactor { [input] store in input.prefix(1).sink { store.title = $0 } },
      timeout: .seconds(600))
    #expect(store.title == "a")
  }

  @Test("T2 a hook that subscribes to an async sequence fires when a value arrives")
  func asyncSequence() async {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let store = await TestStore.testHook(
      .only, trigger: Task.detached { continuation.yield("a") }.begin(), state: Desk(),
      interactor: interactor { store in
        Signal(stream).map { Job($0) }.sink { store.dispatch($0) }
      }, timeout: .seconds(600))
    #expect(store.log == ["a"])
  }

  @Test("T2 a hook that subscribes to an async sequence fails at once if it ends without a value")
  func asyncSequenceEnds() async {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let text = await failureAtOnce { _ in
      Signal(stream).sink { _ in }
    } trigger: {
      Task.detached { continuation.finish() }.begin()
    }
    #expect(text.headline == never)
  }

  @Test("T2 hook waits for a firing after the trigger, and an earlier one does not count")
  func firedBefore() async {
    let store = DeskTest(
      state: Desk(),
      interactor: interactor { [input] store in input.sink { store.title = $0 } })
    input.send("before")
    #expect(store.firedHooks == ["only"])
    await store.hook(OneHook.only, timeout: .seconds(600)) {
      Task { self.input.send("after") }
    } expecting: {
      $0.title = "after"
    }
    #expect(store.firedHooks.count == 2)
    let text = await failures {
      await store.hook(OneHook.only, timeout: .milliseconds(5)) {}
    }.only
    #expect(
      text.headline
        == "only: the hook has fired 2 × before, but not since; no other did. Waited for 0.005 seconds."
    )
  }

  @Test("T2 two hooks can be awaited at the same time, each by its own name")
  func twoAtOnce() async {
    let other = Emitter<String>()
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(connect: { [input] hook, store in
        switch hook {
        case .first: input.sink { store.title = $0 }
        case .second: other.sink { store.log.append($0) }
        case .third: .empty
        }
      }))
    let first = Task.atOnce { await store.hook(ThreeHooks.first, timeout: .seconds(600)) {} }
    let second = Task.atOnce { await store.hook(ThreeHooks.second, timeout: .seconds(600)) {} }
    other.send("b")
    await second.value
    input.send("a")
    await first.value
    #expect(store.state == Desk(log: ["b"], title: "a"))
  }

  @Test(
    "T2 a hook that never fires fails at the timeout and says which fired and what is in flight")
  func neverFires() async {
    let gate = StoreGate()
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(
        connect: { [input] hook, store in
          switch hook {
          case .first: input.assign(toAction: { Job($0) }, using: store)
          case .second: store.publisher.title.sink { _ in }
          case .third: Signal<Int>.never.sink { _ in }
          }
        },
        handle: { job, store in
          store.title = job.text
          try await gate.pass("never")
        }))
    let text = await failures {
      await store.hook(ThreeHooks.third, timeout: .milliseconds(5)) { input.send("lookup") }
    }.only
    #expect(
      text.headline
        == "third: the hook never fired; these did: first, second. Waited for 0.005 seconds."
    )
    #expect(text.section("In flight:").only.hasPrefix("lookup, started by hook first, for … ms"))
    gate.open("never")
  }

  @Test("T2 a hook that has fired and failed has ended before the next one begins")
  func afterAFailure() async {
    let store = DeskTest(
      state: Desk(),
      interactor: interactor { [input] store in input.sink { store.title = $0 } })
    _ = await failures { await store.hook(OneHook.only, timeout: .zero) {} }
    await store.hook(OneHook.only, timeout: .seconds(600)) {
      input.send("a")
    } expecting: {
      $0.title = "a"
    }
  }

  @Test("T2 S14 posts that a test waits for arrive in the order in which the hook listens to them")
  func postsInOrder() async {
    let (one, two) = (Emitter<String>(), Emitter<String>())
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
        .all(
          one.sink { store.log.append($0) }, two.sink { store.log.append($0) },
          one.sink { store.log.append($0 + "!") })
      }))
    await store.hook(OneHook.only) {
      two.post("b")
      one.post("a")
    }
    #expect(store.log == ["a", "a!", "b"])
  }
}

extension Task {
  /// Marks the task as intentionally not awaited.
  fileprivate func begin() {}
}
