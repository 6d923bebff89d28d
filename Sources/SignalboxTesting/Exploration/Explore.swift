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
/// scenario throws. The failure, at the caller's line, shows the failing order with the fewest
/// faults and steps and a replay string (I5). A failure that `#expect` records counts for the test,
/// but not for the order. Use `always` and `finally` instead.
///
/// Storages and connections of the exploration may fail (I11). Orders without a fault run first, then
/// those with one, and so on. If an order fails, those with more faults than it has do not run.
///
/// - `limit`: the number of orders after which the exploration ends. Reaching it is no failure, but a
///   line on standard output says how many orders are known that did not run (I9).
/// - `faults`: the largest number of faults in an order. The default is 2.
/// - `replay`: the string of a report. Only its order runs, and its events are printed. It is a
///   failure if one of its choices is another one now.
/// - `scenario`: makes stores, states what must hold, starts work, and calls `run()`. It is called
///   once for each order and must do the same each time.
/// - Returns: the number of orders, what came of them, and the shortest failing one.
@discardableResult @MainActor public func explore(
  limit: Int = 10_000, faults: Int = 2, replay: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ scenario: @escaping @MainActor (Exploration) async throws -> Void
) async -> ExplorationReport {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  return await explore(limit, faults, replay, at: site, scenario)
}

/// Runs a scenario with every sequence of some actions, and each in every order of its answers.
///
///     await explore(sequencesOf: [Cart.Action.add, .remove, .checkOut], upTo: 3) { world in
///       let pay = world.endpoint("pay", failing: Declined()) { (sum: Int) in Receipt(sum) }
///       let store = TestStore(state: Cart(), interactor: Shop(pay: { try await pay($0) }))
///       world.always("nothing is paid twice") { store.receipts.count <= 1 }
///       return store
///     }
///
/// A sequence has any number of the actions up to `length`, also none and the same one several times.
/// The scenario does not send them: the exploration sends them to the store that the scenario
/// returns. An action may come at any moment, before, between and after the answers, the timers and
/// the optional events of what came before. Shorter sequences run before longer ones. A failure, at the
/// caller's line, is that of the shortest sequence in its shortest order (I12).
///
/// Everything else is as in `explore` without sequences: the conditions, the limit, which counts
/// orders, and the replay. But storages and connections do not fail, because a scenario that has
/// returned cannot make a new store after a crash. The report says in how many sequences each action, answer, failure,
/// optional event and hook has occurred. A line on standard output names those that never did.
///
/// - `actions`: the actions, such as `allCases`. Of equal ones, only the first counts.
/// - `length`: the largest number of actions of a sequence. With 0, only the sequence without actions
///   runs.
/// - `limit`: the number of orders, of all sequences together, after which the exploration ends.
/// - `replay`: the string of a report. `>2` in it is the second of the actions.
/// - `scenario`: makes stores, states what must hold, and returns the store that receives the actions,
///   which lives until the order ends. It may start work itself and need not call `run()`. What
///   happens in a `run()` of its own happens before the first action.
/// - Returns: the number of orders and sequences, what occurred in them, and the shortest failing one.
@discardableResult @MainActor public func explore<State: Equatable, Action>(
  sequencesOf actions: [Action], upTo length: Int, limit: Int = 10_000, replay: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ scenario: @escaping @MainActor (Exploration) async throws -> TestStore<State, Action>
) async -> ExplorationReport {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let report = await explore(limit, 0, replay, at: site) { world in
    let store = try await scenario(world)
    await world.run(sequencesOf: actions, upTo: length, in: store, at: site)
  }
  if replay == nil, report.failure == nil, let text = report.missingText {
    print("explore at \(site.description): \(text)")
  }
  return report
}

@MainActor private func explore(
  _ limit: Int, _ faults: Int, _ replay: String?, at site: CallSite,
  _ scenario: @escaping @MainActor (Exploration) async throws -> Void
) async -> ExplorationReport {
  let test = RunningTest.current
  let search = OrderSearch(scenario, in: test, limit: max(limit, 1), mostFaults: max(faults, 0))
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
