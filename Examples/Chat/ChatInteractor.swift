import Signalbox

/// Handles the actions and hooks of the chat.
struct ChatInteractor: Interactor {
  let service: ChatService
  var clock: any Clock<Duration> = ContinuousClock()

  func onAction(
    _ action: ChatAction, store: MutatingStore<ChatState, ChatAction>
  ) async throws {
    switch action {
    case .start:
      service.join()
      store.draft = try service.loadDraft()
    case .send:
      store.notice = nil
      let text = store.draft
      guard !text.allSatisfy(\.isWhitespace) else { return }
      try await service.send(text)
      // Remove only the text that was sent, because the user may have typed more meanwhile.
      if store.draft.hasPrefix(text) { store.draft.removeFirst(text.count) }
    case .saveDraft:
      try service.saveDraft(store.draft)
    }
  }

  func onError(
    _ error: any Error, action: ChatAction, store: MutatingStore<ChatState, ChatAction>
  ) {
    store.notice = action == .send ? "\(error) Your message is still in the draft." : "\(error)"
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
      store.publisher.draft
        .debounce(for: .milliseconds(200), clock: clock)
        .assign(toAction: .saveDraft, using: store)
    }
  }
}

extension ChatAction: CancellableAction {
  /// Messages are sent one after another.
  ///
  /// Saving and starting are quick and need no name.
  var cancelIdentifier: String? { self == .send ? "send" : nil }
  var overlap: Overlap { .queue }
}
