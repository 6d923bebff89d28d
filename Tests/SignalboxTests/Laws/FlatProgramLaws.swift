import RandomPrograms
import SignalboxTesting
import Testing

@testable import Signalbox

/// The same random program, written flat and as a parent with children.
///
/// Both have the same states, tell their observers the same in the same order, and report the same
/// events with the same causes. The flat program writes the place of a desk into the names of its
/// actions, runs and hooks. For the other one, the path of the child is that place.
@Suite(.timeLimit(.minutes(60))) @MainActor struct FlatProgramLaws {
  @Test("C1 C2 C8 A program with children does and reports what a flat program does")
  func programs() async {
    for seed in LawPrograms.seeds(15) {
      let flat = await flat(seed)
      let family = await family(seed)
      guard flat == family else {
        let index = zip(flat, family).enumerated().first { $1.0 != $1.1 }?.offset
        let start = max(0, (index ?? min(flat.count, family.count)) - 6)
        Issue.record(
          """
          Seed \(seed)
          flat     \(flat.dropFirst(start).prefix(10).joined(separator: "\n         "))
          children \(family.dropFirst(start).prefix(10).joined(separator: "\n         "))
          """)
        return
      }
    }
  }

  /// One way to write the program, and what it does.
  @MainActor private final class Run<Action> {
    private let store: TestStore<OfficeState, Action>
    private let endpoint: TestEndpoint<String, Int>
    private var random: SeededRandom
    private let send: (DeskPlace, DeskAction) -> Void
    private let cancel: (DeskPlace, String) -> Void
    private let count: (DeskPlace) -> Signal<Int>
    private var lines: [String] = []
    /// What late work has tried, at no certain moment, because nothing waits for it.
    private var dropped: [String] = []
    /// The numbers of the events, in the order in which they were reported.
    private var events: [Int] = []
    private var subscriptions: Set<Subscription> = []

    init(
      _ seed: UInt64, _ store: TestStore<OfficeState, Action>,
      _ endpoint: TestEndpoint<String, Int>, send: @escaping (DeskPlace, DeskAction) -> Void,
      cancel: @escaping (DeskPlace, String) -> Void,
      count: @escaping (DeskPlace) -> Signal<Int>
    ) {
      (self.store, self.endpoint, random) = (store, endpoint, SeededRandom(seed: seed))
      (self.send, self.cancel, self.count) = (send, cancel, count)
    }

    func lines() async -> [String] {
      store.events.sink { [unowned self] in note($0) }.store(in: &subscriptions)
      store.publisher.total.sink { [unowned self] in lines.append("total \($0)") }
        .store(in: &subscriptions)
      for place in places where random.oneIn(2) {
        count(place).sink { [unowned self] in lines.append("\(place.name) \($0)") }
          .store(in: &subscriptions)
      }
      store.publisher.desks.sink { [unowned self] in lines.append("desks \($0.map(\.count))") }
        .store(in: &subscriptions)
      for _ in 0..<16 {
        await step()
        lines.append("\(store.state)")
      }
      while !endpoint.pending.isEmpty { await endpoint.reply(with: 1) }
      await store.settle(includingCancelled: true)
      return lines + dropped.sorted() + ["\(store.state)"]
    }

    private var places: [DeskPlace] { DeskPlace.fixed + (1...3).map(DeskPlace.element) }

    private func step() async {
      let place = random.pick(places)
      let number = 1 + random.below(3)
      switch random.below(12) {
      case 0, 1: send(place, .add(number))
      case 2, 3, 4: send(place, .ask)
      case 5: send(place, .queue)
      case 6: send(place, .fail)
      case 7: send(place, .run)
      case 8: cancel(place, random.pick(["ask", "queue"]))
      case 9:
        store.desks =
          random.oneIn(2) ? store.desks.reversed() : store.desks.shuffled(using: &random)
      case 10:
        store.binder[dynamicMember: place.path.appending(path: \.count)].wrappedValue += number
      default:
        let pending = endpoint.pending
        if !pending.isEmpty { await endpoint.reply(to: random.pick(pending), with: number) }
      }
    }

    // MARK: Events

    private func note(_ event: StoreEvent<OfficeState, Action>) {
      let text = text(event)
      if text.hasPrefix("dropped") { return dropped.append("\(text) in \(number(event.work))") }
      events.append(event.id)
      var line = text
      if let cause = event.cause { line += " ← \(number(cause))" }
      if let work = event.work { line += " in \(number(work))" }
      switch event.cancellation {
      case .requested(let by): line += " requested by \(number(by))"
      case .superseded(let by): line += " superseded by \(number(by))"
      case .ignored(let other): line += " ignored for \(number(other))"
      case .storeReleased: line += " released"
      case .endedWithState: line += " ended"
      case nil: break
      }
      lines.append("\(events.count - 1): \(line)")
    }

    private func number(_ event: Int?) -> String {
      event.map { events.firstIndex(of: $0).map { "\($0)" } ?? "before" } ?? "outside"
    }

    private func text(_ event: StoreEvent<OfficeState, Action>) -> String {
      guard case .child(let child) = event.kind else {
        let line = StoreJournal<OfficeState, Action>.line(event.kind)
        // "dispatched @\.left add(1)" is "\.left: dispatched add(1)".
        guard let place = places.first(where: { line.contains("@\($0.name) ") }) else {
          return line
        }
        return "\(place.name): \(line.replacing("@\(place.name) ", with: ""))"
      }
      let line = StoreJournal<Any, Any>.line(child.kind)
      // A flat program has no name for what writes.
      return line.hasPrefix("dropped") ? line : "\(child.path): \(line)"
    }
  }

  // MARK: The two programs

  private func flat(_ seed: UInt64) async -> [String] {
    let endpoint = TestEndpoint<String, Int>("desk", heedsCancellation: false)
    let store = TestStore(
      state: OfficeState(), interactor: FlatOffice(ask: { try await endpoint($0) }))
    let run = Run<FlatOffice.Call>(
      seed, store, endpoint, send: { store.send(.init(place: $0, action: $1)) },
      cancel: { store.cancel(id: "@\($0.name) \($1)") },
      count: { store.publisher[dynamicMember: $0.path.appending(path: \.count)].signal })
    return await run.lines()
  }

  private func family(_ seed: UInt64) async -> [String] {
    let endpoint = TestEndpoint<String, Int>("desk", heedsCancellation: false)
    let store = TestStore(
      state: OfficeState(), interactor: FamilyOffice(ask: { try await endpoint($0) }))
    func desk(_ place: DeskPlace) -> TestStore<DeskState, FamilyOffice.DeskCall> {
      switch place.name {
      case "\\.left": store.child(\.left, FamilyOffice.Desk.self)
      case "\\.right": store.child(\.right, FamilyOffice.Desk.self)
      case "\\.wing.desk":
        store.child(\.wing, FamilyOffice.Wing.self).child(\.desk, FamilyOffice.Desk.self)
      default:
        // Its id is the last number in the name, and elements are only moved.
        store.child(
          \.desks, id: place.name.compactMap(\.wholeNumberValue).last!, FamilyOffice.PlainDesk.self)!
      }
    }
    let run = Run<Never>(
      seed, store, endpoint, send: { desk($0).send(.init(action: $1)) },
      cancel: { desk($0).cancel(id: $1) }, count: { desk($0).publisher.count.signal })
    return await run.lines()
  }
}
