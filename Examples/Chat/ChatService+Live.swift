import Signalbox

extension ChatService {
  /// A service with a room behind a socket.
  @MainActor
  init(_ connection: RoomConnection) {
    let events = connection.events
    self.init(
      join: { connection.start() },
      send: { try await connection.send($0) },
      connection: events.compactMap(\.connection),
      received: events.compactMap(\.message),
      notices: events.compactMap(\.notice))
  }
}

extension RoomConnection.Event {
  fileprivate var connection: ChatState.Connection? {
    switch self {
    case .connecting: .connecting
    case .joined(let others): .joined(others: others)
    case .lost(let reason): .lost(reason: reason)
    case .failed(let reason): .failed(reason: reason)
    default: nil
    }
  }

  fileprivate var message: ChatState.Message? {
    switch self {
    case .heard(let name, let text): .init(author: .peer(name), text: text)
    case .said(let text): .init(author: .me, text: text)
    case .arrived(let name): .init(author: .room, text: "\(name) has joined.")
    case .left(let name): .init(author: .room, text: "\(name) has left.")
    default: nil
    }
  }

  fileprivate var notice: String? {
    if case .notice(let text) = self { text } else { nil }
  }
}
