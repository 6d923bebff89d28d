import Foundation
import SignalboxStorage

/// What must be true after each step of a program.
extension SavingProgram {
  mutating func fail(_ text: String) {
    if failure == nil { failure = "\(text)\n\(storage.memory.drafts.sorted())" }
  }

  func isStored(_ text: String) -> Bool {
    storage.memory.drafts.contains { $0 == text || $0.hasPrefix(text + ".") }
  }

  mutating func check() {
    if mayBeSaving { return }
    for text in kept where !isStored(text) { fail("\(text) was saved and is gone.") }
    for bytes in garbage where !contents.values.contains(bytes) { fail("A damaged file is gone.") }
    for bytes in contents.values where !garbage.contains(bytes) && isTorn(bytes) {
      fail("A state of no commit is stored: \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  mutating func checkWhole(_ note: Note) {
    let recipients = note.draft.isEmpty ? [] : [note.draft]
    if note.recipients != recipients { fail("A state of no commit was restored: \(note)") }
  }
}
