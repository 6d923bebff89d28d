import Foundation
import Signalbox
import Terminal

/// Shows what lies over the list: the screens of the path, and what the user is asked or told.
@MainActor
final class PathView {
  private let store: Store<Notebook, NotebookAction>

  init(store: Store<Notebook, NotebookAction>) {
    self.store = store
  }

  /// The attachment, if the last screen shows one.
  var attachment: Store<AttachedFile, AttachmentAction>? {
    store.child(\.path, at: store.path.count - 1, AttachmentFeature.self)
  }

  /// The note, if the last screen shows one.
  private var note: Store<Note, NoteAction>? {
    guard case .note(let id)? = store.path.last else { return nil }
    return store.child(\.notes, id: id, NoteFeature.self)
  }

  /// `nil` while nothing lies over the list.
  var page: Page? {
    if let alert = store.alert {
      return Page(
        label: "\(alert.title) ", help: "Return goes on.",
        lines: [[alert.title, alert.message].compactMap(\.self).joined(separator: " ").printable])
    }
    if let confirmation = store.confirmation {
      return Page(
        label: "\(confirmation.title) ", help: "y yes  n no",
        lines: [(confirmation.message ?? "").printable])
    }
    if let attachment {
      return Page(
        label: "file \(attachment.id.number)> ", help: "Escape goes back.",
        lines: attachment.state.lines)
    }
    return note.map { note in
      let files = note.state.files.enumerated().map { "    \($0 + 1) \($1.absoluteString)" }
      return Page(
        label: "note \(note.id)> ",
        help: "e edit  p pin  s share  d delete  1 to 9 show a file  Escape goes back",
        lines: [note.state.line] + files)
    }
  }

  // MARK: Input

  func press(_ key: Key) {
    if store.alert != nil {
      if key == .enter || key == .escape { dismissAlert() }
    } else if store.confirmation != nil {
      if key == .text("y") { answer(isYes: true) }
      if key == .text("n") || key == .escape { answer(isYes: false) }
    } else if key == .escape {
      back()
    } else if case .text(let letter) = key {
      if let action = NoteAction(letter: letter) { note?.dispatch(action) }
      if letter == "d", let note { store.dispatch(.askToRemove(note.id)) }
      if let number = Int(letter) { show(file: number) }
    }
  }

  func show(_ note: Note.ID) { store.binder.path.wrappedValue = [.note(note)] }

  private func show(file number: Int) {
    guard let note, 1...9 ~= number, number <= note.state.files.count else { return }
    let id = AttachedFile.ID(note: note.id, number: number)
    store.binder.path.wrappedValue.append(.attachment(AttachedFile(id: id)))
  }

  func back() { _ = store.binder.path.wrappedValue.popLast() }

  func dismissAlert() { store.binder.alert.wrappedValue = nil }

  /// Chooses a button of the confirmation, which dismisses it.
  func answer(isYes: Bool) {
    let button = store.confirmation?.buttons.first { ($0.role == .cancel) != isYes }
    store.binder.confirmation.wrappedValue = nil
    if let action = button?.action { store.dispatch(action) }
  }
}

/// What is shown in place of the list, as text.
struct Page: Equatable {
  let label: String
  let help: String
  let lines: [String]
}

extension NoteAction {
  /// The action of a key.
  init?(letter: String) {
    switch letter {
    case "e": self = .edit
    case "p": self = .pin
    case "s": self = .share
    default: return nil
    }
  }
}
