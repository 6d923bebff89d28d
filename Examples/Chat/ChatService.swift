import Signalbox

/// What the chat needs of the world.
struct ChatService {
  var join: @MainActor () -> Void
  /// Returns when the room has accepted the text.
  ///
  /// The message comes back through `received`, where it stands among the others in the order in
  /// which the room, and so everybody, has them.
  var send: @MainActor (String) async throws -> Void
  var connection: Signal<ChatState.Connection>
  var received: Signal<ChatState.Message>
  var notices: Signal<String>
  var loadDraft: @MainActor () throws -> String
  var saveDraft: @MainActor (String) throws -> Void
}
