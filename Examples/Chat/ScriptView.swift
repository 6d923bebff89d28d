import Signalbox
import SignalboxSources
import Terminal

/// Connects the chat with a script.
///
/// It sends each line of standard input. It prints messages from others to standard output and
/// everything else to standard error.
@MainActor
final class ScriptView {
  /// Sends the exit code when all lines have been handled.
  let quits = Emitter<Int32>()

  private static let patience: Duration = .seconds(60)

  private let store: Store<ChatState, ChatAction>
  private let room: Address
  private let input = ScriptInput(limit: Wire.textLimit, unused: "was not sent")
  private var shownMessages = 0
  private var subscriptions: Set<Subscription> = []

  init(store: Store<ChatState, ChatAction>, room: Address) {
    self.store = store
    self.room = room
    store.publisher.transcript
      .sink { [weak self] in self?.show($0) }.store(in: &subscriptions)
    merge(
      store.publisher.connection.compactMap { $0.sentence(room: room) },
      store.publisher.notice.compactMap(\.self)
    )
    .sink { complain($0) }.store(in: &subscriptions)
  }

  func run() async {
    _ = await isJoined()
    while let text = await input.next() {
      guard await send(text) else {
        complain("Line \(input.number) and the lines after it were not sent.")
        return quits.send(1)
      }
    }
    quits.send(input.exitCode)
  }

  private func send(_ text: String) async -> Bool {
    store.binder.draft.wrappedValue = text
    while await isJoined() {
      await store.dispatch(.send)
      if store.draft.isEmpty { return true }
    }
    return false
  }

  /// Waits for the connection if it was lost, but gives up after `patience`.
  ///
  /// A script cannot see that the connection is lost, so it must not wait without end.
  private func isJoined() async -> Bool {
    let joined = store.publisher.connection.includingCurrent().compactMap { connection in
      if case .joined = connection { true } else { nil }
    }
    let late = Signal.timer(every: Self.patience).map { false }
    return await merge(joined, late).first() ?? false
  }

  private func show(_ transcript: Transcript) {
    for message in transcript.messages(after: shownMessages) {
      switch message.author {
      // A script knows its own messages.
      case .me: break
      case .room: complain(message.text)
      case .peer:
        if !say(message.line(me: "")) { quits.send(1) }
      }
    }
    shownMessages = transcript.count
  }
}
