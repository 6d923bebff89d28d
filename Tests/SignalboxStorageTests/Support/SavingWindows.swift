import Signalbox
import SignalboxStorage

/// The stores of a `SavingProgram` whose hooks have not ended, by number.
@MainActor final class Windows {
  var open: [Int: Store<Note, BatchingEditor.Batch>] = [:]
  var last = 0
  /// Whether a store was made since the last restore.
  var isUsed = false
  /// Whether the newest store was made after a restore that has failed.
  var newestHasFailed = false
}

/// What restores have found while something else was going on.
@MainActor final class FoundNotes {
  private(set) var notes: [FoundNote] = []

  func restore(_ saved: SavedState<Note>) { notes.append(FoundNote(saved)) }
}

/// What a restore has found.
struct FoundNote {
  private(set) var note = Note()
  let outcome: Restored

  @MainActor init(_ saved: SavedState<Note>) { outcome = saved.restore(into: &note) }

  var hasFailed: Bool {
    switch outcome {
    case .newer, .unavailable, .busy: true
    case .nothing, .restored, .migrated, .setAside: false
    }
  }
}

/// The last draft that was typed in each store of a process.
struct TypedDrafts {
  /// In the order in which they were typed.
  private var drafts: [(store: Int, text: String)] = []

  var all: [String] { drafts.map(\.text) }
  /// What was typed last in the store that was the newest then.
  private(set) var newest: String?

  mutating func add(_ text: String, into store: Int, isNewest: Bool) {
    drafts.removeAll { $0.store == store }
    drafts.append((store, text))
    if isNewest { newest = text }
  }

  mutating func remove(_ text: String) {
    drafts.removeAll { $0.text == text }
    if newest == text { newest = nil }
  }
}

/// A draft after a number was typed.
func continued(_ draft: String, by number: String) -> String {
  draft.isEmpty ? number : "\(draft).\(number)"
}
