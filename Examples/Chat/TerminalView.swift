import Signalbox
import Terminal

/// Shows the state in a terminal and edits the draft.
@MainActor
final class TerminalView {
  private let store: Store<ChatState, ChatAction>
  private let console: Console
  private let name: String
  private let field: TextField
  private var scroll = Scroll()
  private var shownMessages = 0
  private var sending: ActionTask?
  // A Return that was pressed while a message was being sent, and the keys after it.
  private var heldKeys: [Key] = []
  private var subscriptions: Set<Subscription> = []

  init(store: Store<ChatState, ChatAction>, console: Console, name: String, room: Address) {
    self.store = store
    self.console = console
    self.name = name
    field = TextField(store.binder.draft)
    store.publisher.draft
      .sink { [weak self] _ in self?.drawPrompt() }.store(in: &subscriptions)
    store.publisher.transcript
      .sink { [weak self] in self?.show($0) }.store(in: &subscriptions)
    merge(
      store.publisher.connection.compactMap { $0.sentence(room: room) },
      store.publisher.notice.compactMap(\.self)
    )
    .sink { [weak self] in self?.show(["* \($0)"]) }.store(in: &subscriptions)
    console.redraws.sink { [weak self] in self?.drawPrompt() }.store(in: &subscriptions)
    console.keys.sink { [weak self] in self?.press($0) }.store(in: &subscriptions)
  }

  /// Adds the held keys to the draft.
  func finishTyping() {
    for case .text(let text) in heldKeys.map({ [.enter, .tab].contains($0) ? .text(" ") : $0 }) {
      edit(.text(text))
    }
    heldKeys = []
  }

  // MARK: Output

  private func drawPrompt() {
    show([])
  }

  private func show(_ transcript: Transcript) {
    show(transcript.messages(after: shownMessages).map { $0.line(me: name) })
    shownMessages = transcript.count
  }

  private func show(_ lines: [String]) {
    let (columns, rows) = (console.columns, console.rows)
    let prompt = field.prompt(label: "\(name)> ", columns: columns)
    // A single write, so that the prompt does not flicker.
    console.write(scroll.bytes(printing: lines, above: prompt, columns: columns, rows: rows))
  }

  // MARK: Input

  private func press(_ key: Key) {
    if key == .endOfInput && field.isEmpty { return console.quits.send(0) }
    let isSending = sending.map { !$0.isFinished } ?? false
    if !heldKeys.isEmpty || (key == .enter && isSending) {
      heldKeys.append(key)
    } else if key == .enter {
      send()
    } else {
      edit(key)
    }
  }

  private func edit(_ key: Key) {
    if field.apply(key) { drawPrompt() }
  }

  private func send() {
    let task = store.send(.send)
    sending = task
    field.moveToEnd()
    Task { [weak self] in
      await task.value
      guard let self else { return }
      let keys = heldKeys
      heldKeys = []
      for key in keys { press(key) }
    }
  }
}
