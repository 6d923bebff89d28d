import Signalbox

/// A child with a child that is always there, and one that may go.
enum ForwardFloor: Transducer {
  struct State {
    var hall = Clockwork.State()
    var room: Clockwork.State? = Clockwork.State()
  }
  enum Event: Sendable {
    case hall(Clockwork.Event)
    case room(Clockwork.Event)
  }
  typealias Env = StoreGate
  typealias Output = String

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .hall(let event):
      forward(event, to: Clockwork.self, at: \.hall, in: &state, as: Event.hall) { $0 }
    case .room(let event):
      forward(event, to: Clockwork.self, at: \.room, in: &state, as: Event.room) { $0 }
    }
  }

  static func output(state: State, event: Event) -> String { "" }
}

/// A parent of floors, some of which may go.
enum ForwardHouse: Transducer {
  struct State {
    var ground = ForwardFloor.State()
    var attic: ForwardFloor.State? = ForwardFloor.State()
    var floors = ["a": ForwardFloor.State(), "b": ForwardFloor.State()]
    var huts = [ForwardFloor.State(), ForwardFloor.State()]
    var sheds = [Clockwork.State(), Clockwork.State()]
    var title = ""
  }
  enum Event: Sendable {
    case ground(ForwardFloor.Event)
    /// The attic goes with the event "bye" of its hall, and the house answers the event "lend".
    case attic(ForwardFloor.Event)
    case floor(String, ForwardFloor.Event)
    case hut(Int, Clockwork.Event)
    case shed(Int, Clockwork.Event)
    case named(String, Clockwork.Event)
    case change(@Sendable (inout State) -> Void)
    /// Passes an event to the attic, which goes with it.
    case last(ForwardFloor.Event)
  }
  typealias Env = StoreGate
  typealias Output = String

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .ground(let event):
      return forward(event, to: ForwardFloor.self, at: \.ground, in: &state, as: Event.ground) {
        $0
      }
    case .attic(let event):
      let effect = forward(
        event, to: ForwardFloor.self, at: \.attic, in: &state, as: Event.attic
      ) { $0 }
      switch state.attic?.hall.log.last {
      case "bye": state.attic = nil
      case "lend":
        return .request { _, gate in
          try await gate.pass("lent")
          return ""
        }
      default: break
      }
      return effect
    case .floor(let name, let event):
      return forward(
        event, to: ForwardFloor.self, at: \.floors[name], in: &state, as: { .floor(name, $0) },
        env: { $0 })
    case .hut(let index, let event):
      return forward(
        event, to: Clockwork.self, at: \.huts[index].room, in: &state, as: { .hut(index, $0) },
        env: { $0 })
    case .shed(let index, let event):
      return forward(
        event, to: Clockwork.self, at: \.sheds[index], in: &state, as: { .shed(index, $0) },
        env: { $0 })
    case .named(let name, let event):
      return forward(
        event, to: Clockwork.self, at: \.floors[name]!.room, in: &state,
        as: { .named(name, $0) }, env: { $0 })
    case .change(let body):
      body(&state)
      return nil
    case .last(let event):
      let effect = forward(
        event, to: ForwardFloor.self, at: \.attic, in: &state, as: Event.attic
      ) { $0 }
      state.attic = nil
      return effect
    }
  }

  static func output(state: State, event: Event) -> String { "" }
}
