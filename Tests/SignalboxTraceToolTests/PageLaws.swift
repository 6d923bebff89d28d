import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

/// How the script of a page applies the changes of random recordings.
@Suite(
  "R3 R6 laws of the page",
  .enabled(if: Browser.executable != nil, Browser.isMissing),
  .serialized, .timeLimit(.minutes(60)))
struct PageLaws {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("R3 R6 the changes that a page applies lead to the state after each event")
  func states() async throws {
    var events: [TraceEvent] = []
    var expected: [ValueTree] = []
    for seed in LawPrograms.seeds(20) {
      var random = SeededRandom(seed: seed)
      let store = Int(seed)
      let guests = (0..<3).map { _ in Kiosk.Guest() }
      var state = Kiosk()
      events.append(
        TraceEvent(
          store: store, time: 0, kind: .store(.init(name: nil, state: "Kiosk", action: "Never"))))
      events.append(TraceEvent(store: store, id: 1, time: 0, kind: .started(ValueTree(state))))
      expected.append(ValueTree(state))
      for id in 2...15 {
        let before = state
        state.change(&random, guests)
        let edits = ValueDifference.changes(from: before, to: state).edits
        events.append(TraceEvent(store: store, id: id, time: 0, kind: .changed(edits)))
        expected.append(ValueTree(state))
      }
    }
    let page = try await Browser.showing(HeatedRoom.text(of: events), in: folder)
    // Written as a recording, which reads values from their JSON.
    let lines = try await page.evaluate(
      """
      (() => {
        const recording = new Recording($("recording").textContent);
        return Array.from({ length: recording.count }, (_, event) => JSON.stringify(
          { kind: "state", store: 1, t: 0, state: recording.state(event) })).join("\\n");
      })()
      """)
    let (_, states) = try TraceReader.read(Array((HeatedRoom.header.line + lines + "\n").utf8))
    #expect(states.count == expected.count)
    for (place, (event, tree)) in zip(states, expected).enumerated() {
      guard case .state(let state) = event.kind else { continue }
      try #require(state.matches(tree), "event \(place)")
    }
  }

  @Test("R3 R6 a page leaves a part alone that a change does not fit")
  func misfits() async throws {
    let page = try await Browser.showing(HeatedRoom.text, in: folder)
    for change in [
      #"{ at: ["a", { key: 2 }], from: 1 }"#, #"{ at: ["a", { key: 2 }, 0], from: 1, to: 2 }"#,
      #"{ at: ["b"], out: [7], in: [] }"#, #"{ at: ["b", "x"], from: 1, to: 2 }"#,
      #"{ at: ["c", "x"], from: 1, to: 2 }"#, #"{ at: ["d"], offset: 0, from: "", to: "x" }"#,
      #"{ at: ["d"], inserted: [[0, 1]] }"#, #"{ at: ["d"], out: [], in: [1] }"#,
      #"{ at: ["d", 3], from: 1, to: 2 }"#, #"{ at: [9], from: 1, to: 2 }"#,
      // Parts that are damaged.
      #"{ at: ["e", "x"], from: 1, to: 2 }"#, #"{ at: ["f", "x"], from: 1, to: 2 }"#,
      #"{ at: ["g", { key: 1 }], from: 1 }"#, #"{ at: ["h", 0], from: 1, to: 2 }"#,
    ] {
      let result = try await page.evaluate(
        """
        (() => {
          const state = { fields: [["a", { dictionary: [[1, 1]] }], ["b", { set: [1, 1] }],
            ["c", null], ["d", 5], ["e", { fields: 5 }], ["f", { fields: [null] }],
            ["g", { dictionary: [null] }], ["h", { list: 5 }]] };
          const before = JSON.stringify(state);
          return JSON.stringify(applied([\(change)], state)) === before;
        })()
        """)
      #expect(result == "true", "\(change)")
    }
  }
}
