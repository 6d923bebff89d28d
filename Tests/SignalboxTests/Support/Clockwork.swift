import Signalbox

/// A transducer whose events bring along what is to follow from them.
enum Clockwork: Transducer {
  typealias Env = Doors
  typealias Output = String

  struct State: Equatable { var log: [String] = [] }

  struct Event: Sendable, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
    let name: String
    let effect: (@Sendable () -> TransducerEffect<Event, Doors, String>?)?

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

  @MainActor static func store(_ doors: Doors = Doors()) -> Store<State, Event> {
    Store(state: State(), transducer: Clockwork.self, env: doors)
  }
}

typealias ClockworkStore = Store<Clockwork.State, Clockwork.Event>

/// What the effects of a machine wait at, whether they are cancelled or not.
@MainActor final class Doors {
  private var waiting: [String: [CheckedContinuation<Void, any Error>]] = [:]
  private var arrivals: [String: StoreMoment] = [:]
  private var departures: [String: StoreMoment] = [:]

  /// What a test leaves behind at a closed door is where it was left, and no leak.
  private static var leftBehind: [Doors] = []

  nonisolated init() {}

  /// Waits until the door is opened or an error comes out of it.
  func pass(_ door: String) async throws {
    if waiting.isEmpty { Self.leftBehind.append(self) }
    arrival(door).happen()
    defer { departure(door).happen() }
    try await withCheckedThrowingContinuation { waiting[door, default: []].append($0) }
  }

  /// Comes to a door and goes on.
  func arrive(_ door: String) { arrival(door).happen() }

  func open(_ door: String) { take(door)?.resume() }
  func fail(_ door: String, _ error: any Error = Refusal(reason: "no")) {
    take(door)?.resume(throwing: error)
  }

  /// Waits until somebody has come to a door.
  func knock(_ door: String) async { await arrival(door).arrival }

  /// Waits until somebody has gone on from a door.
  func leave(_ door: String) async { await departure(door).arrival }

  private func take(_ door: String) -> CheckedContinuation<Void, any Error>? {
    waiting[door]?.isEmpty == false ? waiting[door]?.removeFirst() : nil
  }

  private func arrival(_ door: String) -> StoreMoment {
    arrivals[door, default: StoreMoment()].kept { arrivals[door] = $0 }
  }

  private func departure(_ door: String) -> StoreMoment {
    departures[door, default: StoreMoment()].kept { departures[door] = $0 }
  }
}

extension StoreMoment {
  fileprivate func kept(_ keep: (StoreMoment) -> Void) -> StoreMoment {
    keep(self)
    return self
  }
}

/// A request that is under way, and what came of it.
@MainActor func requested(
  _ event: Clockwork.Event, of input: Input<Clockwork.Event, String>
) -> Task<Result<String, any Error>, Never> {
  Task.immediate {
    do { return .success(try await input.request(event)) } catch { return .failure(error) }
  }
}
