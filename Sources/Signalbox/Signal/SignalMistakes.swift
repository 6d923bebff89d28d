// Not for all signals at once: a type of the user that is a signal and `Hashable` would be refused.

extension Signal {
  /// Refuses to compare a signal with a value, such as a property of the state that is named `events`.
  @available(
    *, unavailable,
    message: """
      A signal is not its value. Read the value from the store, as in store.unread. If a member of the \
      store has the name, such as events, write store.state.events.
      """
  )
  nonisolated public static func == <Other>(signal: Self, other: Other) -> Bool { false }
}
