/// A change on top of the truth, from when it is made to its end.
///
///     pending ──▶ leaving ──▶ over
///        └────────────────────▲
@MainActor final class TentativeChange {
  enum Step { case pending, confirmed, takenBack }

  /// What leads to a step.
  enum Origin {
    /// The work that made the change, or its end, which an event reports.
    case work(event: Int?)
    /// Code that has the handle of the change.
    case caller
  }

  /// Reports a step, and returns the writer of the commit that follows; `nil` if the store has ended.
  typealias Report = @MainActor (Step, Origin) -> (any Writer)?

  private enum Stage {
    case pending
    /// It is shown, and its end has begun.
    case leaving
    case over
  }

  let node: StateNode
  /// The outermost state, which was that of the changed one when the change was made.
  let root: StateNode
  private var stage = Stage.pending
  /// What it does to the state in memory; `nil` once it is over.
  private var body: (@MainActor () -> Void)?
  private var report: Report?

  init(in node: StateNode, report: @escaping Report, _ body: @escaping @MainActor () -> Void) {
    self.node = node
    root = node.root
    self.report = report
    self.body = body
  }

  var isPending: Bool { if case .pending = stage { true } else { false } }

  func apply() { body?() }

  func begin() {
    // A recorder of the event may end the work, and with it the change.
    guard let writer = report?(.pending, .work(event: nil)), isPending, !root.isClosed else {
      return release()
    }
    let changes = root.transaction.optimistic ?? root.makeOptimisticChanges()
    root.transaction.optimistic = changes
    changes.add(self, by: writer)
  }

  /// Notes that its end has begun, so that its handle does not end it.
  func leave() { if isPending { stage = .leaving } }

  /// Ends changes of one outermost state in one commit, unless they are over.
  // A body may change the truth in their place.
  static func end(
    _ changes: [TentativeChange], as step: Step, by origin: Origin, _ body: (() -> Void)? = nil
  ) {
    let changes = changes.filter { if case .over = $0.stage { false } else { true } }
    // Set before the events, so that a recorder cannot end them once more.
    for change in changes { change.stage = .over }
    var writer: (any Writer)?
    for change in changes { writer = change.report?(step, origin) }
    // Without a writer, the store has ended, and the changes stay in what is shown.
    guard let writer, let root = changes.first?.root else { return }
    root.transaction.optimistic?.remove(changes, by: writer, body)
    for change in changes { change.release() }
  }

  func release() {
    let held = (body, report)
    (body, report) = (nil, nil)
    withExtendedLifetime(held) {}
  }
}
