import Signalbox
import SignalboxStorage
import SignalboxTesting

@testable import Chat

/// A room and a draft store without a socket and a file.
@MainActor
final class FakeRoom {
  let clock = TestClock()
  let connection = Emitter<ChatState.Connection>()
  let received = Emitter<ChatState.Message>()
  let notices = Emitter<String>()
  /// The time that it takes to accept a message.
  var delay = Duration.zero
  /// The error that it answers with, or `nil` to accept.
  var refusal: (any Error)?
  let storage = MemoryStorage()
  var restored = Restored.nothing
  private(set) var joinCount = 0
  private(set) var sent: [String] = []

  /// The draft that is stored.
  var savedDraft: String? {
    // In a copy, because the interactor has the lock of the original.
    let copy = MemoryStorage()
    copy["draft"] = storage["draft"]
    let saved = SavedState<ChatState>("draft", in: copy).property("draft", \.draft)
    var state = ChatState()
    return saved.restore(into: &state) == .restored ? state.draft : nil
  }

  var interactor: ChatInteractor {
    let drafts = SavedState<ChatState>("draft", in: storage).property("draft", \.draft)
    return ChatInteractor(service: service, drafts: drafts, restored: restored, clock: clock)
  }

  private var service: ChatService {
    ChatService(
      join: { [self] in joinCount += 1 },
      send: { [self] text in
        sent.append(text)
        try await clock.sleep(for: delay)
        if let refusal { throw refusal }
      },
      connection: connection.signal,
      received: received.signal,
      notices: notices.signal)
  }
}
