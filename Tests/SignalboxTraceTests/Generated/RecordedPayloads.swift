import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedPayloads() async {
  let server = TestEndpoint<String, Int>("server")
  let store = TestStore(
    state: KioskState(),
    interactor: Kiosk(server: server))
  await store.dispatch(.show(.note(KioskState.Note(text: "", isStarred: false)))) {
    $0.route = .note(KioskState.Note(text: "", isStarred: false))
  }
  store.send(.star)
  await store.settle()
  store.expect {
    $0.note.isStarred = true
    $0.notes[0].isStarred = true
    $0.notes[1].isStarred = true
    $0.route = .note(KioskState.Note(text: "", isStarred: true))
    $0.events.isStarred = true
  }
  store.child(case: \.route, KioskState.Route.note, Notepad.self)?.text = "x"
  await server.fail("star", with: FinderError.offline)
  store.expect {
    $0.log = ["star failed"]
    $0.note.isStarred = false
    $0.notes[0].isStarred = false
    $0.notes[1].isStarred = false
    $0.route = .note(KioskState.Note(text: "x", isStarred: false))
    $0.events.isStarred = false
  }
  await store.dispatch(.logIn)
  // route cannot be written as Swift: .login(Login(name: "", isShaking: false, password:
  // <redacted>))
  store.child(case: \.route, KioskState.Route.login, Entrance.self)?.name = "ann"
  store.child(case: \.route, KioskState.Route.login, Entrance.self)?.password = "secret"
  store.count = 2
  await store.settle()
  #expect(server.pending.isEmpty)
  await store.finish()
}
