import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Tests a note alone, without a list.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct NoteFeatureTests {
  private let board = TestEndpoint<String, String>("board")
  private let store: TestStore<Note, NoteAction>

  init() {
    let board = board
    store = TestStore(
      state: Note(id: 1, text: "milk"), interactor: NoteFeature(share: { try await board($0) }),
      exhaustive: true)
  }

  @Test func `a note is pinned and unpinned`() async {
    await store.dispatch(.pin) { $0.isPinned = true }
    await store.dispatch(.pin) { $0.isPinned = false }
    await store.finish()
  }

  @Test func `a shared note has a link`() async {
    store.send(.share)
    store.expect { $0.isSharing = true }
    await board.reply(to: "milk", with: "board/1")
    store.expect {
      $0.isSharing = false
      $0.link = "board/1"
    }
    await store.finish()
  }

  @Test func `a refusal is shown until the note is shared again`() async {
    store.send(.share)
    store.expect { $0.isSharing = true }
    await board.fail(with: SharingError.alreadyShared)
    store.expect {
      $0.isSharing = false
      $0.problem = "The board already has this note."
    }
    store.send(.share)
    store.expect {
      $0.isSharing = true
      $0.problem = nil
    }
    await board.reply(with: "board/1")
    store.expect {
      $0.isSharing = false
      $0.link = "board/1"
    }
    await store.finish()
  }

  @Test func `sharing can be cancelled`() async {
    store.send(.share)
    store.expect { $0.isSharing = true }
    store.cancel(.share)
    store.expect {
      $0.isSharing = false
      $0.problem = "Cancelled."
    }
    await store.finish()
  }
}
