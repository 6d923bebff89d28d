/// What changed between two values, and nothing else.
///
///     if let diff = Diff(from: old, to: new) { print(diff) }
///     //   ChatState(
///     //     messages: [
///     //       [3]: Message(
///     // -       text: "hi"
///     // +       text: "hello"
///     //         … 2 unchanged
///     //       )
///     //       … 999 unchanged
///     //     ]
///     //     … 18 unchanged
///     //   )
///
/// There is a difference exactly when `==` says so or, without `==`, when the contents differ;
/// functions of one type count as the same, and NaN as equal to itself. Two values that look the
/// same are told apart by what is written behind them (D2). Elements that are `Identifiable` are
/// compared with those of the same `id`; those that only moved are shown as moved: `[7 → 2]`.
/// What is `@Redacted` is said to have changed, but not what it was (D4).
///
/// Values that are equal are not looked into, and both are let go of when it is made. Objects are
/// read on the caller's thread, which also runs the `==` of the values.
public struct Diff: CustomStringConvertible {
  /// The changes as a tree: `- ` and `+ ` in their surroundings.
  public let description: String
  /// The changes as paths, one line a change.
  ///
  ///     messages[3].text: "hi" → "hello"
  ///     messages[7 → 2]: Message(id: 7, text: "moved")
  ///     + messages[8]: Message(id: 8, text: "new")
  ///     - users["ann"]: User(name: "ann")
  ///
  /// As bounded as the description (D3).
  public let paths: [String]

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: what was.
  ///   - new: what is.
  ///   - limits: how much is written; what is left out is counted.
  /// - Returns: `nil` if there is no difference.
  public init?(from old: Any, to new: Any, limits: Limits = .standard) {
    self.init(from: old, to: new, limits: limits, redaction: .current)
  }

  package init?(from old: Any, to new: Any, limits: Limits, redaction: Redaction) {
    guard let changes = Changes(from: old, to: new, limits, redaction) else { return nil }
    description = TreeFormatter.text(of: changes, limits)
    paths = Paths.lines(of: changes, limits)
  }
}
