import Signalbox

// The module isolates everything to the main actor, as new app projects do, and so the conformances
// of these types.

struct Room: Equatable, Identifiable {
  var id = 0
  var celsius = 20.0
  var isHeated = false
  var mode = Mode.off
}

enum Mode: Equatable { case off, on }

enum RoomAction: CancellableAction, Equatable {
  case set(Mode)
  case measure

  var cancelIdentifier: RoomWork? {
    switch self {
    case .set: .setting
    case .measure: nil
    }
  }
}

/// The names of the actions in a room.
enum RoomWork: Hashable { case setting }

enum RoomHook: CaseIterable { case measured, cold }

struct Heating: Interactor {
  var sensor = Signal<Double>.never
  var set: (Mode) async -> Void = { _ in }

  func onAction(_ action: RoomAction, store: MutatingStore<Room, RoomAction>) async {
    switch action {
    case .set(let mode):
      await set(mode)
      store.mode = mode
    case .measure: store.celsius = 21
    }
  }

  func subscription(
    for hook: RoomHook, store: MutatingStore<Room, RoomAction>
  ) -> Subscription {
    switch hook {
    case .measured: sensor.assign(to: \.celsius, using: store)
    case .cold: store.publisher.celsius.map { $0 < 18 }.assign(to: \.isHeated, using: store)
    }
  }
}

/// A parent of rooms, whose ids are isolated, too.
struct House: Interactor {
  enum Never: Equatable {}

  var sensor = Signal<Double>.never

  func onAction(_ action: Never, store: MutatingStore<[Room], Never>) async {}

  func children(of store: MutatingStore<[Room], Never>) -> Children<[Room]> {
    Each(\.self) { _ in Heating(sensor: sensor) }
  }
}

/// A parent whose children are transducers.
struct Tally: Interactor {
  struct State: Equatable { var counter = Counter.State(), others = ["a": Counter.State()] }

  func onAction(_ action: String, store: MutatingStore<State, String>) async {
    await store.child(\.others, id: action, Counter.self)?.dispatch(.go)
  }

  func children(of store: MutatingStore<State, String>) -> Children<State> {
    Child(\.counter) { Counter.feature(env: .init(next: { $0 + 1 })) }
    Each(\.others) { _ in Counter.feature(env: .init(next: { $0 + 2 })) }
  }
}

/// A parent of two counters, each with work of its own.
enum Counters: Transducer {
  struct State: Equatable { var left = Counter.State(), right = Counter.State() }
  enum Event: Equatable {
    case left(Counter.Event)
    case right(Counter.Event)
  }
  struct Env { var next: @Sendable (Int) async -> Int }

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .left(let event):
      forward(
        event, to: Counter.self, at: \.left, in: &state, as: { .left($0) },
        env: { Counter.Env(next: $0.next) })
    case .right(let event):
      forward(
        event, to: Counter.self, at: \.right, in: &state, as: { .right($0) },
        env: { Counter.Env(next: $0.next) })
    }
  }
}

enum Counter: Transducer {
  struct State: Equatable { var count = 0 }
  enum Event: Equatable {
    case go
    case counted(Int)
  }
  struct Env { var next: @Sendable (Int) async -> Int }

  /// An effect may be used on any thread, so the conformance of its name cannot be isolated.
  nonisolated enum Work: Hashable { case count }

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .go:
      let count = state.count
      return run(id: Work.count) { input, env in
        try input.post(.counted(await env.next(count)))
      }
    case .counted(let count):
      state.count = count
      return nil
    }
  }
}
