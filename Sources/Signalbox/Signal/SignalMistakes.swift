extension SignalConvertible {
  /// Refuses to compare a signal with a value, such as a property of the state that is named `events`.
  ///
  /// It exists for its message. The compiler looks at an unavailable operator only if no other one fits.
  @available(
    *, unavailable,
    message: """
      A signal is not its value. For a property of the state that has the name of a member of the store, \
      such as events, write store.state.events.
      """
  )
  nonisolated public static func == <Other>(signal: Self, other: Other) -> Bool { false }
}
