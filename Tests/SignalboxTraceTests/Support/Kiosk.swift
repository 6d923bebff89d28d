import Signalbox
import SignalboxTesting

/// A kiosk whose work waits in a queue, is cancelled and shows what is not certain, for tests of the
/// tests that recordings become.
struct KioskState: Equatable, Sendable {
  struct Note: Equatable, Sendable {
    var text = ""
    var isStarred = false
  }

  struct Login: Equatable, Sendable {
    var name = ""
    var isShaking = false
    @Redacted var password = ""
  }

  enum Route: Equatable, Sendable {
    case closed
    case note(Note)
    case login(Login)
  }

  var log: [String] = []
  var count = 0
  var note = Note()
  var notes = [Note(), Note()]
  var label: Note?
  var route = Route.closed
  /// Named as a property of a test store.
  var events = Note()
}

enum KioskAction: Equatable, Sendable, CancellableAction {
  /// Waits in a queue.
  case save(Int)
  /// Is sent when the first save is cancelled.
  case other
  /// Waits in the same queue, and changes something only when it is cancelled.
  case quiet(Int)
  /// Has no name.
  case plain(Int)
  /// Sends `save` by itself.
  case saveBoth
  /// Shows stars until the endpoint has answered.
  case star
  case show(KioskState.Route)
  /// Shows a login, whose literal would have a redacted property.
  case logIn

  var cancelIdentifier: String? {
    switch self {
    case .save, .quiet: "save"
    case .other: "other"
    case .plain, .saveBoth, .star, .show, .logIn: nil
    }
  }

  var overlap: Overlap { .queue }
}

struct Kiosk: Interactor {
  let server: TestEndpoint<String, Int>

  func onAction(_ action: KioskAction, store: MutatingStore<KioskState, KioskAction>) async throws {
    switch action {
    case .save, .other, .plain:
      store.log.append("\(action) begins")
      _ = try await server("\(action)")
    case .quiet: _ = try await server("\(action)")
    case .saveBoth:
      store.send(.save(1))
      store.send(.save(2))
    case .star:
      store.optimistic { state in
        state.note.isStarred = true
        for index in state.notes.indices { state.notes[index].isStarred = true }
        state.events.isStarred = true
        state.label?.isStarred = true
        state.route.star()
      }
      _ = try await server("star")
    case .show(let route): store.route = route
    case .logIn: store.route = .login(KioskState.Login())
    }
  }

  func onCancel(_ action: KioskAction, store: MutatingStore<KioskState, KioskAction>) {
    store.log.append("\(action) cancelled")
    if action == .save(1) { store.send(.other) }
  }

  func onError(
    _ error: any Error, action: KioskAction, store: MutatingStore<KioskState, KioskAction>
  ) { store.log.append("\(action) failed") }

  func children(of store: MutatingStore<KioskState, KioskAction>) -> Children<KioskState> {
    Child(case: \.route, KioskState.Route.note) { Notepad(server: server) }
    Child(case: \.route, KioskState.Route.login) { Entrance() }
  }
}

extension KioskState.Route {
  fileprivate mutating func star() {
    guard case .note(var note) = self else { return }
    note.isStarred = true
    self = .note(note)
  }
}

/// Writes a text and, once it is cancelled, another one.
struct Notepad: Interactor {
  let server: TestEndpoint<String, Int>

  func onAction(_ text: String, store: MutatingStore<KioskState.Note, String>) async throws {
    store.text += text
    _ = try await server(text)
  }

  func onCancel(_ text: String, store: MutatingStore<KioskState.Note, String>) {
    store.text += " not \(text)"
    if text == "first" { store.send("third") }
  }
}

struct Entrance: Interactor {
  func onAction(_ name: String, store: MutatingStore<KioskState.Login, String>) {
    store.name = name
  }
}
