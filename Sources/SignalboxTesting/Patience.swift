/// A timeout that passes only while all that is left waits for the outside (T7).
///
///     rest ──▶ condition? ──▶ pause for a slice ──▶ a change: begin again
///       ▲                            └────────────▶ nothing: one slice less
///       └──────────────────────────────────────────────┘
///
/// The time is divided into slices. Between two slices the main actor has many turns, so work that
/// only yields on the main actor is not taken for work that waits.
@MainActor struct Patience {
  /// Why a wait has ended.
  enum End {
    case happened
    /// The time is up, and nothing happens any more.
    case elapsed
    /// Work runs without an end, or blocks a thread.
    case restless
    /// The waiting task was cancelled.
    case cancelled
  }

  private let activity: Activity
  private let timeout: Duration
  private let slice: Duration
  private let slices: Int
  private let turns: Int

  init(_ timeout: Duration, in activity: Activity) {
    self.activity = activity
    self.timeout = max(timeout, .zero)
    slices = self.timeout == .zero ? 0 : max(20, Int(self.timeout / .milliseconds(50)))
    slice = slices == 0 ? .zero : self.timeout / slices
    turns = slices == 0 ? 0 : max(1, 1_000 / slices)
  }

  /// Waits until a condition holds, whatever else goes on.
  func wait(until condition: () -> Bool) async -> End {
    await wait(isFirst: true, condition)
  }

  /// Waits until everything rests and a condition holds.
  func waitForRest(until condition: () -> Bool) async -> End {
    await wait(isFirst: false, condition)
  }

  private func wait(isFirst: Bool, _ condition: () -> Bool) async -> End {
    var left = slices
    // Changes that never end, such as those of a ticking source, must not hang a test.
    var most = max(slices * 30, 1_200)
    if isFirst, condition() { return .happened }
    while true {
      let before = activity.changes
      switch await activity.rest(blockedFor: max(timeout, .seconds(5))) {
      case .cancelled: return .cancelled
      case .restless: return .restless
      case .resting: break
      }
      let resting = activity.changes
      if condition() { return .happened }
      if resting != before { left = slices }
      // The condition may have delivered posted values.
      if activity.changes != resting { continue }
      guard left > 0, most > 0 else { return .elapsed }
      await activity.pause(until: .change, atMost: slice)
      for _ in 0..<turns where activity.changes == resting && !Task.isCancelled {
        await Activity.turn()
      }
      if activity.changes == resting { left -= 1 }
      most -= 1
    }
  }
}
