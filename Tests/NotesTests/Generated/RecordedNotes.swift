import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@testable import Notes

@MainActor @Test func recordedNotes() async {
  let board = TestEndpoint<[String], String>("board", heedsCancellation: false)
  let clock = TestClock()
  let service = NotesService { try await board([$0, $1]) }
  let saved = SavedState<Notebook>.notebook(in: MemoryStorage())
  let store = TestStore(
    state: Notebook(),
    interactor: NotebookFeature(service: service, saved: saved, clock: clock))
  await store.settle()
  await store.dispatch(.write) {
    $0.draft = Draft()
    $0.saving = .pending
  }
  store.draft?.text = "milk"
  store.expect { $0.draft?.words = 1 }
  store.draft?.text = "milk and bread"
  store.expect { $0.draft?.words = 3 }
  await store.child(\.draft, DraftFeature.self)?.dispatch(.done)
  store.expect {
    $0.notes = [Note(id: 1, text: "milk and bread")]
    $0.draft = nil
    $0.search.found = [1]
  }
  await store.dispatch(.write) { $0.draft = Draft() }
  store.draft?.text = "apples"
  store.expect { $0.draft?.words = 1 }
  await store.child(\.draft, DraftFeature.self)?.dispatch(.done)
  store.expect {
    $0.notes.append(Note(id: 2, text: "apples"))
    $0.draft = nil
    $0.search.found = [2, 1]
  }
  await clock.advance(by: .milliseconds(300))
  store.expect { $0.saving = .saved }
  await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.pin)
  store.expect {
    $0.notes[0].isPinned = true
    $0.search.found = [1, 2]
    $0.saving = .pending
  }
  store.search.query = "milk"
  store.expect { $0.search.found = [1] }
  await store.child(\.search, SearchFeature.self).dispatch(.clear)
  store.expect {
    $0.search.query = ""
    $0.search.found = [1, 2]
  }
  await store.child(\.settings, SettingsFeature.self).dispatch(.switchOrder)
  store.expect { $0.settings.order = .alphabetical }
  store.settings.author = "ann"
  store.child(\.notes, id: 1, NoteFeature.self)?.send(.share)
  await store.settle()
  store.expect { $0.notes[0].isSharing = true }
  store.child(\.notes, id: 2, NoteFeature.self)?.send(.share)
  await store.settle()
  store.expect { $0.notes[1].isSharing = true }
  await board.reply(to: ["apples", "ann"], with: "board/1")
  store.expect {
    $0.notes[1].link = "board/1"
    $0.notes[1].isSharing = false
  }
  await board.fail(["milk and bread", "ann"], with: SharingError.alreadyShared)
  store.expect {
    $0.notes[0].isSharing = false
    $0.notes[0].problem = "The board already has this note."
  }
  let shareTask = store.child(\.notes, id: 1, NoteFeature.self)?.send(.share)
  await store.settle()
  store.expect {
    $0.notes[0].isSharing = true
    $0.notes[0].problem = nil
  }
  shareTask?.cancel()
  store.expect {
    $0.notes[0].isSharing = false
    $0.notes[0].problem = "Cancelled."
  }
  await board.reply(to: ["milk and bread", "ann"], with: "board/2")
  await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.edit)
  store.expect { $0.draft = Draft(noteID: 1, text: "milk and bread", words: 3) }
  store.draft?.text = "milk"
  store.expect { $0.draft?.words = 1 }
  await store.child(\.draft, DraftFeature.self)?.dispatch(.discard)
  store.expect { $0.draft = nil }
  await store.child(\.notes, id: 2, NoteFeature.self)?.dispatch(.edit)
  store.expect { $0.draft = Draft(noteID: 2, text: "apples", words: 1) }
  store.draft?.text = "pears"
  await store.child(\.draft, DraftFeature.self)?.dispatch(.done)
  store.expect {
    $0.notes[1].text = "pears"
    $0.notes[1].link = nil
    $0.draft = nil
  }
  await store.child(\.notes, id: 1, NoteFeature.self)?.dispatch(.remove)
  store.expect {
    $0.notes.remove(at: 0)
    $0.search.found = [2]
  }
  await clock.advance(by: .milliseconds(300))
  store.expect { $0.saving = .saved }
  await store.settle()
  #expect(!store.isRunning(id: "saving notebook"))
  await store.finish()
}
