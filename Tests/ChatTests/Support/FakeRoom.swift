import Signalbox

@testable import Chat

/// A room, and a place for the draft, without a socket and a file.
@MainActor
final class FakeRoom {
  let connection = Emitter<ChatState.Connection>()
  let received = Emitter<ChatState.Message>()
  let notices = Emitter<String>()
  /// What a message has to wait for, and may fail with.
  var accept: @MainActor (String) async throws -> Void = { _ in }
  var storedDraft: Result<String, DraftFile.Trouble> = .success("")
  var saveTrouble: DraftFile.Trouble?
  var willSave: @MainActor (String) -> Void = { _ in }
  private(set) var joinCount = 0
  private(set) var sent: [String] = []
  private(set) var savedDrafts: [String] = []

  var service: ChatService {
    ChatService(
      join: { [self] in joinCount += 1 },
      send: { [self] text in
        sent.append(text)
        try await accept(text)
      },
      connection: connection.signal,
      received: received.signal,
      notices: notices.signal,
      loadDraft: { [self] in try storedDraft.get() },
      saveDraft: { [self] draft in
        savedDrafts.append(draft)
        willSave(draft)
        if let saveTrouble { throw saveTrouble }
      })
  }
}
