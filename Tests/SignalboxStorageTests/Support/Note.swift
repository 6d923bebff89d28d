import Foundation
import Signalbox
import SignalboxStorage

/// The state that most tests save.
struct Note: Equatable, Sendable {
  var draft = ""
  var recipients: [String] = []
  var saving = SaveStatus.saved
  /// Is not saved.
  var cursor = 0
}

enum NoteHook: CaseIterable { case changed }

/// A note that saves itself.
struct Editor: Hookable {
  let saved: SavedState<Note>
  var pause: Duration = .milliseconds(300)
  var limit: Duration = .seconds(2)
  var clock: any Clock<Duration> = ContinuousClock()

  func subscription(for hook: NoteHook, store: MutatingStore<Note, Never>) -> Subscription {
    saved.autosave(store, after: pause, atMost: limit, status: \.saving, clock: clock)
  }
}

extension SavedState<Note> {
  /// The saved state of a note in version 2.
  static func note(in storage: any Storage) -> SavedState<Note> {
    SavedState<Note>("note", version: 2, in: storage)
      .property("draft", \.draft)
      .property("to", \.recipients)
      .migration(from: 1) { values in values.rename("text", to: "draft") }
  }
}

extension Storage {
  /// What a new process would restore.
  @MainActor func restored(_ note: Note = Note()) -> (outcome: Restored, note: Note) {
    var note = note
    let outcome = SavedState.note(in: self).restore(into: &note)
    return (outcome, note)
  }
}

extension MemoryStorage {
  /// The draft that is stored, without the lock.
  var restoredDraft: String? {
    self["note"].flatMap { data in
      String(decoding: data, as: UTF8.self).firstMatch(of: /"draft" : "(.*)"/).map { String($0.1) }
    }
  }
}

extension MemoryStorage {
  /// All bytes of one moment, also while a save runs.
  var contents: [String: Data] {
    var (last, next): ([String: Data], [String: Data]) = ([:], all)
    while last != next { (last, next) = (next, all) }
    return next
  }

  private var all: [String: Data] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, self[$0] ?? Data()) })
  }

  /// Every draft that is stored, also in files that were set aside.
  var drafts: Set<String> {
    Set(
      names.compactMap { name in
        self[name].flatMap { data in
          String(decoding: data, as: UTF8.self).firstMatch(of: /"draft" : "(.*)"/)
            .map { String($0.1) }
        }
      })
  }
}

/// The bytes of a file in version 2.
func file(draft: String, to recipients: String = "[]", version: Int = 2) -> Data {
  Data(
    """
    // signalbox 1, version \(version)
    {
      "draft" : "\(draft)",
      "to" : \(recipients)
    }

    """.utf8)
}
