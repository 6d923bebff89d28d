import Signalbox

/// Shows the state in a terminal, and edits the draft there.
@MainActor
final class TerminalView {
  /// Fires when the user wants to leave, with the exit code.
  let quits = Emitter<Int32>()

  private let store: Store<ChatState, ChatAction>
  private let terminal: RawTerminal
  private let name: String
  private let room: Address
  private let input = Emitter<[UInt8]?>()
  private var decoder = KeyDecoder()
  private var charactersBehindCursor = 0
  private var shownMessages = 0
  private var sending: ActionTask?
  // What was typed after a Return that has to wait for the one before.
  private var heldKeys: [Key] = []
  private var subscriptions: Set<Subscription> = []

  init(
    store: Store<ChatState, ChatAction>, terminal: RawTerminal, name: String, room: Address
  ) {
    self.store = store
    self.terminal = terminal
    self.name = name
    self.room = room
    store.publisher.draft
      .sink { [weak self] _ in self?.drawPrompt() }.store(in: &subscriptions)
    store.publisher.transcript
      .sink { [weak self] in self?.show($0) }.store(in: &subscriptions)
    merge(
      store.publisher.connection.compactMap { $0.sentence(room: room) },
      store.publisher.notice.compactMap(\.self)
    )
    .sink { [weak self] in self?.show(["* \($0)"]) }.store(in: &subscriptions)
    input.sink { [weak self] in self?.receive($0) }.store(in: &subscriptions)
  }

  func open() {
    terminal.enter()
    terminal.read { [input] in input.post($0) }
    drawPrompt()
  }

  /// To be called when the window has another size, or the process was stopped for a while.
  func refresh() {
    terminal.enter()
    drawPrompt()
  }

  /// Puts what was typed and not yet dealt with into the draft.
  func finishTyping() {
    for case .text(let text) in heldKeys.map({ $0 == .enter ? .text(" ") : $0 }) {
      edit(.text(text))
    }
    heldKeys = []
  }

  func close() {
    subscriptions = []
    terminal.write("\r\u{1B}[J")
    terminal.leave()
  }

  // MARK: Out

  private var editor: LineEditor {
    LineEditor(store.draft, charactersBehindCursor: charactersBehindCursor)
  }

  private var prompt: String {
    Prompt(label: "\(name)> ", editor: editor, columns: terminal.columns).bytes
  }

  private func drawPrompt() {
    terminal.write(prompt)
  }

  private func show(_ transcript: Transcript) {
    show(transcript.messages(after: shownMessages).map { $0.line(me: name) })
    shownMessages = transcript.count
  }

  private func show(_ lines: [String]) {
    // One write: the prompt is never seen to go away.
    terminal.write("\r\u{1B}[J" + lines.map { "\($0.printable)\n" }.joined() + prompt)
  }

  // MARK: In

  private func receive(_ bytes: [UInt8]?) {
    guard let bytes else { return quits.send(0) }
    for key in decoder.decode(bytes) { press(key) }
  }

  private func press(_ key: Key) {
    switch key {
    case .interrupt:
      quits.send(0)
    case .endOfInput where store.draft.isEmpty:
      quits.send(0)
    case .suspend:
      terminal.leave()
      terminal.suspendProcess()
    case .redraw:
      drawPrompt()
    default:
      let isSending = sending.map { !$0.isFinished } ?? false
      if !heldKeys.isEmpty || (key == .enter && isSending) {
        heldKeys.append(key)
      } else if key == .enter {
        send()
      } else {
        edit(key)
      }
    }
  }

  private func edit(_ key: Key) {
    var editor = editor
    guard editor.apply(key == .endOfInput ? .delete : key) else { return }
    charactersBehindCursor = editor.charactersBehindCursor
    store.binder.draft.wrappedValue = editor.text
    drawPrompt()
  }

  private func send() {
    let task = store.send(.send)
    sending = task
    charactersBehindCursor = 0
    Task.immediate { [weak self] in
      await task.value
      guard let self else { return }
      let keys = heldKeys
      heldKeys = []
      for key in keys { press(key) }
    }
  }
}
