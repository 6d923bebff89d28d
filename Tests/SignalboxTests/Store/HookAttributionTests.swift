import Signalbox
import Testing

/// Tests that values are attributed to the hook that made the sink, not by position (H2).
@MainActor struct HookAttributionTests {
  typealias Three = Hooking<Desk, Job, ThreeHooks>

  private func hooks(of journal: StoreJournal<Desk, Job>) -> [String] {
    journal.lines.filter { $0.hasPrefix("hook") }
  }

  @Test("H2 an empty subscription does not shift the names of other hooks")
  func empty() {
    let emitter = Emitter<Int>()
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        hook == .second ? .empty : emitter.sink { _ in }
      }))
    let journal = StoreJournal(store)
    emitter.send(1)
    #expect(hooks(of: journal) == ["hook first 1", "hook third 1"])
  }

  @Test("H2 a hook with five subscriptions is one hook")
  func five() {
    let emitters = (0..<5).map { _ in Emitter<Int>() }
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        guard hook == .second else { return .empty }
        let sinks = emitters.map { $0.sink { _ in } }
        return .all(sinks[0], sinks[1], .all(sinks[2], sinks[3]), sinks[4])
      }))
    let journal = StoreJournal(store)
    for (index, emitter) in emitters.enumerated() { emitter.send(index) }
    #expect(hooks(of: journal) == (0..<5).map { "hook second \($0)" })
  }

  @Test("H2 a subscription that user code stores itself belongs to the hook that made its sink")
  func custom() {
    let emitter = Emitter<Int>()
    var elsewhere: Set<Subscription> = []
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        emitter.filter { $0 == 1 || hook == .third }.sink { _ in }.store(in: &elsewhere)
        return Subscription {}
      }))
    let journal = StoreJournal(store)
    emitter.send(1)
    emitter.send(2)
    #expect(
      hooks(of: journal) == ["hook first 1", "hook second 1", "hook third 1", "hook third 2"])
  }

  @Test("H2 operators that merge, switch or subscribe later keep the hook's name")
  func operators() {
    let a = Emitter<Int>()
    let b = Emitter<Int>()
    let inner = Emitter<Int>()
    let store = DeskStore(
      state: Desk(),
      interactor: Three(
        connect: { hook, store in
          switch hook {
          case .first: a.merge(with: b).sink { _ in }
          case .second:
            a.flatMapLatest { n in inner.map { n + $0 } }.removeDuplicates().sink { _ in }
          case .third:
            combineLatest(store.publisher.count, b).map { $0 + $1 }.prefix(2).sink { _ in }
          }
        }, handle: { _, store in store.count = 100 }))
    let journal = StoreJournal(store)
    a.send(10)
    inner.send(1)
    b.send(2)
    store.send("go")
    #expect(
      hooks(of: journal) == [
        "hook first 10", "hook second 11", "hook first 2", "hook third 2", "hook third 102",
      ])
  }

  @Test("H2 values of an async sequence carry the name of the hook that subscribed to it")
  func asyncSequences() async {
    let (numbers, numberFeed) = AsyncStream.makeStream(of: Int.self)
    let (texts, textFeed) = AsyncStream.makeStream(of: String.self)
    let counter = SignalLog<Void>()
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        switch hook {
        case .first: .empty
        case .second: Signal(numbers).sink { _ in counter.add(()) }
        case .third: Signal(texts).map { "<\($0)>" }.sink { _ in counter.add(()) }
        }
      }))
    let journal = StoreJournal(store)
    textFeed.yield("a")
    textFeed.yield("b")
    numberFeed.yield(1)
    numberFeed.yield(2)
    await counter.reach(4)
    #expect(
      hooks(of: journal).sorted() == [
        "hook second 1", "hook second 2", "hook third <a>", "hook third <b>",
      ])
  }

  @Test("H2 a debounced value that arrives on another task carries its hook's name")
  func debounced() async {
    let emitter = Emitter<Int>()
    let fired = StoreMoment()
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        guard hook == .second else { return .empty }
        return emitter.debounce(for: .zero).sink { _ in fired.happen() }
      }))
    let journal = StoreJournal(store)
    emitter.send(1)
    await fired.arrival
    #expect(hooks(of: journal) == ["hook second 1"])
  }

  @Test("H2 a subscription that a hook's sink makes belongs to that hook and ends with it")
  func nested() {
    let outer = Emitter<Int>()
    let inner = Emitter<Int>()
    var held: [Subscription] = []
    let store = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, _ in
        guard hook == .second else { return .empty }
        return outer.sink { _ in
          held.append(
            inner.sink { _ in
              held.append(inner.map { -$0 }.sink { _ in })
            })
        }
      }))
    let journal = StoreJournal(store)
    outer.send(1)
    inner.send(2)
    inner.send(3)
    #expect(
      hooks(of: journal) == [
        "hook second 1", "hook second 2", "hook second 3", "hook second -3",
      ])
    store.deactivateHooks()
    inner.send(4)
    #expect(hooks(of: journal).count == 4)
    held = []
  }

  @Test("H2 the hooks of two stores that take turns with one interactor type are kept apart")
  func twoStores() {
    let emitter = Emitter<Int>()
    let interactor = Three(connect: { _, store in emitter.sink { store.count += $0 } })
    let one = DeskStore(state: Desk(), interactor: interactor)
    let two = DeskStore(state: Desk(), interactor: interactor)
    let journals = [StoreJournal(one), StoreJournal(two)]
    emitter.send(1)
    one.deactivateHooks()
    emitter.send(1)
    #expect(one.count == 3 && two.count == 6)
    let names = ["hook first 1", "hook second 1", "hook third 1"]
    #expect(hooks(of: journals[0]) == names)
    #expect(hooks(of: journals[1]) == names + names)
  }

  @Test("H2 a store that is made inside a hook of another store has its own hooks")
  func storeInsideAHook() {
    let emitter = Emitter<Int>()
    var inner: DeskStore?
    let outer = DeskStore(
      state: Desk(),
      interactor: Three(connect: { hook, store in
        guard hook == .second else { return emitter.sink { _ in } }
        let made = DeskStore(
          state: Desk(),
          interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
            emitter.sink { store.count += $0 }
          }))
        inner = made
        return emitter.sink { store.count -= $0 }
      }))
    let journal = StoreJournal(outer)
    let innerJournal = inner.map { StoreJournal($0) }
    emitter.send(1)
    #expect(hooks(of: journal) == ["hook first 1", "hook second 1", "hook third 1"])
    #expect(innerJournal.map { hooks(of: $0) } == ["hook only 1"])
    #expect(outer.count == -1 && inner?.count == 1)
  }

  @Test("H2 closing an outer store does not end the hooks of a store that its hook made")
  func innerStoreOutlivesTheOuter() {
    let emitter = Emitter<Int>()
    var inner: DeskStore?
    let outer = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(connect: { _, _ in
        emitter.prefix(1).sink { _ in
          inner = DeskStore(
            state: Desk(),
            interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
              emitter.sink { store.count += $0 }
            }))
        }
      }))
    emitter.send(1)
    outer.deactivateHooks()
    emitter.send(5)
    #expect(inner?.count == 5)
  }
}
