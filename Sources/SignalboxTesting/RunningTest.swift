import Signalbox
import Testing
import XCTest

/// Identifies the test that runs, in Swift Testing or in XCTest.
enum RunningTest: Hashable, Sendable {
  /// - Parameter arguments: the arguments of a parameterized test, whose cases run side by side.
  case swiftTesting(Test.ID, arguments: String)
  /// - Parameter number: the number of the test case that runs, because XCTest names none.
  case xcTest(number: Int)

  /// The running test, if Swift Testing runs it and this is one of its tasks.
  static var inSwiftTesting: RunningTest? {
    Test.current.map { test in
      .swiftTesting(
        test.id, arguments: Test.Case.current.map { String(reflecting: $0) } ?? "")
    }
  }

  @MainActor static var isKnown: Bool {
    Test.current != nil || XCTestWatcher.shared.number > 0
  }

  /// The running test; outside of any test of Swift Testing, the test that XCTest runs.
  @MainActor static var current: RunningTest {
    inSwiftTesting ?? .xcTest(number: XCTestWatcher.shared.number)
  }
}

/// Counts the test cases that XCTest starts, one at a time, and whose names only observers get.
@MainActor final class XCTestWatcher: NSObject, XCTestObservation {
  static let shared: XCTestWatcher = {
    let watcher = XCTestWatcher()
    XCTestObservationCenter.shared.addTestObserver(watcher)
    return watcher
  }()

  // Guarded, because XCTest calls its observers outside of the main actor's isolation.
  private nonisolated let started = LockedValue((number: 0, name: String?.none))

  /// The number of test cases that have started since the first test store was made.
  var number: Int { started.withLock { $0.number } }
  /// The name of the last of them, as in `ChatTests.testSearch`.
  var name: String? { started.withLock { $0.name } }

  nonisolated func testCaseWillStart(_ testCase: XCTestCase) {
    // `-[ChatTests testSearch]` on Apple platforms, `ChatTests.testSearch` elsewhere.
    let name = testCase.name.replacing("-[", with: "").replacing("]", with: "")
      .replacing(" ", with: ".")
    started.withLock { $0 = ($0.number + 1, name) }
  }
}
