import Signalbox

/// A parent whose children receive its store, so that tests decide what they do with it.
struct ManorState: Equatable {
  var log: [String] = []
  var isBusy = false
  var room = ManorRoomState(id: 0)
  var annex: ManorRoomState?
  var rooms: [ManorRoomState] = []
  var halls: [String: ManorRoomState] = [:]
  var lamp = ManorLamp.State()
}

struct ManorRoomState: Equatable, Identifiable {
  var id: Int
  var text = ""
  var cells: [ManorRoomState] = []
}

typealias ManorStore = MutatingStore<ManorState, ManorAction>

enum ManorAction: Equatable {
  case note(String)
  case wait(String)
}

/// An action of a child, which does what a test says with the store of the parent.
struct ManorErrand: CancellableAction, CustomStringConvertible {
  let description: String
  var isNamed = true
  let body: @MainActor (ManorStore) async throws -> Void

  var cancelIdentifier: String? { isNamed ? "errand" : nil }
}

struct ManorFeature: Interactor {
  var gate = StoreGate()
  var onError: @MainActor (ManorStore) -> Void = { _ in }
  var onCancel: @MainActor (ManorStore) -> Void = { _ in }
  /// Called with what the hook of a room receives.
  var bell = Emitter<String>()

  func children(of store: ManorStore) -> Children<ManorState> {
    Child(\.room) { room(store) }
    Child(\.annex) { room(store) }
    Each(\.rooms) { _ in room(store) }
    Each(\.halls) { _ in room(store) }
    Child(\.lamp) { ManorLamp.feature(env: ManorLamp.Env(store: store, gate: gate)) }
  }

  private func room(_ store: ManorStore) -> ManorRoom {
    ManorRoom(manor: store, onError: onError, onCancel: onCancel, bell: bell.signal)
  }

  func onAction(_ action: ManorAction, store: ManorStore) async throws {
    switch action {
    case .note(let text): store.log.append(text)
    case .wait(let door):
      try await gate.pass(door)
      store.log.append("waited at \(door)")
    }
  }
}

enum ManorRoomHook: CaseIterable { case bell }

struct ManorRoom: Interactor {
  let manor: ManorStore
  let onError: @MainActor (ManorStore) -> Void
  let onCancel: @MainActor (ManorStore) -> Void
  let bell: Signal<String>

  func children(of store: MutatingStore<ManorRoomState, ManorErrand>) -> Children<ManorRoomState> {
    Each(\.cells) { _ in ManorCell(room: self) }
  }

  func onAction(_ action: ManorErrand, store: MutatingStore<ManorRoomState, ManorErrand>)
    async throws
  {
    try await action.body(manor)
  }

  func onError(
    _ error: any Error, action: ManorErrand, store: MutatingStore<ManorRoomState, ManorErrand>
  ) {
    onError(manor)
  }

  func onCancel(_ action: ManorErrand, store: MutatingStore<ManorRoomState, ManorErrand>) {
    onCancel(manor)
  }

  func subscription(
    for hook: ManorRoomHook, store: MutatingStore<ManorRoomState, ManorErrand>
  ) -> Subscription {
    bell.sink { manor.log.append("\($0) rang") }
  }
}

/// A child of a child, with a child of its own.
struct ManorCell: Interactor {
  let room: ManorRoom

  func children(of store: MutatingStore<ManorRoomState, ManorErrand>) -> Children<ManorRoomState> {
    Each(\.cells) { _ in ManorCell(room: room) }
  }

  func onAction(_ action: ManorErrand, store: MutatingStore<ManorRoomState, ManorErrand>)
    async throws
  {
    try await action.body(room.manor)
  }
}

/// A transducer whose effects use the store of its parent.
enum ManorLamp: Transducer {
  struct State: Equatable { var isLit = false }
  enum Event: Equatable, Sendable { case light, blink, douse }
  struct Env: Sendable {
    let store: ManorStore
    let gate: StoreGate

    @MainActor func light() { store.log.append("lit") }
  }

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .light:
      state.isLit = true
      return .run(id: "lamp") { _, env in
        try? await env.gate.pass("lamp")
        await env.light()
      }
    case .blink:
      return .action { env in
        MainActor.assumeIsolated { env.store.log.append("blinked") }
        return nil
      }
    case .douse:
      state.isLit = false
      return .cancel("lamp")
    }
  }
}
