import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@MainActor struct AutosaveTests {
  private let storage = MemoryStorage()
  private let clock = TestClock()

  private func store(exhaustive: Bool = false) -> TestStore<Note, Never> {
    TestStore(
      state: Note(), hookable: Editor(saved: .note(in: storage), clock: clock),
      exhaustive: exhaustive)
  }

  @Test("P4 a save starts after a pause without changes, and the status shows it")
  func pause() async {
    let store = store()
    for draft in ["h", "he", "hel"] {
      store.draft = draft
      #expect(store.saving == .pending)
      await clock.advance(by: .milliseconds(299))
    }
    #expect(storage.writes == 0)
    await clock.advance(by: .milliseconds(1))
    #expect(storage.writes == 1)
    #expect(store.saving == .saved)
    #expect(storage["note"].map { String(decoding: $0, as: UTF8.self).contains("hel") } == true)
    await clock.advance(by: .seconds(10))
    #expect(storage.writes == 1)
  }

  @Test("P4 steady typing is saved at the limit")
  func limit() async {
    let store = store()
    for number in 0..<21 {
      store.draft = "\(number)"
      await clock.advance(by: .milliseconds(100))
      #expect(storage.writes == (number < 19 ? 0 : 1))
    }
  }

  @Test("P4 a limit that is shorter than the pause holds")
  func shortLimit() async {
    let saved = SavedState.note(in: storage)
    let store = TestStore(
      state: Note(),
      hookable: Editor(saved: saved, pause: .seconds(2), limit: .seconds(1), clock: clock))
    for number in 0..<11 {
      store.draft = "\(number)"
      await clock.advance(by: .milliseconds(100))
    }
    #expect(storage.writes == 1)
  }

  @Test("P4 a change of another property saves nothing")
  func otherProperty() async {
    let store = store()
    store.cursor = 3
    await clock.advance(by: .seconds(10))
    #expect(storage.writes == 0)
    #expect(store.saving == .saved)
  }

  @Test("P8 a value equal to what is stored is not written again")
  func equal() async {
    let store = store()
    store.draft = "a"
    await clock.advance(by: .seconds(1))
    store.draft = "b"
    store.draft = "a"
    await clock.advance(by: .seconds(1))
    #expect(storage.writes == 1)
    #expect(store.saving == .saved)
  }
}
