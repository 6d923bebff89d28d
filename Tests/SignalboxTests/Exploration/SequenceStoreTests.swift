import Signalbox
import SignalboxTesting
import Testing

/// What a store and its scenario may do while sequences of actions are explored.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct SequenceStoreTests {
  @Test("I12 a hook may send actions, which are no actions of the sequence")
  func hookSends() async {
    let report = await explore(sequencesOf: [Job("a"), "b"], upTo: 2) { world in
      let ask = world.endpoint("ask") { (text: String) in text }
      let store = TestStore(
        state: Desk(),
        interactor: Hooking<Desk, Job, OneHook>(
          connect: { _, store in
            store.publisher.title.removeDuplicates().filter { !$0.isEmpty }
              .assign(toAction: { Job("heard \($0)") }, using: store)
          },
          handle: { job, store in
            switch job.text {
            case "a", "b": store.title = job.text
            default: store.log.append(try await ask(job.text))
            }
          }))
      world.finally("each that was heard is answered") {
        store.log.count == store.triggeredActions.count { $0.text.hasPrefix("heard") }
      }
      return store
    }
    // "aa" and "bb" ask once, "ab" and "ba" twice, whose calls have three orders. In "aa" and "bb",
    // the second action comes before or after the answer.
    #expect(report.orders == 1 + 2 + 2 * 2 + 2 * 3)
    #expect(report.sequences == 7)
    #expect(report.occurrences.map(\.description).contains("heard a"))
  }

  @Test("I12 an error that nothing handles fails the order, at the line of explore")
  func unhandled() async {
    let line = #line + 2
    let failures = await kitFailures {
      await explore(sequencesOf: [Job("good"), "bad"], upTo: 2) { world in
        makeDeskTest { job, _ in if job == "bad" { throw Refusal(reason: "bad") } }
      }
    }
    #expect(failures.map(\.line) == [line])
    let text = failures.map(\.text).only
    #expect(text.contains("  1  send(bad)\nSequenceStoreTests.swift:\(line): bad threw "))
  }

  @Test("I1 I12 a store that was made outside of the scenario is a failure, without actions too")
  func outsideStore() async {
    let outside = makeDeskTest { _, store in store.count += 1 }
    for length in 0...1 {
      let texts = await failures {
        await explore(sequencesOf: [Job("a")], upTo: length) { _ in outside }
      }
      #expect(texts.only.contains("a test store that was made outside of it"))
    }
  }

  private struct Lamp: Equatable, Identifiable {
    let id: Int
    var isOn = false
  }

  private struct Room: Equatable {
    var lamps = [Lamp(id: 1)]
  }

  private struct RoomFeature: Interactor {
    func children(of store: MutatingStore<Room, Never>) -> Children<Room> {
      Each(\.lamps) { _ in LampFeature() }
    }

    func onAction(_ action: Never, store: MutatingStore<Room, Never>) {}
  }

  private struct LampFeature: Interactor {
    enum Toggle: CaseIterable { case on, off }

    func onAction(_ toggle: Toggle, store: MutatingStore<Lamp, Toggle>) {
      store.isOn = toggle == .on
    }
  }

  @Test("I12 an action that comes when its store has ended changes nothing and does not occur")
  func endedStore() async {
    func search(removingAtOnce: Bool) async -> ExplorationReport {
      await explore(sequencesOf: LampFeature.Toggle.allCases, upTo: 2) { world in
        let store = TestStore(state: Room(), interactor: RoomFeature())
        let lamp = try #require(store.child(\.lamps, id: 1, LampFeature.self))
        if removingAtOnce { store.lamps = [] } else { world.may("remove") { store.lamps = [] } }
        world.finally("the count of actions") {
          world.outcome(lamp.triggeredActions.count)
          return true
        }
        return lamp
      }
    }
    let report = await search(removingAtOnce: false)
    // Each of the 7 sequences without the event, and with it at each moment.
    #expect(report.orders == 2 + 2 * 3 + 4 * 4)
    #expect(report.failure == nil)
    let outcomes = report.outcomes.map { "\($0.orders) × \($0.description)" }
    #expect(outcomes.sorted() == ["8 × 0", "8 × 1", "8 × 2"])
    let ended = await search(removingAtOnce: true)
    #expect(ended.orders == 7)
    #expect(ended.missingText == "never occurred: .on, .off")
  }

  @Test("I12 a store that is not returned takes part, for as long as something refers to it")
  func otherStore() async {
    var isReleased: [Bool] = []
    weak var last: DeskTest?
    let report = await explore(sequencesOf: [Job("a")], upTo: 2) { world in
      let ask = world.endpoint("ask") { (text: String) in text }
      let kept = makeDeskTest { job, store in store.log.append(try await ask(job.text)) }
      let released = makeDeskTest { _, _ in }
      #expect(last == nil)
      let store = makeDeskTest { job, _ in kept.send(job) }
      last = store
      world.finally("the other has the answers") { [weak released] in
        isReleased.append(released == nil)
        return kept.log.count == store.triggeredActions.count
      }
      return store
    }
    #expect(report.orders == 5)
    #expect(isReleased.allSatisfy { $0 })
    #expect(report.failure == nil)
  }

  @Test("I12 what a scenario does before it returns comes before the first action")
  func preparation() async {
    let report = await explore(sequencesOf: [Job("b")], upTo: 1) { world in
      let ask = world.endpoint("ask") { (text: String) in text }
      let store = makeDeskTest { job, store in store.log.append(try await ask(job.text)) }
      store.send("prepared")
      await world.run()
      store.send("started")
      world.finally("prepared first") {
        store.log.first == "prepared" && store.triggeredActions.first == "prepared"
      }
      return store
    }
    // "started" is answered, before or after "b" came and was answered.
    #expect(report.orders == 1 + 3)
    #expect(report.failure == nil)
  }

  @Test("I12 a scenario that throws fails, and a wait for the outside stops the exploration")
  func mistakes() async {
    let thrown = await failures {
      await explore(sequencesOf: [Job("a")], upTo: 1) { _ -> DeskTest in
        throw Refusal(reason: "no store")
      }
    }
    #expect(thrown.only.contains("The scenario throws Refusal(reason: \"no store\")."))
    let gate = StoreGate()
    let outside = await failures {
      await explore(sequencesOf: [Job("a"), "b"], upTo: 2) { _ in
        makeDeskTest { job, _ in if job == "b" { try await gate.pass("never") } }
      }
    }
    #expect(outside.only.contains("1  send(b)\nb waits for something outside"))
  }

  @Test("I2 I12 actions that the orders share and change are a failure")
  func sharedState() async {
    var count = 0
    let texts = await failures {
      await explore(sequencesOf: [Job("a")], upTo: 3) { _ in
        makeDeskTest { _, store in
          count += 1
          store.count = count
        }
      }
    }
    #expect(texts.only.contains("the same choices have led to two different runs"))
  }

  @Test("I12 storages and connections do not fail, because nothing could go on after a crash")
  func faults() async {
    let report = await explore(sequencesOf: [Job("a")], upTo: 1) { world in
      let feed: TestConnection<Int> = world.connection("feed")
      let store = makeDeskTest { job, store in
        _ = try await feed()
        store.log.append(job.text)
      }
      world.finally("each has opened a connection") {
        store.log == store.triggeredActions.map(\.text)
      }
      return store
    }
    #expect(report.failure == nil)
    #expect(report.orders == 2)
  }
}
