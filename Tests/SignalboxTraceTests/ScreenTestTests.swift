import ExampleTesting
import Signalbox
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Tests that are written from recordings of navigation.
@MainActor struct ScreenTestTests {
  @Test("R7 N2 N4 screens and dialogs of a recording are in its test, which passes")
  func tour() async throws {
    let file = try RecordedFile()
    let store = TestStore(state: TourState(), interactor: Tour(), name: "tour")
    await store.dispatch(.show(picture: 7))
    await store.child(\.path, at: 0, Hall.self)?.dispatch(2)
    await store.child(\.path, at: 1, Picture.self)?.dispatch(.rate(5))
    store.child(\.path, at: 1, Picture.self)?.stars = 4
    await store.dispatch(.open)
    await store.child(case: \.desk, TourState.Desk.open, Hall.self)?.dispatch(3)
    await store.dispatch(.ask)
    store.alert?.message = nil
    store.alert = nil
    await store.dispatch(.leave)
    await store.finish()
    file.recording.stop()
    let surroundings = Trace.Surroundings(
      subject: "interactor: Tour()",
      children: ["path.hall": "Hall", "path.picture": "Picture", "desk.open": "Hall"])
    let source = try Trace.test(of: file.url, store: "tour", named: "recordedTour", surroundings)
    try expectGenerated(source, is: "RecordedTour")
    let unknown = try Trace.test(
      of: file.url, store: "tour", Trace.Surroundings(subject: "interactor: Tour()"))
    #expect(unknown.contains("The child \\.path[0].hall got 2."))
  }
}
