import ExampleTesting
import Signalbox
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Tests that are written from recordings of cancels in a row and of writes beside pending changes.
@MainActor struct KioskTestTests {
  private static let surroundings = Trace.Surroundings(
    setup: ["let server = TestEndpoint<String, Int>(\"server\")"], state: "KioskState()",
    subject: "interactor: Kiosk(server: server)",
    children: ["route.note": "Notepad", "route.login": "Entrance"],
    secrets: ["route.password": ["\"secret\""]])

  /// Plays a session, and compares the test that its recording becomes with the one that is compiled.
  private func record(
    _ name: String,
    _ play:
      @MainActor (
        _ store: TestStore<KioskState, KioskAction>, _ server: TestEndpoint<String, Int>
      ) async -> Void
  ) async throws {
    let file = try RecordedFile(of: name.lowercased())
    let server = TestEndpoint<String, Int>("server")
    let store = TestStore(
      state: KioskState(), interactor: Kiosk(server: server), name: name.lowercased())
    await play(store, server)
    await store.finish()
    file.recording.stop()
    let source = try Trace.test(of: file.url, named: "recorded\(name)", Self.surroundings)
    try expectGenerated(source, is: "Recorded\(name)")
  }

  @Test("R7 A4 A12 cancels in a row have the same effect in the test of a recording")
  func cancels() async throws {
    try await record("Cancels") { store, _ in
      // What follows from the first cancel is cancelled by the second.
      store.send(.save(1))
      store.cancel(.save(1))
      store.cancel(.other)
      // Queued work does not start while other work goes on.
      let plain = store.send(.plain(1))
      store.send(.save(2))
      store.send(.save(3))
      store.send(.save(4))
      store.cancel(.save(1))
      // It starts if only the first of the queue is cancelled.
      let fifth = store.send(.save(5))
      let sixth = store.send(.save(6))
      fifth.cancel()
      sixth.cancel()
      let (seventh, eighth) = (store.send(.quiet(7)), store.send(.quiet(8)))
      plain.cancel()
      seventh.cancel()
      eighth.cancel()
      // Work of one name began inside.
      store.send(.saveBoth)
      store.cancel(.save(1))
      // In the order in which it began, partly inside, and then not in that order.
      store.send(.plain(2))
      store.cancelAll()
      store.send(.plain(3))
      store.send(.plain(4))
      let (first, second) = (store.send(.plain(5)), store.send(.plain(6)))
      second.cancel()
      first.cancel()
      store.cancelAll()
      // A child cancels its work, and then the store its own.
      await store.dispatch(.show(.note(KioskState.Note())))
      store.send(.plain(9))
      let notepad = store.child(case: \.route, KioskState.Route.note, Notepad.self)
      notepad?.send("first")
      notepad?.send("second")
      notepad?.cancelAll()
      store.cancelAll()
      let pair = (store.send(.plain(7)), store.send(.plain(8)))
      pair.1.cancel()
      pair.0.cancel()
    }
  }

  @Test("R7 O3 a write in the test of a recording leaves what is pending out of the truth")
  func pending() async throws {
    try await record("Pending") { store, server in
      store.label = KioskState.Note()
      store.send(.star)
      let binder = store.binder
      binder.count.wrappedValue = 1
      binder.note.text.wrappedValue = "x"
      binder.notes[1].text.wrappedValue = "y"
      binder.events.text.wrappedValue = "z"
      binder[dynamicMember: \.label!.text].wrappedValue = "a"
      await server.fail(with: FinderError.offline)
      store.note.text = "w"
    }
  }

  @Test("R7 C12 a part of a payload is written in its child in the test of a recording")
  func payloads() async throws {
    try await record("Payloads") { store, server in
      await store.dispatch(.show(.note(KioskState.Note())))
      store.send(.star)
      let note = store.child(case: \.route, KioskState.Route.note, Notepad.self)
      note?.text = "x"
      await server.fail(with: FinderError.offline)
      await store.dispatch(.logIn)
      let login = store.child(case: \.route, KioskState.Route.login, Entrance.self)
      login?.name = "ann"
      login?.password = "secret"
      store.count = 2
    }
  }
}
