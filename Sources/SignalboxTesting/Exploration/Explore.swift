import Signalbox

/// Runs a scenario once in every order in which its endpoints can answer, its timers can fire and its
/// optional events can happen.
///
///     await explore { world in
///       let search = world.endpoint("search", heedsCancellation: false) { (text: String) in
///         ["found \(text)"]
///       }
///       let store = TestStore(
///         state: Chat(), interactor: ChatInteractor(search: { try await search($0) }))
///       world.finally("the newest is shown") { store.found == ["found ab"] }
///       store.send(.search("a"))
///       store.send(.search("ab"))
///       await world.run()
///     }
///
/// Each order runs the scenario anew. The first order is first come, first served. The orders with
/// one deviation run next, then those with two, and so on (I4). All tasks of the stores run on the
/// main thread, one after the other, so the same choices always lead to the same run (I2).
///
/// An order fails if a condition does not hold, if an assertion of a test store fails, or if the
/// scenario throws. The failure, at the caller's line, shows the failing order with the fewest steps
/// and a replay string (I5). A failure that `#expect` records counts for the test, but not for the
/// order. Use `always` and `finally` instead.
///
/// - `limit`: the number of orders after which the exploration ends. Reaching it is no failure, but a
///   line on standard output says how many orders are known that did not run (I9).
/// - `replay`: the string of a report. Only its order runs, and its events are printed. It is a
///   failure if one of its choices is another one now.
/// - `scenario`: makes stores, states what must hold, starts work, and calls `run()`. It is called
///   once for each order and must do the same each time.
/// - Returns: the number of orders, what came of them, and the shortest failing one.
@discardableResult @MainActor public func explore(
  limit: Int = 10_000, replay: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ scenario: @escaping @MainActor (Exploration) async throws -> Void
) async -> ExplorationReport {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let test = RunningTest.current
  let search = OrderSearch(scenario, in: test, limit: max(limit, 1))
  let report: ExplorationReport
  if let replay {
    report = await search.replay(replay)
  } else {
    report = await search.run()
    if let text = report.limitText { print("explore at \(site.description): \(text)") }
  }
  if report.failure != nil { site.fail(report.description, in: test) }
  return report
}
