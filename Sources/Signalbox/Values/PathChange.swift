/// The change of one part, as a path and texts.
package struct PathChange {
  package enum Kind {
    case replaced(String, String)
    case removed(String)
    case inserted(String)
    /// An element has moved. The text is empty if the path names it.
    case moved(String, from: Int, to: Int)
    /// The part is too large to be compared, or elsewhere.
    case other(String)
  }

  /// As written after the whole value, as in `messages[3, id: 7].text`; empty for the whole value.
  package let path: String
  package let kind: Kind
  /// The statement that makes the change in `$0`; `nil` if there is none or the value is redacted.
  package var statement: String?

  package init(path: String, kind: Kind, statement: String? = nil) {
    self.path = path
    self.kind = kind
    self.statement = statement
  }

  package var name: String { path.isEmpty ? "state" : path }

  /// The change on one line, as in `count: 0 → 1`.
  package var line: String { line(naming: path) }

  package func line(naming name: String) -> String {
    let label = name.isEmpty ? "" : name + ": "
    return switch kind {
    case .replaced(let old, let new): "\(label)\(old) → \(new)"
    case .removed(let old): "- \(label)\(old)"
    case .inserted(let new): "+ \(label)\(new)"
    case .moved("", _, _), .other(""): name
    case .moved(let text, _, _), .other(let text): "\(label)\(text)"
    }
  }
}
