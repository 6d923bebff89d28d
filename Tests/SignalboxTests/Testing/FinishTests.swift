import Signalbox
import SignalboxTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct FinishTests {
  private let input = Emitter<String>()
  private let clock = TestClock()
  private let gate = StoreGate()

  private func makeStore(exhaustive: Bool = false) -> DeskTest {
    DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.assign(toAction: { Job($0) }, using: store) },
        handle: { [clock, gate] job, store in
          switch job.text {
          case "sleep": try await clock.sleep(for: .seconds(1))
          case "hang": try await gate.pass("never")
          default: store.title = job.text
          }
        }), exhaustive: exhaustive)
  }

  private func headlines(_ body: @MainActor () async -> Void) async -> [String] {
    await failures(of: body).map(\.headline)
  }

  @Test("T5 finish of an exhaustive store requires that everything was asserted")
  func finish() async {
    let store = makeStore(exhaustive: true)
    input.send("a")
    let texts = await failures { await store.finish() }
    #expect(
      texts.map(\.headline) == [
        "Received and not asserted: a.", "finish(): changed although nothing was expected.",
      ])
    let free = makeStore()
    input.send("a")
    #expect(await failures { await free.finish() }.isEmpty)
  }

  @Test("T5 finish of any store fails if work is busy, and of an exhaustive store if work sleeps")
  func finishBusy() async {
    for exhaustive in [false, true] {
      let store = makeStore(exhaustive: exhaustive)
      store.send("sleep")
      let asleep = await headlines { await store.finish() }
      #expect(asleep == (exhaustive ? ["finish(): still running at the end: sleep."] : []))
      store.send("hang")
      let busy = await headlines { await store.finish(timeout: .zero) }
      #expect(
        busy == ["finish(): still running at the end: hang. Waited for 0.0 seconds."])
      store.cancelAll()
      gate.open("never")
    }
  }

  @Test("T5 the failure of a dispatch whose action only sleeps suggests what to write instead")
  func dispatchAsleep() async {
    let store = makeStore()
    let texts = await failures { await store.dispatch("sleep") }
    #expect(
      texts.only.headline
        == "sleep has not ended: it sleeps on a test clock, which was not advanced.")
    let first = texts.only.section("Write instead:").first
    #expect(first == "store.send(Job(text: \"sleep\", id: nil, overlap: .latest))")
    store.cancelAll()
  }

  @Test("T4 the failure of each assertion is recorded at its own line")
  func places() async {
    let store = makeStore(exhaustive: true)
    let line = #line
    let failures = await kitFailures {
      await store.dispatch("a") { _ in }
      await store.hook(OneHook.only, trigger: { input.send("b") }, expecting: { _ in })
      await store.receive("x", timeout: .zero)
      store.expect { $0.count = 9 }
      await store.finish()
    }
    #expect(failures.map { $0.line - line } == [2, 3, 4, 5, 6])
    #expect(failures.allSatisfy { $0.fileID == #fileID })
  }

  /// The locations of issues that `issue` expects, which it leaves out of the test's result.
  private nonisolated static let expectedIssues = Mutex<[SourceLocation?]>([])

  @Test(
    "T4 a failure is an issue of the running test, at the caller's line",
    .filterIssues { issue in
      guard issue.comments.first?.rawValue.hasPrefix("expect: nothing changed.") == true else {
        return true
      }
      FinishTests.expectedIssues.withLock { $0.append(issue.sourceLocation) }
      return false
    })
  func issue() {
    let store = makeStore()
    let line = #line + 1
    store.expect { $0.count = 9 }
    let places = Self.expectedIssues.withLock { $0 }
    #expect(places.map { $0?.line } == [line])
    #expect(places.map { $0?.fileID } == [#fileID])
  }
}
