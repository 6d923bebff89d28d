import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting

/// A note whose actions are batches, with a call before the first change and one in the middle.
struct BatchingEditor: Interactor {
  struct Batch: Sendable {
    let text: String
    var before: @MainActor @Sendable () -> Void = {}
    var between: @MainActor @Sendable () -> Void = {}
  }

  let saved: SavedState<Note>
  let clock: TestClock

  func onAction(_ batch: Batch, store: MutatingStore<Note, Batch>) async {
    store.batch {
      batch.before()
      store.draft = batch.text
      batch.between()
      store.recipients = [batch.text]
    }
  }

  func subscription(for hook: NoteHook, store: MutatingStore<Note, Batch>) -> Subscription {
    saved.autosave(store, status: \.saving, clock: clock)
  }
}

/// Whether a file has two different texts, which are those of no commit.
func isTorn(_ bytes: Data) -> Bool {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let match = text.firstMatch(of: /"draft" : "(.*)"/), !match.1.isEmpty else { return false }
  return !text.dropFirst(match.0.count).contains("\"\(match.1)\"\n")
    && !text.contains("[\"\(match.1)\"]")
}
