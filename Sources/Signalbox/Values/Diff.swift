/// The difference between two values, without the parts that are the same.
///
///     if let diff = Diff(from: old, to: new) { print(diff) }
///     //   ChatState(
///     //     messages: [
///     //       [3, id: 7]: Message(
///     // -       text: "hi"
///     // +       text: "hello"
///     //         … 2 unchanged
///     //       )
///     //       … 999 unchanged
///     //     ]
///     //     … 18 unchanged
///     //   )
///
/// There is a difference exactly when `==` says so or, without `==`, when the contents differ. Two
/// functions of the same type count as the same, and NaN is equal to itself. If two different
/// values look the same, a note tells them apart (D2). `Identifiable` elements are
/// compared with the elements of the same `id`, which is shown beside the index. An element that
/// only moved is shown by its indices and its `id`, as in `[7 → 2, id: 9]`, or by its value if it has
/// no `id`. For a `@Redacted` value, the diff shows that it has changed, but no value (D4).
///
/// Unless the limits are `.unlimited`, a diff reads about 60,000 parts of values without `==` to find
/// out whether they differ, and as many to find out where. "too large to compare in full" stands for
/// the rest. Values with `==` are all compared. In a list with more than 500 edits, a diff may show
/// more edits than necessary (D3).
///
/// The contents of equal values are not read. The diff keeps neither of the two values. Objects are
/// read and `==` is called on the caller's thread.
public struct Diff: CustomStringConvertible {
  /// The changes as a tree, in which `- ` and `+ ` mark removed and inserted lines.
  public let description: String
  /// The changes as paths, one line for each change.
  ///
  ///     messages[3, id: 7].text: "hi" → "hello"
  ///     messages[7 → 2, id: 9]
  ///     + messages[8]: Message(id: 8, text: "new")
  ///     - users["ann"]: User(name: "ann")
  ///
  /// The limits apply as they do to the description (D3).
  public let paths: [String]

  /// The number of parts that are read by reflection, which takes about 0.6 s.
  private static let effort = 60_000

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: the old value.
  ///   - new: the new value.
  ///   - limits: the largest size of the texts. Omitted parts are counted.
  /// - Returns: `nil` if there is no difference.
  public init?(from old: Any, to new: Any, limits: Limits = .standard) {
    self.init(from: old, to: new, limits: limits, redaction: .current)
  }

  package init?(from old: Any, to new: Any, limits: Limits, redaction: Redaction) {
    let cursors = (RedactionCursor(redaction, at: old), RedactionCursor(redaction, at: new))
    let effort = limits.lines == .max ? .max : Self.effort
    guard let changes = Changes(from: old, to: new, limits, cursors, effort: effort) else {
      return nil
    }
    description = TreeFormatter.text(of: changes, limits)
    paths = Paths.lines(of: changes, limits)
  }
}
