import RandomPrograms
import Signalbox
import Testing

@testable import SignalboxTrace

/// Random states, their trees and the edits between them.
@Suite("R3 laws of values in recordings")
struct ValueTreeLaws {
  @Test("R3 edits lead from the tree of a state to the tree of any other one")
  func edits() throws {
    for seed in LawPrograms.seeds(150) {
      var random = SeededRandom(seed: seed)
      var state = Zoo(&random)
      var tree = ValueTree(state)
      for step in 0..<6 {
        let before = state
        state.change(&random)
        let edits = ValueDifference.edits(from: before, to: state)
        try tree.apply(edits)
        #expect(
          tree.matches(ValueTree(state)), "seed \(seed), step \(step): \(before) → \(state)")
        #expect(edits.isEmpty == (before == state), "seed \(seed), step \(step)")
      }
    }
  }

  @Test("R1 a line that is read again is the event that was written")
  func lines() throws {
    for seed in LawPrograms.seeds(150) {
      var random = SeededRandom(seed: seed)
      let before = Zoo(&random)
      var state = before
      state.change(&random)
      let kinds: [TraceEvent.Kind] = [
        .started(ValueTree(state)),
        .changed(ValueDifference.edits(from: before, to: state)),
        .hookFired(name: state.text, ValueTree(state.shape)),
        .cancelled(ValueTree(state.tags), .superseded(by: random.below(10))),
      ]
      for kind in kinds {
        let event = TraceEvent(
          store: 1, child: random.oneIn(2) ? state.text : nil, id: random.below(100),
          cause: random.oneIn(2) ? random.below(100) : nil, time: 1.25, kind: kind)
        let json = try #require(JSONValue(event.bytes), "seed \(seed)")
        let read = try #require(TraceEvent(json), "seed \(seed)")
        #expect(read.kind == event.kind, "seed \(seed)")
        #expect(read.child == event.child && read.id == event.id && read.cause == event.cause)
        #expect(event.bytes.firstIndex(of: 0x0A) == event.bytes.count - 1)
      }
    }
  }
}
