import Signalbox
import SignalboxTesting

/// Makes a test store whose actions are a closure.
@MainActor func makeDeskTest(
  _ handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void
) -> DeskTest {
  DeskTest(state: Desk(), actionable: Handling(handle))
}

/// Explores a scenario and returns the report with the texts of the failures.
@MainActor func explored(
  limit: Int = 10_000, _ scenario: @escaping @MainActor (Exploration) async throws -> Void
) async -> (report: ExplorationReport?, texts: [String]) {
  var report: ExplorationReport?
  let texts = await kitFailures { report = await explore(limit: limit, scenario) }.map(\.text)
  return (report, texts)
}

extension Exploration {
  /// Runs, and tells whether a crash has ended the run.
  func runEndsInCrash() async -> Bool {
    var hasCrashed = true
    finally("the run has ended without a crash") {
      hasCrashed = false
      return true
    }
    await run()
    return hasCrashed
  }
}
