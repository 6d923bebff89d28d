import Signalbox

/// A transducer whose events carry the effects that follow from them.
enum Clockwork: Transducer {
  typealias Env = StoreGate
  typealias Output = String

  struct State: Equatable { var log: [String] = [] }

  struct Event: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
    let name: String
    let effect: (@Sendable () -> TransducerEffect<Event, StoreGate, String>?)?

    init(_ name: String, _ effect: @escaping @Sendable () -> Effect?) {
      self.name = name
      self.effect = effect
    }

    init(stringLiteral name: String) {
      self.name = name
      effect = nil
    }

    var description: String { name }
    static func == (l: Event, r: Event) -> Bool { l.name == r.name }
  }

  static func update(_ state: inout State, event: Event) -> Effect? {
    state.log.append(event.name)
    return event.effect?()
  }

  static func output(state: State, event: Event) -> String { "\(event) of \(state.log.count)" }

  /// A request that waits at a door and answers with its name.
  static func ask(_ name: String, id: String?, _ overlap: Overlap) -> Effect {
    .request(id: id, overlap: overlap) { _, gate in
      try await gate.pass(name)
      return "answer to \(name)"
    }
  }

  @MainActor static func store(_ gate: StoreGate = StoreGate()) -> Store<State, Event> {
    Store(state: State(), transducer: Clockwork.self, env: gate)
  }
}

typealias ClockworkStore = Store<Clockwork.State, Clockwork.Event>

/// A request in flight, and its result.
@MainActor func requested(
  _ event: Clockwork.Event, of input: Input<Clockwork.Event, String>
) -> Task<Result<String, any Error>, Never> {
  Task.atOnce {
    do { return .success(try await input.request(event)) } catch { return .failure(error) }
  }
}
