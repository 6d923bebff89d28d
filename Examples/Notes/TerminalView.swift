import Signalbox
import Terminal

/// Shows the notes in a terminal and edits the draft, the query and the author.
@MainActor
final class TerminalView {
  /// What the keys apply to while there is no draft.
  private enum Focus { case list, query, author }

  private let store: Store<Notebook, NotebookAction>
  private let search: Store<Search, SearchAction>
  private let settings: Store<Settings, SettingsAction>
  private let path: PathView
  private let console: Console
  private let queryField: TextField
  private let authorField: TextField
  private var lastDraftField: TextField?
  private var focus = Focus.list
  private var selected: Note.ID?
  private var drawn: Frame?
  private var subscriptions: Set<Subscription> = []

  init(store: Store<Notebook, NotebookAction>, console: Console) {
    self.store = store
    self.console = console
    search = store.child(\.search, SearchFeature.self)
    settings = store.child(\.settings, SettingsFeature.self)
    path = PathView(store: store)
    queryField = TextField(search.binder.query)
    authorField = TextField(settings.binder.author)
    store.publisher
      .sink { [weak self] _ in self?.draw() }.store(in: &subscriptions)
    console.redraws.sink { [weak self] in self?.draw(always: true) }.store(in: &subscriptions)
    console.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
  }

  private var draft: Store<Draft, DraftAction>? { store.child(\.draft, DraftFeature.self) }

  /// The selected note or, if it is not shown, the first one.
  private var note: Store<Note, NoteAction>? {
    let id = selected.flatMap { search.found.contains($0) ? $0 : nil } ?? search.found.first
    return id.flatMap { store.child(\.notes, id: $0, NoteFeature.self) }
  }

  /// The field of the draft; `nil` while there is none.
  ///
  /// It is asked for in each `draw`, so a new draft gets a new field.
  private var draftField: TextField? {
    lastDraftField = draft.map { lastDraftField ?? TextField($0.binder.text) }
    return lastDraftField
  }

  // MARK: Output

  private func draw(always: Bool = false) {
    let lines = [help, store.state.status.printable] + (page?.lines ?? notes)
    // The last column remains free, as in `Prompt`.
    let visible = lines.prefix(console.rows - 1).map {
      String($0.prefix(columns: console.columns - 1))
    }
    let frame = Frame(prompt: prompt, below: visible)
    guard always || frame != drawn else { return }
    console.write(frame.bytes(over: drawn, columns: console.columns))
    drawn = frame
  }

  /// What is shown over the list; `nil` if there is a draft, which lies over it.
  private var page: Page? { draft == nil ? path.page : nil }

  /// The lines of the list.
  private var notes: [String] {
    let note = note?.id
    let notes = store.state.shown.map { ($0.id == note ? "> " : "  ") + $0.line }
    // The selected note stays in the window.
    let hidden = max(0, (search.found.firstIndex { $0 == note } ?? 0) + 4 - console.rows)
    return Array(notes.dropFirst(hidden))
  }

  private var prompt: Prompt {
    let columns = console.columns
    if let draftField { return draftField.prompt(label: "note> ", columns: columns) }
    if let page { return Prompt(label: page.label, editor: LineEditor(""), columns: columns) }
    return switch focus {
    case .list: Prompt(label: "notes> ", editor: LineEditor(""), columns: columns)
    case .query: queryField.prompt(label: "search> ", columns: columns)
    case .author: authorField.prompt(label: "author> ", columns: columns)
    }
  }

  private var help: String {
    if draftField != nil { return "Return keeps the note. Escape discards the draft." }
    if let page { return page.help }
    return switch focus {
    case .list: "↵ show  n new  e edit  p pin  s share  d delete  / search  o order  a author"
    case .query: "Return shows what was found. Escape shows all notes."
    case .author: "Notes are shared under this name."
    }
  }

  // MARK: Input

  private func press(_ key: Key) {
    if let draftField {
      edit(draftField, key, onEnd: { draft?.dispatch($0 == .enter ? .done : .discard) })
    } else if case .text(let letters) = key, !isTyping, let first = letters.first, letters.count > 1
    {
      press(.text(String(first)))
      // The rest may belong to the field that the first letter has opened.
      press(.text(String(letters.dropFirst())))
    } else if page != nil, key != .endOfInput {
      path.press(key)
    } else {
      switch focus {
      case .query:
        edit(queryField, key) {
          focus = .list
          if $0 == .escape { search.dispatch(.clear) }
        }
      case .author: edit(authorField, key) { _ in focus = .list }
      case .list: command(key)
      }
    }
    draw()
  }

  /// Whether the keys are letters of a text.
  private var isTyping: Bool { draft != nil || page == nil && focus != .list }

  /// Edits a field until Return or Escape.
  private func edit(_ field: TextField, _ key: Key, onEnd: (Key) -> Void) {
    switch key {
    case .enter, .escape: onEnd(key)
    case .endOfInput where field.isEmpty: console.quits.send(0)
    default: field.apply(key)
    }
  }

  private func command(_ key: Key) {
    switch key {
    case .endOfInput: console.quits.send(0)
    case .up: select(-1)
    case .down: select(1)
    case .enter: if let note { path.show(note.id) }
    case .escape: note?.cancel(.share)
    case .text("n"): store.dispatch(.write)
    case .text("o"): settings.dispatch(.switchOrder)
    case .text("/"): focus = .query
    case .text("a"): focus = .author
    case .text("d"): if let note { store.dispatch(.askToRemove(note.id)) }
    case .text("q"): console.quits.send(0)
    case .text(let letter): if let action = NoteAction(letter: letter) { note?.dispatch(action) }
    default: break
    }
  }

  private func select(_ step: Int) {
    guard let note, let index = search.found.firstIndex(of: note.id) else { return }
    selected = search.found[max(0, min(index + step, search.found.count - 1))]
  }
}
