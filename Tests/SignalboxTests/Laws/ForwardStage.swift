import Signalbox

/// Carries out a random program with rooms that are children of `forward`.
@MainActor final class ForwardStage {
  let store: Store<ForwardLodge.State, ForwardLodge.Event>
  let service = ForwardService()
  private var events: Subscription?
  /// The number of pieces of work that have returned.
  private var ends = 0
  private(set) var drops = 0
  /// The room that a subscriber makes go, and the number of starts until then.
  private var ending: (place: ForwardPlace, starts: Int)?

  init() {
    store = Store(state: .init(), transducer: ForwardLodge.self, env: service)
    events = store.events.sink { [weak self] in self?.record($0.kind) }
  }

  /// - Parameter isCurrent: whether the body that receives the order is current.
  func take(_ step: ForwardStep, isCurrent: Bool) async {
    switch step {
    case .begin(let pieces, let place, let endsAt):
      ending = endsAt.map { (place, $0) }
      store.send(.to(place, .start(pieces)))
      ending = nil
    case .last(let pieces, let place): store.send(.last(place, .start(pieces)))
    case .change(let changes): store.send(.change(changes))
    case .cancel(let id, let place): store.send(.to(place, .cancel(id)))
    case .order(let number, let order):
      let end = ends + 1
      service.bodies.tell(number, order)
      switch order {
      case .send: await service.bodies.arrival(of: .body(number))
      case .end: if isCurrent { await service.bodies.arrival(of: .end(end)) }
      }
    }
  }

  private func record(_ kind: StoreEvent<ForwardLodge.State, ForwardLodge.Event>.Kind) {
    switch kind {
    case .runStarted:
      guard let (place, starts) = ending else { return }
      ending = starts > 1 ? (place, starts - 1) : nil
      if starts == 1 { store.send(.last(place, .start([]))) }
    case .runFinished:
      ends += 1
      service.bodies.happened(.end(ends))
    case .dropped: drops += 1
    default: break
    }
  }
}

/// What the bodies of a lodge wait for, and what they have saved.
@MainActor final class ForwardService {
  let bodies = BodyService<ForwardOrder>()
  private(set) var saved: Set<Int> = []

  fileprivate func save(_ number: Int) { saved.insert(number) }
}

/// A house whose rooms come and go.
enum ForwardLodge: Transducer {
  struct State {
    var ground = ForwardRoom.State()
    var attic: ForwardRoom.State? = ForwardRoom.State()
    var sides = [ForwardPlace.east: ForwardRoom.State(), .west: ForwardRoom.State()]
    var annex: ForwardAnnex.State? = ForwardAnnex.State()
    var log: [String] = []
  }
  enum Event: Sendable {
    case to(ForwardPlace, ForwardRoom.Event)
    /// Passes an event to a room, which goes with it.
    case last(ForwardPlace, ForwardRoom.Event)
    case annex(ForwardAnnex.Event)
    case change([ForwardChange])
  }
  typealias Env = ForwardService

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .to(let place, let event): return pass(event, to: place, in: &state)
    case .last(let place, let event):
      let effect = pass(event, to: place, in: &state)
      leave(place, in: &state)
      return effect
    case .annex(.room(let isLoft, let event)):
      return pass(event, to: isLoft ? .loft : .hall, in: &state)
    case .change(let changes):
      for change in changes { apply(change, in: &state) }
      return nil
    }
  }

  private static func pass(
    _ event: ForwardRoom.Event, to place: ForwardPlace, in state: inout State
  ) -> Effect? {
    if case .sent(let text, _) = event { state.log.append("\(place) \(text)") }
    let embed: @Sendable (ForwardRoom.Event) -> Event = { .to(place, $0) }
    let effect =
      switch place {
      case .ground:
        forward(event, to: ForwardRoom.self, at: \.ground, in: &state, as: embed) { $0 }
      case .attic: forward(event, to: ForwardRoom.self, at: \.attic, in: &state, as: embed) { $0 }
      case .east, .west:
        forward(event, to: ForwardRoom.self, at: \.sides[place], in: &state, as: embed) { $0 }
      case .hall, .loft:
        forward(
          .room(isLoft: place == .loft, event), to: ForwardAnnex.self, at: \.annex, in: &state,
          as: Event.annex, env: { $0 })
      }
    if case .sent(_, leaves: true) = event { leave(place, in: &state) }
    return effect
  }

  private static func leave(_ place: ForwardPlace, in state: inout State) {
    if let part = place.parts.last { apply(ForwardChange(part: part, comes: false), in: &state) }
  }

  private static func apply(_ change: ForwardChange, in state: inout State) {
    // Keeps a room that is there, because another one would have another log.
    let new = change.comes ? ForwardRoom.State() : nil
    switch change.part {
    case .attic: state.attic = new
    case .east: state.sides[.east] = new
    case .west: state.sides[.west] = new
    case .annex where change.comes: if state.annex == nil { state.annex = .init(loft: nil) }
    case .annex: state.annex = nil
    case .loft: state.annex?.loft = new
    }
  }
}

enum ForwardAnnex: Transducer {
  struct State {
    var hall = ForwardRoom.State()
    var loft: ForwardRoom.State? = ForwardRoom.State()
  }
  enum Event: Sendable { case room(isLoft: Bool, ForwardRoom.Event) }
  typealias Env = ForwardService

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .room(isLoft: false, let event):
      forward(
        event, to: ForwardRoom.self, at: \.hall, in: &state,
        as: { .room(isLoft: false, $0) }, env: { $0 })
    case .room(isLoft: true, let event):
      forward(
        event, to: ForwardRoom.self, at: \.loft, in: &state,
        as: { .room(isLoft: true, $0) }, env: { $0 })
    }
  }
}

enum ForwardRoom: Transducer {
  struct State {}
  enum Event: Sendable {
    case start([ForwardPiece])
    case cancel(String)
    /// - Parameter leaves: whether the parent removes the room.
    case sent(String, leaves: Bool)
  }
  typealias Env = ForwardService

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .start(let pieces): .merge(pieces.map(effect))
    case .cancel(let id): .cancel(id)
    case .sent: nil
    }
  }

  private static func effect(_ piece: ForwardPiece) -> Effect {
    let number = piece.number
    switch piece.kind {
    case .run:
      return .run(id: piece.id, overlap: piece.overlap) { @MainActor input, service in
        while case .send(let leaves) = await service.bodies.order(for: number) {
          try? await input.send(.sent("\(number)=", leaves: leaves))
        }
      }
    case .task:
      return .task(id: piece.id, overlap: piece.overlap) { @MainActor service in
        guard case .end(let leaves) = await service.bodies.order(for: number) else { return nil }
        return .sent("\(number)-", leaves: leaves)
      }
    case .save:
      return .fireAndForget { @MainActor service in
        _ = await service.bodies.order(for: number)
        service.save(number)
      }
    case .debounce(let inner):
      return effect(inner).debounce(for: .zero, id: piece.id ?? "") {
        ForwardClock(service: $0, number: number)
      }
    }
  }
}

/// A clock whose sleepers wait for an order.
private struct ForwardClock: Clock {
  let service: ForwardService
  let number: Int

  var now: ContinuousClock.Instant { ContinuousClock().now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    _ = await service.bodies.order(for: number)
  }
}
