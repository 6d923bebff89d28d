import ExampleTesting

extension Program {
  /// A chat in a terminal of its own.
  static func inTerminal(
    _ arguments: String..., drafts: String, user: String = "someone", isStuck: Bool = false
  ) throws -> Program {
    try inTerminal(
      "Chat", arguments, environment: ["CHAT_DRAFTS=\(drafts)", "USER=\(user)"], isStuck: isStuck)
  }

  /// A chat as scripts have it.
  static func betweenPipes(_ arguments: String...) throws -> Program {
    try betweenPipes("Chat", arguments, environment: ["CHAT_DRAFTS=/dev/null", "USER=someone"])
  }
}
