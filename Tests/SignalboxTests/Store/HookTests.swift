import Signalbox
import SignalboxTesting
import Testing

@MainActor struct HookTests {
  typealias Three = Hooking<Desk, Job, ThreeHooks>

  @Test("H1 each hook is connected once, in the order of its cases, before init returns")
  func connectedOnceInOrder() {
    var connected: [ThreeHooks] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        connected.append(hook)
        return .empty
      }))
    #expect(connected == [.first, .second, .third])
    store.send("go")
    store.deactivateHooks()
    #expect(connected == [.first, .second, .third])
  }

  @Test("H1 a hook may write, dispatch and receive current values while it is connected")
  func worksWhileConnecting() {
    let store = DeskStore(
      state: Desk(count: 3),
      interactor: Three(
        connect: { hook, store in
          switch hook {
          case .first: store.publisher.title.sink { store.log.append("title \($0)") }
          case .second:
            store.publisher.count.includingCurrent().sink { store.title = "\($0)" }
          case .third: connectThird(store)
          }
        }, handle: { job, store in store.log.append("\(job)") }))
    func connectThird(_ store: DeskHandle) -> Subscription {
      store.send("dispatched")
      store.count = 4
      return .empty
    }
    #expect(store.log == ["title 3", "dispatched", "title 4"])
  }

  @Test("H1 a store with hooks only connects them and drops the actions that they dispatch")
  func hooksAlone() {
    struct Hooks: Hookable {
      let emitter: Emitter<Int>

      func subscription(for hook: OneHook, store: MutatingStore<Int, String>) -> Subscription {
        emitter.sink {
          store.state += $0
          store.dispatch("nobody hears")
        }
      }
    }
    let emitter = Emitter<Int>()
    let store = Store(state: 1, hookable: Hooks(emitter: emitter))
    let journal = StoreJournal(store)
    emitter.send(2)
    #expect(store.state == 3)
    #expect(journal.lines == ["started", "hook only 2", "change", "dropped nobody hears"])
  }

  @Test("H1 an interactor may declare which hooks it has, in which order")
  func declaredHooks() {
    struct Numbered: Hookable {
      /// Neither `Hashable` nor `CaseIterable`.
      struct Hook { let number: Int }
      static let hooks = [Hook(number: 2), Hook(number: 1)]

      func subscription(for hook: Hook, store: MutatingStore<[Int], Never>) -> Subscription {
        store.state.append(hook.number)
        return .empty
      }
    }
    #expect(Store(state: [], hookable: Numbered()).state == [2, 1])
  }

  @Test("H1 an object whose hooks a store connects lives as long as the store")
  func hookableIsKept() {
    final class Hooks: Hookable {
      let emitter: Emitter<Int>
      init(_ emitter: Emitter<Int>) { self.emitter = emitter }

      func subscription(for hook: OneHook, store: MutatingStore<Int, Never>) -> Subscription {
        emitter.sink { [weak self] in if let self { store.state += self.scaled($0) } }
      }

      func scaled(_ value: Int) -> Int { value * 10 }
    }
    let emitter = Emitter<Int>()
    let store = Store(state: 1, hookable: Hooks(emitter))
    emitter.send(2)
    #expect(store.state == 21)
  }

  @Test("H3 after deactivateHooks no sink of a hook runs, and actions continue")
  func deactivate() async {
    let gate = StoreGate()
    let emitter = Emitter<Int>()
    var received: [Int] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Three(
        connect: { hook, store in
          switch hook {
          case .first: emitter.sink { received.append($0) }
          case .second: store.publisher.count.sink { received.append($0) }
          case .third: .all(emitter.sink { received.append($0) }, emitter.map { $0 }.sink { _ in })
          }
        },
        handle: { _, store in
          try await gate.pass("door")
          store.count += 1
        }))
    emitter.send(1)
    #expect(received == [1, 1])
    let task = store.send("go")
    store.deactivateHooks()
    store.deactivateHooks()
    emitter.send(2)
    gate.open("door")
    await task.value
    #expect(store.count == 1)
    #expect(received == [1, 1])
  }

  @Test("H3 a hook may deactivate all hooks including itself, and values in flight are dropped")
  func deactivateFromWithin() {
    let emitter = Emitter<Int>()
    var received: [String] = []
    var off: (@MainActor () -> Void)?
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        emitter.sink {
          received.append("\(hook) \($0)")
          if hook == .second {
            emitter.send($0 + 1)
            off?()
          }
        }
      }))
    off = { [weak store] in store?.deactivateHooks() }
    emitter.send(1)
    #expect(received == ["first 1", "second 1"])
    emitter.send(3)
    #expect(received == ["first 1", "second 1"])
  }

  @Test("H3 deactivateHooks silences subscriptions that a hook stored elsewhere")
  func storedElsewhere() {
    let emitter = Emitter<Int>()
    var elsewhere: Set<Subscription> = []
    var received: [Int] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        emitter.sink { received.append($0) }.store(in: &elsewhere)
        return .empty
      }))
    emitter.send(1)
    store.deactivateHooks()
    emitter.send(2)
    #expect(received == [1])
  }

  @Test("H3 after deactivateHooks the completion of a sink that is stored elsewhere does not run")
  func completionsElsewhere() {
    let emitter = Emitter<Int>()
    var elsewhere: Set<Subscription> = []
    var completed = false
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        emitter.sink(receiveCompletion: { completed = true }, receiveValue: { _ in })
          .store(in: &elsewhere)
        return .empty
      }))
    store.deactivateHooks()
    emitter.finish()
    #expect(!completed)
  }

  @Test("S13 deactivateHooks cancels the subscriptions of hooks and does not only silence them")
  func cancelledNotSilenced() {
    var isCancelled = false
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        Subscription { isCancelled = true }
      }))
    #expect(!isCancelled)
    store.deactivateHooks()
    #expect(isCancelled)
  }

  @Test(
    "H1 an interactor has its hooks and its actions, whatever the label with which it is passed")
  func wholeInteractor() async {
    var emitter = Emitter<String>()
    func makeInteractor() -> Hooking<Desk, Job, OneHook> {
      emitter = Emitter()
      return Hooking(
        connect: { [emitter] _, store in emitter.sink { store.log.append($0) } },
        handle: { job, store in store.title = job.text })
    }
    for make in [
      { DeskStore(state: Desk(), actionable: makeInteractor()) },
      { DeskStore(state: Desk(), hookable: makeInteractor()) },
    ] {
      let store = make()
      store.send("a")
      emitter.send("b")
      #expect(store.title == "a")
      #expect(store.log == ["b"])
    }
    for make in [
      { DeskTest(state: Desk(), actionable: makeInteractor()) },
      { DeskTest(state: Desk(), hookable: makeInteractor()) },
    ] {
      let store = make()
      await store.dispatch("a") { $0.title = "a" }
      await store.hook(OneHook.only) {
        emitter.send("b")
      } expecting: {
        $0.log = ["b"]
      }
    }
  }

  @Test("H3 the subscription of a hook that ends its store's hooks while it connects is cancelled")
  func endsWhileConnecting() {
    let store = DeskStore(state: Desk(), handler: nil, name: nil)
    var isCancelled = false
    var handle: DeskHandle?
    store.instruments.connect(
      Hooking<Desk, Job, OneHook>(connect: { [weak store] _, own in
        handle = own
        store?.deactivateHooks()
        return Subscription { isCancelled = true }
      }))
    #expect(isCancelled)
    withExtendedLifetime(handle) {}
  }

  @Test("T2 a hook with two sinks can fire after one of them has finished and was cancelled")
  func lostOnce() {
    let (input, done) = (Emitter<Int>(), Emitter<Int>())
    var finished: Subscription?
    let store = DeskStore(state: Desk(), handler: nil, name: nil)
    store.instruments.connect(
      Hooking<Desk, Job, OneHook>(connect: { _, _ in
        finished = done.sink { _ in }
        return input.sink { _ in }
      }))
    done.finish()
    finished?.cancel()
    #expect(store.instruments.canFire("only"))
    input.finish()
    #expect(!store.instruments.canFire("only"))
  }
}
