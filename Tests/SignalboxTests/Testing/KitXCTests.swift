import Foundation
import Signalbox
import SignalboxTesting
import XCTest

/// Tests the test kit from XCTest.
final class KitXCTests: XCTestCase {
  private struct Failure {
    let text: String
    let file: String
    let line: Int
  }

  // XCTest runs its tests one after the other and records issues in the test that runs.
  private nonisolated(unsafe) var caught: [Failure]?

  #if canImport(Darwin)
  override func record(_ issue: XCTIssue) {
    guard unsafe caught != nil else { return super.record(issue) }
    let location = issue.sourceCodeContext.location
    unsafe caught?.append(
      Failure(
        text: issue.compactDescription, file: location?.fileURL.path ?? "",
        line: location?.lineNumber ?? 0))
  }
  #else
  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    guard unsafe caught != nil else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    unsafe caught?.append(Failure(text: description, file: filePath, line: lineNumber))
  }
  #endif

  /// Records the failures of a body, which are not failures of this test.
  @MainActor private func failures(of body: @MainActor () async -> Void) async -> [Failure] {
    unsafe caught = []
    await body()
    defer { unsafe caught = nil }
    return unsafe caught ?? []
  }

  @MainActor private func makeStore(_ clock: TestClock, _ input: Emitter<String>) -> DeskTest {
    DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in
          input.debounce(for: .seconds(1), clock: clock).sink { store.dispatch(Job($0)) }
        },
        handle: { job, store in
          await farAway()
          try await clock.sleep(for: .seconds(1))
          store.title = job.text
        }))
  }

  @MainActor
  func test_T3_aClockWaitsForTheStoresOfAnXCTest() async {
    let (clock, input) = (TestClock(), Emitter<String>())
    let store = makeStore(clock, input)
    input.send("a")
    await clock.advance(by: .seconds(1), timeout: .seconds(60))
    XCTAssertEqual(store.triggeredActions, ["a"])
    XCTAssertEqual(store.title, "")
    await clock.advance(by: .seconds(1), timeout: .seconds(60))
    XCTAssertEqual(store.title, "a")
    await store.finish()
  }

  @MainActor
  func test_I4_I5_anExplorationWorksInXCTest() async {
    var line = 0
    let failures = await failures {
      line = #line + 1
      let report = await explore { world in
        let lookup = world.endpoint("lookup") { (text: String) in text }
        let store = DeskTest(
          state: Desk(),
          actionable: Handling { job, store in store.title = try await lookup(job.text) })
        world.finally("b is last") { store.title == "b" }
        store.send("a")
        store.send("b")
        await world.run()
      }
      XCTAssertEqual(report.orders, 2)
    }
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssert(failures.first?.text.contains("finally \"b is last\" does not hold.") ?? false)
  }

  @MainActor
  func test_T2_testHookWorksInXCTest() async {
    let input = Emitter<String>()
    let store = await TestStore.testHook(
      .only, trigger: input.send("a"), state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in input.sink { store.title = $0 } }), timeout: .seconds(60))
    XCTAssertTrue(store.didTriggerHook)
    XCTAssertEqual(store.title, "a")
  }

  /// A store of one test that outlives it, as the property of a test case would.
  @MainActor private static var leftOver: DeskTest?

  @MainActor
  func test_T9_a_leavesAStoreBehindThatHangs() {
    let gate = StoreGate()
    Self.leftOver = DeskTest(
      state: Desk(), actionable: Handling { _, _ in try await gate.pass("never") })
    Self.leftOver?.send("hang")
    XCTAssertEqual(Self.leftOver?.runningCount, 1)
  }

  @MainActor
  func test_T9_b_doesNotWaitForTheStoreOfAnotherTest() async {
    let clock = TestClock()
    let found = await failures {
      await clock.advance(by: .seconds(1), timeout: .milliseconds(5))
    }
    XCTAssertEqual(found.count, 0)
    Self.leftOver?.cancelAll()
    Self.leftOver = nil
  }

  @MainActor
  func test_T4_aFailureInXCTestIsAtTheCallersLineAndSaysTheSame() async {
    let store = DeskTest(
      state: Desk(), actionable: Handling { job, store in store.title = job.text })
    let line = #line + 2
    let failures = await failures {
      await store.dispatch("stop") { $0.title = "go" }
    }
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertEqual(failures.first?.file, "\(#filePath)")
    let text = masked(failures.first?.text ?? "")
    XCTAssertTrue(
      text.hasSuffix(
        """
        dispatch(stop): the state is not as expected.
        Difference:
          title: expected "go", is "stop"
        Last events:
          dispatched stop
          title: "" → "stop"  ← stop
          finished stop after … ms
        Write instead:
          $0.title = "stop"
        """), text)
  }

  @MainActor
  func test_T4_aHookThatNeverFiresAndAClockThatWaitsInVainFailInXCTest() async {
    let gate = StoreGate()
    let (clock, input) = (TestClock(), Emitter<String>())
    let store = DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, _ in input.sink { _ in } },
        handle: { _, _ in try await gate.pass("never") }))
    store.send("lookup")
    let line = #line
    let failures = await failures {
      await store.hook(OneHook.only, timeout: .zero) {}
      await clock.advance(by: .seconds(1), timeout: .zero)
      await store.settle(timeout: .zero)
    }
    XCTAssertEqual(failures.map { $0.line - line }, [2, 3, 4])
    XCTAssertTrue(failures.allSatisfy { $0.text.contains("lookup") })
    gate.open("never")
  }

  @MainActor func test_T9_aStoreOfSeveralTestsMovesFromTestToTest_1() async {
    Shared.store.send("first")
    await Shared.clock.advance(by: .seconds(1))
    XCTAssertEqual(Shared.store.title, "first")
  }

  @MainActor func test_T9_aStoreOfSeveralTestsMovesFromTestToTest_2() async {
    Shared.store.send("second")
    await Shared.clock.advance(by: .seconds(1))
    XCTAssertEqual(Shared.store.title, "second")
  }
}

/// What several tests share.
@MainActor private enum Shared {
  static let clock = TestClock()
  static let store = makeStore()

  private static func makeStore() -> DeskTest {
    DeskTest(
      state: Desk(),
      actionable: Handling { job, store in
        try await clock.sleep(for: .seconds(1))
        for _ in 0..<10 { await farAway() }
        store.title = job.text
      })
  }
}
