import Signalbox
import SignalboxStorage
import SignalboxTesting

/// Saves a state and does nothing else.
struct Autosaving<State>: Hookable {
  let saved: SavedState<State>

  func subscription(for hook: NoteHook, store: MutatingStore<State, Never>) -> Subscription {
    saved.autosave(store, clock: TestClock())
  }
}
