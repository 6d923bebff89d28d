/// The scope and the work of one run; the managed work of a transducer is a subclass.
class RunScope<State, Action>: Scope<State, Action> {
  typealias Operation = @MainActor (MutatingStore<State, Action>) async throws -> Void

  final let id: (any Hashable & Sendable)?
  private let priority: TaskPriority?
  /// What the run does; `nil` once the run has started or was cancelled.
  private var operation: Operation?
  final var maker: Action?

  /// - Parameter maker: the action whose `onError` gets errors. Its scope is not kept, because an
  ///   endless chain of work that starts work would keep all of its predecessors (A10).
  init(
    id: (any Hashable & Sendable)?, priority: TaskPriority?, parent: Work?,
    maker: Action?, in engine: Engine<State, Action>,
    _ operation: Operation?
  ) {
    self.id = id
    self.priority = priority
    self.operation = operation
    self.maker = maker
    super.init(name: id.map { WorkName($0) }, parent: parent, in: engine)
  }

  override var origin: Action? { maker }
  override var writerName: String { "a run" }
  override var description: String {
    id.map { "run \(Dump.description(of: $0))" } ?? "a run without a name"
  }

  func body() async throws {
    guard let operation = operation.take() else { return }
    try await operation(MutatingStore(self))
  }

  override func handle(_ error: any Error) { engine.handle(error, of: maker, in: self) }

  /// Reports the start of the run, whose writes have the same cause as the run itself.
  final func begin(cause: Int?) {
    self.cause = cause
    reportBeginning(.runStarted(id: id), isCause: false)
  }

  // A hook that is being closed may cancel the run that is ahead of this one in the queue.
  var mayStart: Bool { !engine.isClosed }

  override func makeTask() -> Task<Void, any Error>? {
    guard mayStart else { return nil }
    return causing { startTask(priority: priority) }
  }

  final override func run() async {
    do {
      try await body()
      hasFinished()
    } catch {
      hasThrown(error)
    }
  }

  override func wasCancelled(_ reason: CancelReason) -> Int? {
    // Released last, because objects that it captured may call back when they are released.
    let operation = operation.take()
    defer { withExtendedLifetime(operation) {} }
    detach()
    return reportCancelled(.runCancelled(id: id), reason)
  }

  override func leaderHasEnded(_ result: Result<Void, any Error>) {
    let operation = operation.take()
    defer { withExtendedLifetime(operation) {} }
    switch result {
    case .success: reportFinished()
    case .failure(let error): reportFailed(error)
    }
  }

  override func hasEnded(_ result: Result<Void, any Error>) -> Int? {
    if case .success = result { reportFinished() } else { nil }
  }

  @discardableResult override final func reportFailed(_ error: any Error) -> Int? {
    report(.runFailed(id: id, error))
  }

  @discardableResult private func reportFinished() -> Int? {
    began.flatMap { report(.runFinished(id: id, $0.age)) }
  }
}
