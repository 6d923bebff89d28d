import Signalbox
import SignalboxTesting
import Testing

@MainActor @Test func recordedPending() async {
  let server = TestEndpoint<String, Int>("server")
  let store = TestStore(
    state: KioskState(),
    interactor: Kiosk(server: server))
  store.label = KioskState.Note(text: "", isStarred: false)
  store.send(.star)
  await store.settle()
  store.expect {
    $0.note.isStarred = true
    $0.notes[0].isStarred = true
    $0.notes[1].isStarred = true
    $0.label?.isStarred = true
    $0.events.isStarred = true
  }
  store.count = 1
  await store.settle()
  store[dynamicMember: \.note.text] = "x"
  await store.settle()
  store[dynamicMember: \.notes[1].text] = "y"
  await store.settle()
  store[dynamicMember: \.events.text] = "z"
  await store.settle()
  store[dynamicMember: \.label!.text] = "a"
  await server.fail("star", with: FinderError.offline)
  store.expect {
    $0.log = ["star failed"]
    $0.note.isStarred = false
    $0.notes[0].isStarred = false
    $0.notes[1].isStarred = false
    $0.label?.isStarred = false
    $0.events.isStarred = false
  }
  store.note.text = "w"
  await store.settle()
  #expect(server.pending.isEmpty)
  await store.finish()
}
