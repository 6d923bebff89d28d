import Signalbox

/// Carries out a random program with a store, and records what its callers see.
@MainActor final class WorkStage {
  typealias Handle = MutatingStore<Desk, WorkPiece>

  private(set) var store: Store<Desk, WorkPiece>?
  let service = BodyService<WorkAct>()
  /// The captures of the interactor and of the runs.
  private(set) var captured = StoreEnds()
  private let emitter = Emitter<WorkPiece>()
  private var events: Subscription?

  private(set) var tasks: [Int: ActionTask] = [:]
  private(set) var results: [Int: WorkOracle.Outcome] = [:]
  private(set) var drops: [String] = []
  private(set) var unhandled = 0

  /// The waiting tasks, some of which have been resumed.
  private var waiters: [String: Task<Void, Never>] = [:]
  private(set) var resumed: Set<String> = []
  private var settling: Task<Void, Never>?
  private(set) var isSettled = true
  /// The callers that await a dispatch.
  private(set) var callers: [Int] = []

  init() {
    let store = Store(
      state: Desk(), interactor: Performer(stage: self, canary: canary()))
    self.store = store
    events = store.events.sink { [weak self] in self?.record($0.kind) }
  }

  func take(_ step: WorkStep) async {
    switch step {
    case .outside(let act): performOutside(act)
    case .awaited(let piece):
      guard let store else { return }
      callers.append(piece.number)
      wait("dispatch", piece.number) { await store.dispatch(piece) }
    case .hook(let piece): emitter.send(piece)
    case .order(let number, let act):
      service.tell(number, act)
      await service.arrival(of: .body(number))
    }
  }

  private func performOutside(_ act: WorkAct) {
    switch act {
    case .begin(let piece): if let task = store?.send(piece) { keep(task, of: piece) }
    case .cancel(let id): store?.cancel(id: id)
    case .cancelHandle(let number): cancelHandle(number)
    case .cancelAll: store?.cancelAll()
    case .write, .end, .fail: break
    }
  }

  // MARK: - Inside the work

  fileprivate func body(of piece: WorkPiece, _ handle: Handle) async throws {
    defer { service.happened(.body(piece.number)) }
    handle.log.append("\(piece.number)+")
    for act in piece.first where try perform(act, by: piece.number, handle) { return }
    while true {
      let act = await service.order(for: piece.number)
      if try perform(act, by: piece.number, handle) { return }
    }
  }

  /// - Returns: Whether this was the last act.
  private func perform(_ act: WorkAct, by number: Int, _ handle: Handle) throws -> Bool {
    switch act {
    case .write: handle.log.append("\(number)=")
    case .begin(let piece): begin(piece, handle)
    case .cancel(let id): handle.cancel(id: id)
    case .cancelHandle(let other): cancelHandle(other)
    case .cancelAll: store?.cancelAll()
    case .end: handle.log.append("\(number)-")
    case .fail: throw Refusal()
    }
    return act.isLast
  }

  fileprivate func begin(_ piece: WorkPiece, _ handle: Handle) {
    if piece.isRun {
      let run = handle.run(id: piece.id, overlap: piece.overlap) { [self, canary = canary()] in
        canary.sing()
        try await body(of: piece, $0)
      }
      keep(run, of: piece)
    } else {
      keep(handle.send(piece), of: piece)
    }
  }

  private func canary() -> StoreCanary {
    let canary = StoreCanary()
    captured.watch(canary)
    return canary
  }

  // MARK: - Outside the work

  private func keep(_ task: ActionTask, of piece: WorkPiece) {
    guard piece.isKept else { return }
    let number = piece.number
    tasks[number] = task
    wait("value", number) { await task.value }
    wait("settled", number) { await task.settled }
    wait("result", number) { [weak self] in
      self?.results[number] =
        switch await task.result {
        case .success: .ended
        case .failure(is CancellationError): .cancelled
        case .failure: .failed
        }
    }
  }

  private func wait(
    _ what: String, _ number: Int, _ arrival: @escaping @MainActor () async -> Void
  ) {
    let waiter = "\(what) of \(number)"
    waiters[waiter] = Task.atOnce { [weak self] in
      await arrival()
      self?.resumed.insert(waiter)
    }
  }

  private func cancelHandle(_ number: Int) {
    tasks[number]?.cancel()
    waiters["dispatch of \(number)"]?.cancel()
  }

  /// Waits until the expected tasks are resumed.
  ///
  /// If one is lost, the test exceeds its time limit.
  func arrival(of expected: Set<String>) async {
    for waiter in expected.subtracting(resumed) { await waiters[waiter]?.value }
  }

  /// Starts a task that waits until the store is idle, unless there is one already.
  func settle() {
    guard isSettled else { return }
    isSettled = false
    settling = Task.atOnce { [weak self] in
      await self?.store?.settle()
      self?.isSettled = true
    }
  }

  var settled: Void { get async { await settling?.value } }

  private func record(_ kind: StoreEvent<Desk, WorkPiece>.Kind) {
    switch kind {
    case .dropped(.change): drops.append("change")
    case .dropped(.action(let piece)): drops.append("action \(piece.number)")
    case .dropped(.run): drops.append("run")
    case .dropped(.cancel): drops.append("cancel")
    case .unhandled: unhandled += 1
    default: break
    }
  }

  func cancelCallers() async {
    for caller in callers { cancelHandle(caller) }
    for caller in callers { await waiters["dispatch of \(caller)"]?.value }
  }

  func releaseStore() { store = nil }
}

/// Handles actions as the stage says, and starts in its one hook what the stage sends.
private struct Performer: Interactor {
  let stage: WorkStage
  let canary: StoreCanary

  func onAction(_ piece: WorkPiece, store: WorkStage.Handle) async throws {
    try await stage.body(of: piece, store)
  }

  func onError(_ error: any Error, action: WorkPiece, store: WorkStage.Handle) {
    store.log.append("\(action.number)!")
  }

  func subscription(for hook: OneHook, store: WorkStage.Handle) -> Subscription {
    stage.connect { stage.begin($0, store) }
  }
}

extension WorkStage {
  fileprivate func connect(_ begin: @escaping @MainActor (WorkPiece) -> Void) -> Subscription {
    emitter.sink(begin)
  }
}
