import SignalboxStorage

/// The state of the chat.
struct ChatState: Equatable, Sendable {
  struct Message: Equatable, Sendable {
    enum Author: Equatable, Sendable {
      case me
      case peer(String)
      case room
    }
    var author: Author
    var text: String
  }

  enum Connection: Equatable, Sendable {
    case idle
    case connecting
    case joined(others: [String])
    case lost(reason: String)
    case failed(reason: String)
  }

  var connection = Connection.idle
  var transcript = Transcript()
  var draft = ""
  /// Whether the draft is saved.
  var saving = SaveStatus.saved
  var notice: String?
}

/// The latest messages.
///
/// Their number is limited, so that they cannot fill the memory.
struct Transcript: Equatable, Sendable {
  static let limit = 500
  private(set) var latest: [ChatState.Message] = []
  /// The number of all messages so far, including the removed ones.
  private(set) var count = 0

  init(_ messages: [ChatState.Message] = []) {
    for message in messages { append(message) }
  }

  mutating func append(_ message: ChatState.Message) {
    latest.append(message)
    count += 1
    // Removes many at once, because each removal moves all the others.
    if latest.count >= 2 * Self.limit { latest.removeFirst(latest.count - Self.limit) }
  }

  /// The messages after the first `count`, without the removed ones.
  func messages(after count: Int) -> ArraySlice<ChatState.Message> {
    latest.suffix(self.count - count)
  }
}

enum ChatAction: Equatable, Sendable {
  case start
  case send
}

enum ChatHook: CaseIterable {
  case connectionChanged
  case messageReceived
  case noticeReceived
  case draftChanged
  case savingFailed
}
