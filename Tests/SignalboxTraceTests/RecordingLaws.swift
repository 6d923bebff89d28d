import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

/// Random programs of a store with actions, hooks and children, and what is read of their files.
@MainActor @Suite(.timeLimit(.minutes(60))) struct RecordingLaws {
  private func run(seed: UInt64, name: String, _ witness: Witness) async {
    var random = SeededRandom(seed: seed)
    let gate = LawGate()
    let store = Store(state: LawState(), interactor: LawInteractor(gate: gate), name: name)
    let recording = store.record(by: witness)
    for _ in 0..<30 { step(of: store, gate, &random) }
    gate.open()
    await store.settle()
    withExtendedLifetime(recording) {}
  }

  private func step(
    of store: Store<LawState, LawAction>, _ gate: LawGate, _ random: inout SeededRandom
  ) {
    switch random.below(8) {
    case 0, 1, 2: store.dispatch(.change(seed: random.next()))
    case 3, 4: store.dispatch(.wait(name: random.below(3), seed: random.next()))
    case 5: store.dispatch(.fail(Zoo(&random)))
    case 6:
      if let id = store.rows.randomElement(using: &random)?.id {
        store.child(\.rows, id: id, Row.self)?.dispatch(.rename("\(random.below(3))"))
      }
    default: gate.letOneGo()
    }
  }

  @Test("R1 R2 R3 what is read is what has happened, and the changes lead to each state")
  func roundTrip() async throws {
    let file = try RecordedFile(checkpoint: 2_000)
    let seeds = LawPrograms.seeds(15)
    var witnesses: [UInt64: Witness] = [:]
    for seed in seeds {
      let witness = Witness()
      witnesses[seed] = witness
      await run(seed: seed, name: "law \(seed)", witness)
    }
    let (reader, events) = try file.read()
    #expect(reader.problems.isEmpty && reader.skipped == 0)
    #expect(events.contains { if case .state = $0.kind { true } else { false } })
    for seed in seeds {
      let own = events.of("law \(seed)")
      let witness = try #require(witnesses[seed])
      let known = Set(witness.notes.map(\.id))
      let read = own.compactMap { event -> Witness.Note? in
        guard let id = event.id, known.contains(id) else { return nil }
        return Witness.Note(
          id: id, cause: event.cause, work: event.work, child: event.child, kind: event.kind.name)
      }
      #expect(read == witness.notes, "seed \(seed)")
      check(own, witness, seed)
    }
  }

  private func check(_ events: [TraceEvent], _ witness: Witness, _ seed: UInt64) {
    var state = ValueTree.null
    for event in events {
      switch event.kind {
      case .started(let tree): state = tree
      case .state(let tree): #expect(state.matches(tree), "seed \(seed)")
      case .changed(let edits):
        #expect(throws: Never.self) { try state.apply(edits) }
        if let id = event.id, let wanted = witness.states[id] {
          #expect(state.matches(wanted), "seed \(seed), event \(id)")
        }
      default: break
      }
    }
  }

  @Test("R4 a full file is replaced by its newer half, and is whole")
  func bounded() async throws {
    let limit = 60_000
    let file = try RecordedFile(limit: limit, checkpoint: 2_000)
    let witness = Witness()
    let sensor = Emitter<Double>()
    let store = Store(
      state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "bounded")
    for turn in 0..<40 {
      for measurement in 0..<50 { sensor.send(Double(turn * 50 + measurement)) }
      file.recording.flush()
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int)
      // What other tests record at the same time may take more room than these lines.
      #expect(size < 64 * limit)
    }
    let (reader, events) = try file.read()
    #expect(reader.problems.isEmpty && reader.skipped == 0)
    #expect(reader.header?.version == 1)
    let own = events.of("bounded")
    guard case .store = own.first?.kind, case .state = own.dropFirst().first?.kind else {
      Issue.record("The newer half does not begin with the store and its state.")
      return
    }
    var states = own.filter { $0.kind.name == "state" }.count
    states += own.filter { $0.kind.name == "changed" }.count
    #expect(states > 50 && states < 2_000 * 2)
    #expect(
      reader.states[own[0].store ?? 0] == ValueTree(RoomState(celsius: 1_999, isHeated: false)))
    _ = witness
    withExtendedLifetime(store) {}
  }
}
