import Signalbox

/// Carries out a random program of requests with a store, and records the results.
@MainActor final class RequestStage {
  typealias Result = RequestOracle.Result

  private(set) var store: ClockworkStore?
  private let input: Input<Clockwork.Event, String>
  let service = BodyService<RequestOrder>()
  private var events: Subscription?
  private var callers: [Int: Task<Void, Never>] = [:]

  private(set) var results: [Int: Result] = [:]
  private(set) var unhandled = 0
  private(set) var drops = 0

  init() {
    let store = Clockwork.store()
    self.store = store
    input = store.input(of: Clockwork.self)
    events = store.events.sink { [weak self] in self?.record($0.kind) }
  }

  /// - Parameter isCurrent: Whether the body that receives the order is current.
  func take(_ step: RequestStep, isCurrent: Bool) async {
    switch step {
    case .request(let piece):
      callers[piece.number] = Task { await self.request(piece, by: self.input) }
      await service.arrival(of: .call(piece.number))
    case .send(let piece): store?.send(event(piece))
    case .cancelCaller(let number): callers[number]?.cancel()
    case .cancel(let id): store?.cancel(id: RequestName(id: id, number: -1))
    case .cancelAll: store?.cancelAll()
    case .order(let number, let order):
      service.tell(number, order)
      switch order {
      case .end, .fail: if isCurrent { await service.arrival(of: .end(number)) }
      case .request(let piece): await service.arrival(of: .call(piece.number))
      }
    }
  }

  /// Waits until the calls have their results.
  ///
  /// If one is lost, the test exceeds its time limit.
  func results(of numbers: some Sequence<Int>) async {
    for number in numbers { await service.arrival(of: .result(number)) }
  }

  func releaseStore() { store = nil }

  private func request(_ piece: RequestPiece, by input: Input<Clockwork.Event, String>) async {
    let result: Result
    do {
      let answer = try await input.request(event(piece))
      result = Int(answer).map { .answer($0) } ?? .output
    } catch {
      result =
        switch error {
        case is CancellationError: .cancelled
        case is EndlessWait: .endless
        case is StoreReleased: .released
        default: .failed
        }
    }
    results[piece.number] = result
    // No work starts if the event was dropped.
    service.happened(.call(piece.number))
    service.happened(.result(piece.number))
  }

  private func body(_ piece: RequestPiece, _ input: Input<Clockwork.Event, String>) async throws {
    while true {
      switch await service.order(for: piece.number) {
      case .end: return
      case .fail: throw Refusal()
      case .request(let other): await request(other, by: input)
      }
    }
  }

  // MARK: - Effects

  private func event(_ piece: RequestPiece) -> Clockwork.Event {
    let effect = effect(piece)
    return Clockwork.Event("event") { [service] in
      .sequence([
        effect,
        .action { _ in
          MainActor.assumeIsolated { service.happened(.call(piece.number)) }
          return nil
        },
      ])
    }
  }

  private func effect(_ piece: RequestPiece) -> Clockwork.Effect {
    let (id, overlap) = (piece.name, piece.overlap)
    let effect: Clockwork.Effect =
      switch piece.kind {
      case .run:
        .run(id: id, overlap: overlap) { @MainActor input, _ in try await self.body(piece, input) }
      case .request:
        .request(id: id, overlap: overlap) { @MainActor input, _ in
          try await self.body(piece, input)
          return "\(piece.number)"
        }
      case .debounce(let inner):
        self.effect(inner).debounce(
          for: .zero, id: id, clock: RequestClock(service: service, number: piece.number))
      }
    guard let retry = piece.retry.first.map({ event($0) }) else { return effect }
    return effect.catch { _ in retry }
  }

  private func record(_ kind: StoreEvent<Clockwork.State, Clockwork.Event>.Kind) {
    switch kind {
    case .runFinished(let id as RequestName, _), .runFailed(let id as RequestName, _):
      service.happened(.end(id.number))
    case .unhandled: unhandled += 1
    case .dropped(.action): drops += 1
    default: break
    }
  }
}

/// A clock whose sleepers wait for an order.
private struct RequestClock: Clock {
  let service: BodyService<RequestOrder>
  let number: Int

  var now: ContinuousClock.Instant { ContinuousClock().now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    if case .end = await service.order(for: number) { return }
    throw Refusal()
  }
}
