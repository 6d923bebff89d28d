import Signalbox
import SignalboxStorage

/// Handles the actions and hooks of the chat.
struct ChatInteractor: Interactor {
  let service: ChatService
  /// Saves the draft; `nil` in a script, which has none.
  var drafts: SavedState<ChatState>?
  /// What the restore of the draft has found.
  var restored = Restored.nothing
  var clock: any Clock<Duration> = ContinuousClock()

  func onAction(
    _ action: ChatAction, store: MutatingStore<ChatState, ChatAction>
  ) async throws {
    switch action {
    case .start:
      service.join()
      store.notice = restored.notice
    case .send:
      store.notice = nil
      let text = store.draft
      guard !text.allSatisfy(\.isWhitespace) else { return }
      try await service.send(text)
      // Remove only the text that was sent, because the user may have typed more meanwhile.
      if store.draft.hasPrefix(text) { store.draft.removeFirst(text.count) }
    }
  }

  func onError(
    _ error: any Error, action: ChatAction, store: MutatingStore<ChatState, ChatAction>
  ) {
    store.notice = "\(error) Your message is still in the draft."
  }

  func subscription(
    for hook: ChatHook, store: MutatingStore<ChatState, ChatAction>
  ) -> Subscription {
    switch hook {
    case .connectionChanged:
      service.connection.assign(to: \.connection, using: store)
    case .messageReceived:
      service.received.sink { store.transcript.append($0) }
    case .noticeReceived:
      service.notices.sink { store.notice = $0 }
    case .draftChanged:
      drafts?.autosave(store, after: .milliseconds(200), status: \.saving, clock: clock) ?? .empty
    case .savingFailed:
      store.publisher.saving.compactMap(\.reason).sink { store.notice = $0 }
    }
  }
}

extension SavedState<ChatState> {
  /// The draft of a name in a room.
  static func draft(of name: String, in room: Address, _ storage: any Storage) -> SavedState {
    SavedState("\(name)@\(room)", in: storage).property("draft", \.draft)
  }
}

extension Restored {
  /// What the user must know.
  fileprivate var notice: String? {
    switch self {
    case .nothing, .restored, .migrated: nil
    case .setAside, .newer, .unavailable, .busy: description
    }
  }
}

extension SaveStatus {
  fileprivate var reason: String? {
    if case .failed(let reason) = self { reason } else { nil }
  }
}

extension ChatAction: CancellableAction {
  /// Messages are sent one after another.
  ///
  /// Starting is quick and needs no name.
  var cancelIdentifier: String? { self == .send ? "send" : nil }
  var overlap: Overlap { .queue }
}
