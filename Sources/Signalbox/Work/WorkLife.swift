/// The life of a piece of work, as a state machine without tasks and callers.
///
///     waiting ──began──▶ running ──failed──▶ failing
///        │                  │                   │
///        └──────────────────┴───────────────────┴──── returned, cancelled, leaderEnded ──▶ over
///
/// Work that others have joined may go on without its own caller, for whom it was cancelled.
enum WorkLife {
  /// Whether the work's own caller still waits for its outcome.
  enum Caller { case waits, hasLeft }

  enum End { case returned, cancelled }

  enum Event {
    /// The work's task is about to run the body.
    case began
    /// The body has thrown, and its error is handled next.
    case failed
    /// The body has returned, or its error has been handled.
    case returned
    case cancelled
    /// The work's own caller has cancelled it, and it continues for the callers that joined it.
    case callerLeft
    /// The work that this work joined has ended.
    case leaderEnded(End)
  }

  enum Answer {
    case nothing
    case runBody
    case handleError
    /// Resume the work's own caller, and continue.
    case answerCaller
    /// Resume the callers that still wait, and release the task of a body that may be running.
    case end(wasRunning: Bool)
  }

  /// It neither begins nor ends and is in no book, as what a hook does, or the code around a store.
  case unending
  /// It has not begun, and may be queued or wait for the work that it joined.
  case waiting(Caller)
  case running(Caller)
  /// The body has thrown, and its error is being handled. The handler may still write.
  case failing(Caller)
  /// Nothing that the body still does has an effect.
  case over(End)

  /// How the work has ended for its own caller; `nil` if that caller still waits.
  var end: End? {
    switch self {
    case .unending, .waiting(.waits), .running(.waits), .failing(.waits): nil
    case .waiting(.hasLeft), .running(.hasLeft), .failing(.hasLeft): .cancelled
    case .over(let end): end
    }
  }

  @inline(__always) var isOver: Bool { if case .over = self { true } else { false } }

  @inline(__always) mutating func take(_ event: Event) -> Answer {
    switch (self, event) {
    case (.over, _), (.unending, _): return .nothing
    case (.waiting(let caller), .began):
      self = .running(caller)
      return .runBody
    // On Linux, work may have made two tasks, of which the second one to run does nothing.
    case (.running, .began), (.failing, .began): return .nothing
    case (.waiting(let caller), .failed), (.running(let caller), .failed):
      self = .failing(caller)
      return .handleError
    case (.failing, .failed): return .nothing
    case (_, .callerLeft): return leave()
    case (_, .returned): return end(.returned)
    case (_, .cancelled): return end(.cancelled)
    case (_, .leaderEnded(let end)): return self.end(end)
    }
  }

  private mutating func leave() -> Answer {
    switch self {
    case .waiting(.waits): self = .waiting(.hasLeft)
    case .running(.waits): self = .running(.hasLeft)
    case .failing(.waits): self = .failing(.hasLeft)
    case .unending, .waiting(.hasLeft), .running(.hasLeft), .failing(.hasLeft), .over:
      return .nothing
    }
    return .answerCaller
  }

  @inline(__always) private mutating func end(_ end: End) -> Answer {
    let wasRunning = if case .running = self { true } else { false }
    self = .over(self.end ?? end)
    return .end(wasRunning: wasRunning)
  }
}
