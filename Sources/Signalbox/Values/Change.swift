/// What changed at one place: a node of the tree of changes, before any text is made of it.
struct Change {
  enum Kind {
    case pending
    /// No change after all.
    case same
    /// One value in place of another, and what tells them apart where their texts do not.
    case replaced(Any, Any, note: (String, String))
    /// The same, with their texts.
    case retold(String, String)
    case removed(Any)
    case inserted(Any)
    /// Unchanged, but elsewhere.
    case moved(Any)
    case within(Within)
    case lines([LineEdit])
    /// Too deep to be shown, or too much.
    case cut(ValueParts)
    /// Objects whose changes are shown already.
    case shown(ValueParts)
  }

  /// Why it is taken to have changed.
  enum Basis {
    /// The values were compared.
    case verdict
    /// What it is part of has changed, and nothing else in that.
    case rest
    /// Nothing else has, in something that may not have changed; it has no `==`.
    case guess
  }

  struct Within {
    let parts: ValueParts
    var children: [Int] = []
    var unchanged = 0
    /// Changes that there was no more room for.
    var more = 0
  }

  /// Removed, inserted, or left out.
  enum LineEdit {
    case removed(String)
    case inserted(String)
    case unchanged(Int)
  }

  let key: Key
  let parent: Int
  let depth: Int
  /// Of what was and of what is: the two may be of different types.
  let cursors: (old: RedactionCursor, new: RedactionCursor)
  let basis: Basis
  var kind: Kind
  /// What it is about, while the tree is made.
  var values: (Any, Any)?
}

extension Change.Within {
  /// What is not shown of it; `nil` for nothing.
  var rest: String? {
    var words: [String] = []
    if more > 0 { words.append("\(more) more") }
    if unchanged > 0 { words.append("\(unchanged) unchanged") }
    return words.isEmpty ? nil : "… " + words.joined(separator: ", ")
  }
}
