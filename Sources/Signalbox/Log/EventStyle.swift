/// How the texts of events read.
package enum EventStyle {
  /// An entry for each event, with its change as a tree: `ChatAction.load finished after 3 ms`.
  case entry
  /// A line for each event, with values and changes that functions write on one line:
  /// `finished .load after 3 ms`.
  case line(value: (Any) -> String, changes: (_ old: Any, _ new: Any) -> String)

  var isLine: Bool { if case .line = self { true } else { false } }

  static func text(of value: Any) -> String {
    let text = Dump.string(of: value, limits: Limits(depth: 4, lines: 12, bytes: 400))
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }) }.joined(separator: " ")
  }
}
