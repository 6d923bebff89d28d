/// The dispatches of events in progress, which start nothing more for cancelled events (X7).
@MainActor struct Dispatches {
  private var depth = 0
  // Not their settlements, which end with their last handle.
  private var cancelled: [WorkWaiters] = []

  mutating func begin() { depth += 1 }

  mutating func end() {
    depth -= 1
    if depth == 0, !cancelled.isEmpty { cancelled = [] }
  }

  mutating func add(_ event: WorkWaiters) { if depth > 0 { cancelled.append(event) } }

  /// Whether an event was cancelled that has led to a piece of work.
  func haveCancelled(_ work: Work) -> Bool {
    cancelled.contains { $0.startedWork.map(work.wasStarted) ?? false }
  }
}
