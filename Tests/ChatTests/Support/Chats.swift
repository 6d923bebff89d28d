import ExampleTesting

extension Program {
  /// Starts a chat in its own terminal.
  static func inTerminal(
    _ arguments: String..., drafts: String, user: String = "someone", isStuck: Bool = false
  ) throws -> Program {
    try inTerminal(
      "Chat", arguments, environment: ["CHAT_DRAFTS=\(drafts)", "USER=\(user)"], isStuck: isStuck)
  }

  /// Starts a chat between pipes, as scripts do.
  static func betweenPipes(_ arguments: String...) throws -> Program {
    try betweenPipes("Chat", arguments, environment: ["CHAT_DRAFTS=/dev/null", "USER=someone"])
  }
}
