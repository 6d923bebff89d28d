import Signalbox
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
  var storedDraft: Result<String, DraftFile.Trouble> = .success("")
  var saveTrouble: DraftFile.Trouble?
  private(set) var joinCount = 0
  private(set) var sent: [String] = []
  private(set) var savedDrafts: [String] = []

  var interactor: ChatInteractor { ChatInteractor(service: service, clock: clock) }

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
      notices: notices.signal,
      loadDraft: { [self] in try storedDraft.get() },
      saveDraft: { [self] draft in
        savedDrafts.append(draft)
        if let saveTrouble { throw saveTrouble }
      })
  }
}
