import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import Testing

@testable import SignalboxTrace

/// No text about a child has a secret: what is redacted around it, in it, or in its id.
@MainActor @Suite(.timeLimit(.minutes(60))) struct HiddenChildTests {
  private typealias Home = Store<SecretHome, SecretAction>
  private typealias Child = Store<SecretHome.Cell, SecretAction>

  @Test("R3 R5 D4 children have no secret in a recording, its page, the log and why")
  func fuzzed() async {
    // A process of its own, because the log and what is redacted are global.
    await #expect(processExitsWith: .success) { @MainActor in
      SecretHome.redact()
      var texts: [String] = []
      DebugStore.print = { texts.append($0) }
      DebugStore.enableLogging()
      // Little room, so that hooks receive secrets while events are lost.
      let file = try RecordedFile(
        checkpoint: 4_000, mostWeight: 15_000, isRecorded: { type, _ in type == SecretHome.self })
      for seed in UInt64(0)..<15 {
        texts += await HiddenChildTests.run(seed: seed, file.recording)
      }
      file.recording.stop()
      let page = file.url.appendingPathExtension("html")
      try Recording.page(of: file.url, to: page)
      texts.append(String(decoding: try Data(contentsOf: file.url), as: UTF8.self))
      texts.append(String(decoding: try Data(contentsOf: page), as: UTF8.self))
      let leak = texts.lazy.flatMap { $0.split(separator: "\n") }.first { $0.contains("s3cret") }
      #expect(leak == nil, "\(leak ?? "")")
      // The programs do all that could leak.
      let all = texts.joined(separator: "\n")
      for part in [
        "plain", "dropped change", #""what":"change""#, #""kind":"hook""#, #""kind":"lost""#,
        #"\.rows[id: <redacted>]"#, #"\.table.inner[id: "plain-id"#, #"\.lockers[id: <redacted>]"#,
        #"\.shelves[id: <redacted>].inner[id: <redacted>]"#, "SecretError(code: <redacted>)",
        "hook remembered: <redacted>", #"hook text: "plain-"#, #"\.safe: hook text: <redacted>"#,
      ] { #expect(all.contains(part), "\(part)") }
    }
  }

  /// Runs a random program.
  ///
  /// - Returns: the answers of `why`.
  private static func run(seed: UInt64, _ recording: Recording) async -> [String] {
    var random = SeededRandom(seed: seed)
    var texts: [String] = []
    let gate = LawGate()
    let home = Home(state: SecretHome(), interactor: SecretKeeper(gate: gate), name: "home \(seed)")
    let holds = random.oneIn(2)
    if holds { recording.hold() }
    for turn in 0..<60 {
      if holds, turn == 30 {
        recording.release()
        recording.flush()
      }
      if random.oneIn(8) { gate.letOneGo() }
      texts += step(of: home, &random)
      // However busy the machine is, some programs lose nothing.
      if !holds { recording.flush() }
    }
    gate.open()
    await home.settle()
    return texts
  }

  private static func step(of home: Home, _ random: inout SeededRandom) -> [String] {
    let action: SecretAction =
      switch random.below(8) {
      case 0: .fail
      case 1, 2: .wait(seed: random.next())
      default: .change(seed: random.next())
      }
    var texts = ["\(home.why(\.self).steps)", "\(home.why(\.safe))", "\(home.why(\.box.cell))"]
    switch random.below(8) {
    case 0, 1, 2: home.dispatch(action)
    case 3:
      if let row = home.rows.randomElement(using: &random) {
        let child = home.child(\.rows, id: row.id, SecretRowKeeper.self)
        child?.dispatch(action)
        texts += ["\(home.why(child: \.rows, id: row.id))"]
        if let child { texts += ["\(child.why(\.text).steps)", "\(child.why(\.self))"] }
      }
    default:
      guard let child = child(of: home, &random) else { break }
      child.dispatch(action)
      texts += ["\(child.why(\.self))", "\(child.why(\.text))", "\(child.why(\.inner).steps)"]
      texts += child.inner.map { "\(child.why(child: \.inner, id: $0.id))" }
    }
    texts += home.lockers.keys.map { "\(home.why(child: \.lockers, id: $0))" }
    texts += home.keys.keys.map { "\(home.why(child: \.keys, id: $0))" }
    return texts
  }

  /// A random child, or a child of it.
  private static func child(of home: Home, _ random: inout SeededRandom) -> Child? {
    var child: Child? =
      switch random.below(8) {
      case 0: home.child(\.vault, CellKeeper.self)
      case 1: home.child(\.safe, CellKeeper.self)
      case 2: home.child(\.box.cell, CellKeeper.self)
      case 3: home.child(\.table, CellKeeper.self)
      case 4: home.child(\.drawer, CellKeeper.self)
      case 5:
        home.vaults.randomElement(using: &random).flatMap {
          home.child(\.vaults, id: $0.id, CellKeeper.self)
        }
      case 6:
        home.shelves.randomElement(using: &random).flatMap {
          home.child(\.shelves, id: $0.id, CellKeeper.self)
        }
      default:
        home.lockers.keys.sorted().randomElement(using: &random).flatMap {
          home.child(\.lockers, id: $0, CellKeeper.self)
        }
          ?? home.keys.keys.sorted { $0.code < $1.code }.randomElement(using: &random).flatMap {
            home.child(\.keys, id: $0, CellKeeper.self)
          }
      }
    while let around = child, random.oneIn(2),
      let inner = around.inner.randomElement(using: &random)
    {
      child = around.child(\.inner, id: inner.id, CellKeeper.self)
    }
    return child
  }
}
