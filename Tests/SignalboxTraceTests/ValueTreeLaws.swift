import RandomPrograms
import Signalbox
import SignalboxInspection
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
        let edits = ValueDifference.changes(from: before, to: state).edits
        try tree.apply(edits)
        #expect(
          tree.matches(ValueTree(state)), "seed \(seed), step \(step): \(before) → \(state)")
        #expect(edits.isEmpty == (before == state), "seed \(seed), step \(step)")
      }
    }
  }

  @Test("R3 edits of values that look the same, or change without a commit, lead to the next state")
  func lookalikes() throws {
    for seed in LawPrograms.seeds(150) {
      var random = SeededRandom(seed: seed)
      let nodes = (0..<3).map { _ in Lookalikes.Node() }
      var state = Lookalikes()
      var tree = ValueTree(state)
      for step in 0..<12 {
        let before = state
        state.change(&random, nodes)
        let edits = ValueDifference.changes(from: before, to: state).edits
        try tree.apply(edits)
        try #require(
          tree.matches(ValueTree(state)), "seed \(seed), step \(step): \(edits.text())")
      }
    }
  }

  @Test("R3 R4 a tree has no more parts than there is room, and edits fit it all the same")
  func room() throws {
    for seed in LawPrograms.seeds(150) {
      var random = SeededRandom(seed: seed)
      var state = Zoo(&random)
      let room = random.below(60)
      var tree = ValueTree(followed: state, room: room)
      #expect(tree.size <= room, "seed \(seed)")
      for step in 0..<6 {
        let before = state
        state.change(&random)
        let room = random.below(60)
        let edits = ValueDifference.changes(from: before, to: state, room: room).edits
        try tree.apply(edits)
        try #require(
          tree.matches(ValueTree(state)), "seed \(seed), step \(step): \(before) → \(state)")
      }
    }
    let hidden = Array(repeating: [Int?](repeating: nil, count: 10), count: 10)
    #expect(ValueTree(followed: hidden, room: 50) == .omitted)
  }

  @Test("R3 the edits of entries fit in any order")
  func entries() throws {
    let old = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, [0: $0, 1: $0, 2: $0]) })
    var new = old.mapValues { [0: $0[0, default: 0], 1: 30, 3: 40] }
    new[7] = nil
    new[20] = [0: 1]
    let edits = ValueDifference.changes(from: old, to: new).edits
    for edits in [edits, edits.reversed()] {
      var tree = ValueTree(old)
      try tree.apply(edits)
      #expect(tree.matches(ValueTree(new)), "\(edits)")
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
        .changed(ValueDifference.changes(from: before, to: state).edits),
        .hookFired(name: state.text, ValueTree(state.shape)),
        .cancelled(.action(ValueTree(state.tags)), .superseded(by: random.below(10))),
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

extension ValueTree {
  /// The number of parts that were not left out, without those that are hidden.
  fileprivate var size: Int {
    switch self {
    case .omitted, .redacted: 0
    case .null, .bool, .integer, .number, .string, .text: 1
    case .list(_, let trees), .set(let trees): trees.reduce(1) { $0 + $1.size }
    case .dictionary(let entries): entries.reduce(1) { $0 + $1.key.size + $1.value.size }
    case .record(let record): record.fields.reduce(1) { $0 + $1.value.size }
    case .some(let inner): inner.size
    }
  }
}
