import Signalbox

extension ChatService {
  /// A service with a room behind a socket.
  @MainActor
  static func live(
    name: String, room: Address
  ) throws -> (service: ChatService, connection: RoomConnection) {
    let events = Emitter<RoomConnection.Event>()
    let connection = try RoomConnection(name: name, address: room) { events.post($0) }
    let service = ChatService(
      join: { connection.start() },
      send: { try await connection.send($0) },
      connection: events.compactMap(\.connection),
      received: events.compactMap(\.message),
      // `noticeReceived` is the last of the three hooks that receive an event. The other two have
      // handled it by now.
      notices: events.handleEvents(receiveValue: { _ in connection.handled() })
        .compactMap(\.notice))
    return (service, connection)
  }
}

extension RoomConnection.Event {
  fileprivate var connection: ChatState.Connection? {
    switch self {
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
