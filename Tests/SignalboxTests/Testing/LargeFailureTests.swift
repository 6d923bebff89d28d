import Signalbox
import SignalboxTesting
import Testing

private struct Huge: Equatable {
  var items = Array(0..<10_000)
  var names = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("name\($0)", $0) })
  var tags = Set(0..<10_000)
  var text = String(repeating: "text\n", count: 10_000)
  var count = 0
}

/// An error with a very long description.
private struct Wordy: Error, CustomStringConvertible {
  var description: String { String(repeating: "and on\n", count: 1_000) }
}

/// Tests that every failure fits on a screen and takes almost no time.
@Suite(.timeLimit(.minutes(60))) @MainActor struct LargeFailureTests {
  private func expectFits(
    _ text: String, width: Int = 300, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 30, sourceLocation: sourceLocation)
    #expect(lines.allSatisfy { $0.count <= width }, sourceLocation: sourceLocation)
  }

  private func failure(_ change: @escaping @MainActor (inout Huge) -> Void) async -> String {
    let store = TestStore<Huge, Job>(
      state: Huge(), actionable: Handling { _, store in store.update { change(&$0) } },
      exhaustive: true)
    return await failures { await store.dispatch("go") { _ in } }.only
  }

  @Test("T4 one changed element of ten thousand takes one line")
  func oneElement() async {
    let text = await failure { $0.items[7_000] = -1 }
    expectFits(text)
    #expect(text.section("Difference:") == ["items[7000]: 7000 → -1"])
    #expect(text.section("Write instead:") == ["$0.items[7000] = -1"])
  }

  @Test("T4 one element more than ten thousand takes one line")
  func oneMore() async {
    let text = await failure { $0.items.append(-1) }
    expectFits(text)
    #expect(text.section("Difference:") == ["+ items[10000]: -1"])
    #expect(text.section("Write instead:") == ["$0.items.append(-1)"])
  }

  @Test("T4 one changed entry of ten thousand takes one line")
  func oneEntry() async {
    let text = await failure { $0.names["name77"] = -1 }
    expectFits(text)
    #expect(text.section("Difference:") == ["names[\"name77\"]: 77 → -1"])
  }

  @Test("T4 ten thousand changed elements take a few lines that say how many more there are")
  func everything() async {
    let text = await failure {
      for index in $0.items.indices { $0.items[index] += 1 }
      for key in $0.names.keys { $0.names[key] = 0 }
      $0.tags = []
      $0.text += "more"
    }
    expectFits(text)
    #expect(text.section("Difference:").count == 9)
    #expect(text.section("Difference:").last == "… 9996 more")
  }

  @Test("T4 a failure shows the last few of ten thousand events")
  func events() async {
    let store = TestStore<Huge, Job>(
      state: Huge(),
      actionable: Handling { _, store in
        for _ in 0..<10_000 { store.count += 1 }
      })
    let text = await failures { await store.dispatch("go") { $0.count = 1 } }.only
    expectFits(text)
    #expect(text.section("Last events:").count == 9)
    #expect(text.section("Last events:").first == "… 9994 before")
    #expect(text.section("Last events:")[7] == "count: 9999 → 10000  ← go")
  }

  @Test("T4 a failure shows the first few of a thousand unasserted actions and pieces of work")
  func manyActions() async {
    let gate = StoreGate()
    let store = DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        if job == "go" {
          for number in 0..<1_000 { store.send(Job("number \(number)")) }
        } else if job.text.hasSuffix("7") {
          try await gate.pass("never")
        }
      }, exhaustive: true)
    store.send("go")
    let texts = await failures {
      await store.receive("missing", timeout: .zero)
      await store.finish(timeout: .zero)
    }
    #expect(texts.count == 2)
    for text in texts { expectFits(text) }
    store.cancelAll()
    let rest = await failures { await store.finish(timeout: .zero) }
    #expect(rest.count == 1)
    for text in rest { expectFits(text) }
    for _ in 0..<100 { gate.open("never") }
  }

  @Test("T4 a description of many lines takes one line")
  func wordy() async {
    let store = DeskTest(state: Desk(), actionable: Handling { _, _ in throw Wordy() })
    let texts = await failures {
      await store.dispatch("go") { $0.count = 1 }
      await store.finish()
    }
    #expect(texts.count == 2)
    // A line is never cut (T11).
    for text in texts { expectFits(text, width: .max) }
  }
}
