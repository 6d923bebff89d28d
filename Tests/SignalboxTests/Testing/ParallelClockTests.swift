import Signalbox
import SignalboxTesting
import Testing

/// An argument that looks the same as other arguments of its type.
private final class Twin: Sendable, CustomStringConvertible {
  var description: String { "twin" }
}

/// The stores and the clock belong to the suite, as tests have them.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ParallelClockTests {
  /// The store that hangs, by test.
  private static var hanging: [String: DeskTest] = [:]
  private static let gate = StoreGate()

  private let clock = TestClock()
  private let store: DeskTest

  init() {
    store = DeskTest(
      state: Desk(),
      actionable: Handling { [clock] job, store in
        if job == "hang" { try await Self.gate.pass("never") }
        for _ in 0..<5 {
          await farAway()
          try await clock.sleep(for: .seconds(1))
          store.count += 1
        }
      })
  }

  @Test("T3 sixteen tests advance their own clocks at the same time", arguments: 0..<16)
  func sixteen(number: Int) async {
    for round in 0..<20 {
      store.count = 0
      store.send("go")
      for second in 1...5 {
        await clock.advance(by: .seconds(1), timeout: .seconds(60))
        #expect(store.count == second, "test \(number), round \(round)")
      }
    }
    #expect(clock.now.offset == .seconds(100))
  }

  @Test("T3 what hangs in one case of a test is not waited for in another", arguments: 0..<4)
  func hangs(number: Int) async { await hangsOnce(in: "numbers") }

  @Test(
    "T3 the hanging work of one case does not delay a case with an identical argument",
    arguments: [Twin(), Twin(), Twin(), Twin()])
  private func hangs(twin: Twin) async { await hangsOnce(in: "twins") }

  /// The first case leaves a store behind that hangs.
  ///
  /// Its own clock waits for that store. The clocks of the other cases do not.
  private func hangsOnce(in test: String) async {
    if Self.hanging[test] == nil {
      Self.hanging[test] = store
      store.send("hang")
      let found = await failures {
        await clock.advance(by: .seconds(1), timeout: .milliseconds(5))
      }
      #expect(found.only.contains("slept on a test clock: hang."))
    } else {
      store.send("go")
      await clock.advance(by: .seconds(5), timeout: .seconds(60))
      #expect(store.count == 5)
    }
  }

  @Test("T3 T9 no clock waits for a store that was made outside of any test")
  func madeElsewhere() async {
    let other = await Task.detached {
      await MainActor.run {
        let other = DeskTest(
          state: Desk(), actionable: Handling { _, _ in try await Self.gate.pass("never") })
        other.send("hang")
        return other
      }
    }.value
    store.send("go")
    await clock.advance(by: .seconds(5), timeout: .seconds(60))
    #expect(store.count == 5)
    other.cancelAll()
  }
}
