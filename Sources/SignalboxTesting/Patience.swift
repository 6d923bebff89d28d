/// A timeout that passes only while all that is left waits for the outside (T7).
///
///     rest ──▶ condition? ──▶ pause for a slice ──▶ a change: begin again
///       ▲                            └────────────▶ nothing: one slice less
///       └──────────────────────────────────────────────┘
///
/// Between two slices, the main actor has many turns, so work that only yields there does not count
/// as waiting.
@MainActor struct Patience {
  enum End {
    case happened
    /// The time is up, and nothing happens any more.
    case elapsed
    /// Work runs without an end, or blocks a thread.
    case restless
    case cancelled
  }

  private let scope: TestScope
  private let timeout: Duration
  private let slice: Duration
  private let slices: Int
  /// The number of turns of the main actor in a slice.
  private let turns: Int
  /// The number of rests after which work that always changes something counts as restless.
  private let mostRests: Int

  /// The number of turns of the main actor after a rest, for work that still runs there.
  private let turnsAtRest = 100

  /// Whether the wait is not a call of the test.
  private let isWatch: Bool

  init(
    _ timeout: Duration = .seconds(1), mostRests: Int = 30_000, isWatch: Bool = false,
    in scope: TestScope
  ) {
    self.scope = scope
    self.isWatch = isWatch
    self.mostRests = mostRests
    // At most a century, so that the number of slices fits into an `Int`. In an exploration, no time
    // passes, because what a real clock wakes in time would differ from run to run.
    self.timeout =
      scope.isExplored ? .zero : min(max(timeout, .zero), .seconds(100 * 365 * 86_400))
    slices = self.timeout == .zero ? 0 : max(20, Int(self.timeout / .milliseconds(50)))
    slice = slices == 0 ? .zero : self.timeout / slices
    turns = slices == 0 ? 0 : max(1, 1_000 / slices)
  }

  /// Waits until a condition holds, whatever else goes on.
  func wait(until condition: () -> Bool) async -> End {
    if condition() { return .happened }
    let end = await waitForRest(until: condition)
    return end == .restless && condition() ? .happened : end
  }

  /// Waits until everything rests and a condition holds.
  func waitForRest(until condition: () -> Bool) async -> End {
    if !isWatch { scope.waits.callBegins(in: scope) }
    defer { if !isWatch { scope.waits.callEnds(in: scope) } }
    let activity = scope.activity
    var left = slices
    // Changes that never end, such as those of a ticking source, must not hang a test.
    var pauses = max(slices * 30, 1_200)
    for _ in 0..<mostRests {
      let before = activity.changes
      switch await rest() {
      case .cancelled: return .cancelled
      case .restless: return .restless
      case .resting: break
      }
      let resting = activity.changes
      let holds = condition()
      // The condition may have delivered posted values.
      if activity.changes != resting { continue }
      if holds { return .happened }
      if resting != before || left == slices {
        left = slices
        // Work that waits for nothing known may still run on the main actor.
        if await takeTurns(turnsAtRest) { continue }
      }
      guard left > 0, pauses > 0 else { return .elapsed }
      await activity.pause(until: .change, atMost: slice)
      if await !takeTurns(turns, since: resting) { left -= 1 }
      pauses -= 1
    }
    return .restless
  }

  private func rest() async -> Activity.Rest {
    let limits = Activity.JobLimits(
      idle: max(timeout, .seconds(5)), busy: max(timeout, .seconds(60)))
    return await scope.activity.rest(limits) { scope.turnsOfRest }
  }

  /// Gives the main actor turns until something changes, and returns whether it has.
  private func takeTurns(_ count: Int, since changes: Int? = nil) async -> Bool {
    let before = changes ?? scope.activity.changes
    for _ in 0..<count where scope.activity.changes == before && !Task.isCancelled {
      await Activity.turn()
    }
    return scope.activity.changes != before
  }
}
