/// The sentences that show the state, in a terminal and for a script.
extension ChatState.Message {
  func line(me: String) -> String {
    switch author {
    case .me: "\(me): \(text)"
    case .peer(let name): "\(name): \(text)"
    case .room: "* \(text)"
    }
  }
}

extension ChatState.Connection {
  func sentence(room: Address) -> String? {
    switch self {
    case .idle:
      nil
    case .connecting:
      "Connecting to the room at \(room)…"
    case .joined(let others):
      "You are in the room at \(room). "
        + (others.isEmpty
          ? "Nobody else is here." : "With you: \(others.joined(separator: ", ")).")
    case .lost(let reason):
      "\(reason) Reconnecting…"
    case .failed(let reason):
      reason
    }
  }
}
