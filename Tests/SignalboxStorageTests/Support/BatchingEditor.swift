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
