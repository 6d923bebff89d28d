import Signalbox
import SignalboxTesting
import Testing

/// Tests which changes the failures of a test name.
@MainActor struct NamedChangesTests {
  private struct Library: Equatable {
    var books = ["a": 1, "b": 1]
  }

  @Test("T4 an entry that was expected to be removed is named, and no other entry")
  func removedEntry() async {
    let store = TestStore<Library, Job>(
      state: Library(), actionable: Handling { _, store in store.books["b"] = 2 })
    let text = await failures {
      await store.dispatch("go", including: { $0.books["a"] = nil })
    }.only
    #expect(text.contains(#"books["a"]: expected nil, is 1"#), "\(text)")
    #expect(!text.contains(#"books["b"]: expected"#), "\(text)")
  }

  @Test("T4 an event names three of its changes and counts the others")
  func severalChanges() async {
    let store = TestStore<Room, Job>(
      state: Room(),
      actionable: Handling { _, store in
        store.update {
          $0.count = 1
          $0.title = "attic"
          $0.note = "n"
          $0.volume = 1
        }
      })
    let text = await failures { await store.dispatch("go") { $0.count = 2 } }.only
    #expect(text.contains("… 1 more"), "\(text)")
    #expect(!text.contains("volume: 5 → 1"), "\(text)")
  }
}
