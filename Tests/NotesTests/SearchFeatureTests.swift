import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Tests the search alone, with signals in the place of its parent.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct SearchFeatureTests {
  private struct Parent: Equatable {
    var notes = [
      Note(id: 1, text: "milk"), Note(id: 2, text: "Bread"), Note(id: 3, text: "almond milk"),
    ]
    var order = Order.newest
  }

  private let parent = TestStore<Parent, Never>(state: Parent())
  private let search: TestStore<Search, SearchAction>

  init() {
    search = TestStore(
      state: Search(),
      interactor: SearchFeature(
        notes: parent.publisher.notes.signal, order: parent.publisher.order.signal))
  }

  @Test func `all notes are shown at first, the newest first`() {
    #expect(search.found == [3, 2, 1])
  }

  @Test func `a query selects notes, ignoring case, until it is cleared`() async {
    search.query = "MILK"
    #expect(search.found == [3, 1])
    await search.dispatch(.clear)
    #expect(search.found == [3, 2, 1])
  }

  @Test func `pinned notes come first`() {
    parent.notes[1].isPinned = true
    #expect(search.found == [2, 3, 1])
  }

  @Test func `notes are ordered by their text`() {
    parent.order = .alphabetical
    #expect(search.found == [2, 3, 1])
  }
}
