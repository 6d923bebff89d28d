import Signalbox

/// The dependencies of the chat.
struct ChatService {
  var join: @MainActor () -> Void
  /// Returns when the room has accepted the text.
  ///
  /// The message comes back through `received`, in the order in which the room sends messages to
  /// all of its guests.
  var send: @MainActor (String) async throws -> Void
  var connection: Signal<ChatState.Connection>
  var received: Signal<ChatState.Message>
  var notices: Signal<String>
}
