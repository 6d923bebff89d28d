import Foundation
import Signalbox
import Terminal

/// Takes notes from standard input.
///
/// Each line is a command. Notes, files and links are printed to standard output, and everything else
/// to standard error.
@MainActor
final class ScriptView {
  /// Sends the exit code when all lines have been handled.
  let quits = Emitter<Int32>()

  private let store: Store<Notebook, NotebookAction>
  private let path: PathView
  private let input = ScriptInput(limit: 4_096, unused: "was left out")
  private var hasFailed = false

  init(store: Store<Notebook, NotebookAction>) {
    self.store = store
    path = PathView(store: store)
  }

  /// Follows the link, if there is one, and reads the lines.
  func run(link: URL?) async {
    if let link { await perform(.open(link)) }
    while let line = await input.next() {
      if let command = ScriptCommand(line) {
        await perform(command)
      } else {
        fail("Line \(input.number) is not a command: \(line)")
      }
    }
    quits.send(hasFailed ? 1 : input.exitCode)
  }

  private func perform(_ command: ScriptCommand) async {
    switch command {
    case .new(let text):
      guard isFree else { return }
      await store.dispatch(.write)
      draft?.binder.text.wrappedValue = text
    case .edit(let id, let text):
      guard isFree else { return }
      await note(id)?.dispatch(.edit)
      draft?.binder.text.wrappedValue = text
    case .draft(let action):
      guard let draft else { return fail("There is no draft.") }
      await draft.dispatch(action)
    case .note(let id, let action):
      guard let note = note(id) else { return }
      await note.dispatch(action)
      if action == .share, let problem = note.problem { return fail(problem) }
      if action == .share, let link = note.link { print(link) }
    case .remove(let id):
      guard note(id) != nil else { return }
      await store.dispatch(.askToRemove(id))
      if let question = store.confirmation?.title { complain(question) }
    case .search(let query):
      store.child(\.search, SearchFeature.self).binder.query.wrappedValue = query
      for note in store.state.shown { print(note.line) }
    case .order:
      await store.child(\.settings, SettingsFeature.self).dispatch(.switchOrder)
    case .author(let name):
      store.child(\.settings, SettingsFeature.self).binder.author.wrappedValue = name
    case .open(let link):
      await store.dispatch(.open(link))
      await show()
    case .back:
      path.back()
      await show()
    case .answer(let isYes):
      if store.confirmation == nil { return fail("Nothing is asked.") }
      path.answer(isYes: isYes)
    }
  }

  /// Prints the screen that is shown, once it has been loaded.
  private func show() async {
    if let attachment = path.attachment, attachment.isLoading { await attachment.dispatch(.load) }
    for line in path.page?.lines ?? store.state.shown.map(\.line) {
      if store.alert == nil { print(line) } else { fail(line) }
    }
    path.dismissAlert()
  }

  private var draft: Store<Draft, DraftAction>? { store.child(\.draft, DraftFeature.self) }

  /// Whether the editor can be opened.
  private var isFree: Bool {
    if draft != nil { fail("There is a draft. End it with done or discard.") }
    return draft == nil
  }

  private func note(_ id: Note.ID) -> Store<Note, NoteAction>? {
    let note = store.child(\.notes, id: id, NoteFeature.self)
    if note == nil { fail("There is no note \(id).") }
    return note
  }

  private func print(_ line: String) {
    if !say(line.printable) { quits.send(1) }
  }

  private func fail(_ sentence: String) {
    complain(sentence)
    hasFailed = true
  }
}
