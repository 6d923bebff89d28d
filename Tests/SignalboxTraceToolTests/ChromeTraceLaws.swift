import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace
@testable import SignalboxTraceTool

/// Random recordings as traces for Chrome.
@Suite("R8 laws of Chrome's format")
struct ChromeTraceLaws {
  @Test("R8 a trace is JSON in which work begins and ends once, and arrows lead forwards")
  func laws() throws {
    for seed in LawPrograms.seeds(100) {
      var random = SeededRandom(seed: seed)
      let events = Self.recording(&random)
      let records = try Self.read(ChromeTrace(events).json)
      try Self.checkWork(records, events, seed)
      Self.checkArrows(records, events, seed)
      Self.checkSlices(records, events, seed)
    }
  }

  @Test("R8 stores are processes, and texts stay as they are")
  func names() throws {
    let records = try Self.read(ChromeTrace(HeatedRoom.events).json)
    #expect(records.first?.ph == "M")
    #expect(records.first?.args == ["name": "room"])
    #expect(
      records.contains { $0.ph == "X" && $0.name == "celsius 20.0 → 17.0" && $0.ts == 1_500_100 })
    #expect(records.contains { $0.ph == "b" && $0.name == ".turn(on: true)" && $0.id == "1.5" })
    #expect(records.contains { $0.ph == "e" && $0.id == "1.5" && $0.ts == 1_700_100 })
  }

  private struct Trace: Decodable { let traceEvents: [ChromeTrace.Record] }

  private static func read(_ json: Data) throws -> [ChromeTrace.Record] {
    try JSONDecoder().decode(Trace.self, from: json).traceEvents
  }

  private static func checkWork(
    _ records: [ChromeTrace.Record], _ events: [TraceEvent], _ seed: UInt64
  ) throws {
    let begun = records.filter { $0.ph == "b" }
    let ended = records.filter { $0.ph == "e" }
    let starts = events.filter { if case .began = $0.kind { true } else { false } }
    #expect(begun.count == starts.count, "seed \(seed)")
    #expect(Set(begun.map(\.id)).count == begun.count, "seed \(seed)")
    #expect(ended.count == begun.count, "seed \(seed)")
    for begin in begun {
      let ends = ended.filter { $0.id == begin.id }
      let end = try #require(ends.first, "seed \(seed)")
      #expect(ends.count == 1 && end.ts >= begin.ts && end.name == begin.name, "seed \(seed)")
      #expect(end.pid == begin.pid && end.cat == begin.cat, "seed \(seed)")
    }
  }

  private static func checkArrows(
    _ records: [ChromeTrace.Record], _ events: [TraceEvent], _ seed: UInt64
  ) {
    let known = Set(events.compactMap(\.key))
    let caused = events.filter { $0.causeKey.map { known.contains($0) } ?? false }
    let starts = records.filter { $0.ph == "s" }
    let ends = records.filter { $0.ph == "f" }
    #expect(starts.count == caused.count && ends.count == caused.count, "seed \(seed)")
    #expect(Set(starts.map(\.id)).count == starts.count, "seed \(seed)")
    // The times of the slices, by the events that they show.
    let slices = Dictionary(
      records.filter { $0.ph == "X" }.compactMap { slice in
        slice.args?["id"].flatMap { Int($0) }
          .map { (EventKey(store: slice.pid, id: $0), slice.ts) }
      }, uniquingKeysWith: { first, _ in first })
    for (event, (start, end)) in zip(caused, zip(starts, ends)) {
      #expect(start.id == end.id && start.ts < end.ts, "seed \(seed)")
      #expect(start.pid == event.store && end.pid == event.store, "seed \(seed)")
      #expect(start.ts == event.causeKey.flatMap { slices[$0] }, "seed \(seed)")
      #expect(end.ts == event.key.flatMap { slices[$0] }, "seed \(seed)")
    }
  }

  private static func checkSlices(
    _ records: [ChromeTrace.Record], _ events: [TraceEvent], _ seed: UInt64
  ) {
    let slices = records.filter { $0.ph == "X" }
    #expect(slices.count == events.count(where: \.isShown), "seed \(seed)")
    for (slice, next) in zip(slices, slices.dropFirst()) {
      #expect(slice.ts + (slice.dur ?? 0) <= next.ts + 0.001, "seed \(seed)")
    }
  }

  /// Events of two stores, of which some are missing, and whose times may be equal.
  private static func recording(_ random: inout SeededRandom) -> [TraceEvent] {
    var time = 0.0
    var open: [(store: Int, id: Int)] = []
    return (1...(1 + random.below(60))).map { id in
      if !random.oneIn(3) { time += Double(random.below(1_000)) / 1e6 }
      let store = 1 + random.below(2)
      let cause = random.oneIn(3) ? nil : random.below(id)
      let action = ValueTree.string("action \"\(id)\" \\ \u{1}")
      switch random.below(4) {
      case 0:
        open.append((store, id))
        return TraceEvent(
          store: store, id: id, cause: cause, work: id, time: time, kind: .began(.action(action)))
      case 1 where !open.isEmpty:
        // Sometimes twice.
        let (store, work) = random.pick(open)
        return TraceEvent(
          store: store, id: id, cause: work, work: work, time: time,
          kind: random.oneIn(2)
            ? .finished(.action(action), seconds: 1)
            : .cancelled(.action(action), .requested(by: nil)))
      case 2: return TraceEvent(store: nil, time: time, kind: .advanced(seconds: "1"))
      default:
        return TraceEvent(
          store: store, id: id, cause: cause, time: time, kind: .hookFired(name: "h", action))
      }
    }
  }
}
