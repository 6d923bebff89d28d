import ExampleTesting
import RandomPrograms
import Signalbox
import Testing

@testable import SignalboxTrace

/// Random programs of actions, hooks, bindings and children that write elements, and who did.
@MainActor @Suite(.timeLimit(.minutes(60))) struct WhyLaws {
  @Test("R5 D4 why names the event that changed a part last, or says that it is not known")
  func lastWriter() async throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Yard.self })
    var known = 0
    var forgotten = 0
    for seed in LawPrograms.seeds(12) {
      var random = SeededRandom(seed: seed)
      let gate = LawGate()
      let witness = YardWitness()
      let store = Store(
        state: Yard(), interactor: YardKeeper(gate: gate), name: "yard \(seed)")
      let recording = store.record(by: witness)
      for _ in 0..<60 {
        step(of: store, gate, &random)
        (known, forgotten) = check(store, witness, known, forgotten, "seed \(seed)")
      }
      gate.open()
      await store.settle()
      (known, forgotten) = check(store, witness, known, forgotten, "seed \(seed), end")
      withExtendedLifetime(recording) {}
    }
    // Only elements without a lasting `id` and those after large changes are not known, and a few
    // programs may have none.
    #expect(known > 20 * forgotten, "\(known) and \(forgotten)")
    withExtendedLifetime(file) {}
  }

  private func step(
    of store: Store<Yard, YardAction>, _ gate: LawGate, _ random: inout SeededRandom
  ) {
    let seed = random.next()
    switch random.below(12) {
    case 0, 1, 2, 3: store.dispatch(.change(seed))
    case 4, 5: store.dispatch(.wait(seed))
    case 6: gate.letOneGo()
    case 7: store.binder.label.wrappedValue = "\(seed)"
    case 8 where !store.plants.isEmpty:
      store.binder.plants.wrappedValue[random.below(store.plants.count)].note = "\(seed)"
    case 9:
      if let plant = store.plants.randomElement(using: &random) {
        store.child(\.plants, id: plant.id, PlantKeeper.self)?.dispatch(.change(seed))
      }
    case 10:
      if let key = store.beds.keys.sorted().randomElement(using: &random) {
        store.child(\.beds, id: key, PlantKeeper.self)?.dispatch(.change(seed))
      }
    case 11 where random.oneIn(8): store.dispatch(.sow(seed))
    default: store.dispatch(.count)
    }
  }

  private func check(
    _ store: Store<Yard, YardAction>, _ witness: YardWitness, _ known: Int, _ forgotten: Int,
    _ comment: String
  ) -> (Int, Int) {
    var (known, forgotten) = (known, forgotten)
    func expect(_ why: Why, _ part: YardPart) {
      let kinds = why.steps.map(\.kind)
      if kinds == [.forgotten] {
        forgotten += 1
        return
      }
      known += 1
      guard let last = witness.last[part] else {
        #expect(kinds == [.unchanged], "\(comment): \(part) ← \(why.steps)")
        return
      }
      let events = why.steps.compactMap(\.event)
      // A long chain of causes ends with what is not known.
      let chain = witness.chain(of: last).prefix(events.count)
      let isWhole = kinds.last == .forgotten || events.count == witness.chain(of: last).count
      #expect(isWhole && Array(chain) == events, "\(comment): \(part) ← \(why.steps)")
    }
    expect(store.why(\.self), .whole)
    expect(store.why(\.label), .label)
    expect(store.why(\.count), .count)
    expect(store.why(\.plants), .plants)
    expect(store.why(\.beds), .beds)
    expect(store.why(\.gate?.width), .width)
    expect(store.why(\.gate), .gate)
    // Those that are there, and those that are gone.
    for number in 0..<6 {
      let id = Plant.ID(number: number)
      expect(store.why(child: \.plants, id: id), .plant(id))
      expect(store.why(child: \.beds, id: "bed \(number)"), .bed("bed \(number)"))
      if let child = store.child(\.plants, id: id, PlantKeeper.self) {
        expect(child.why(\.note), .note(id))
        expect(child.why(\.self), .plant(id))
      }
    }
    for tool in store.tools {
      let why = store.why(child: \.tools, id: ObjectIdentifier(tool))
      #expect([.forgotten, .unchanged].contains(why.steps.first?.kind), "\(comment)")
      if witness.last[.tools] != nil { #expect(why.steps.first?.kind == .forgotten, "\(comment)") }
    }
    return (known, forgotten)
  }
}
