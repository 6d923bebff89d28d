/// A change of one part of a value, as a node of the tree of changes.
package struct Change {
  package enum Kind {
    /// A value replaced another. The notes tell them apart if their texts are equal.
    case replaced(Any, Any, note: (String, String))
    /// A text replaced another. Both are quoted, and long ones are cut around the difference.
    case retold(String, String)
    case removed(Any)
    case inserted(Any)
    /// Unchanged, but at another index.
    case moved(Any)
    case within(Within)
    case lines([LineEdit])
    /// Exceeds the limits.
    case cut(ValueParts)
    /// Not compared, because that would have taken too long.
    case uncompared(ValueParts)
    /// Objects whose changes appear earlier in the tree.
    case shown(ValueParts)
  }

  /// The changes of the parts of a value.
  package struct Within {
    package let parts: ValueParts
    package var children: [Int] = []
    package var unchanged = 0
    /// The number of changes that exceed the limits.
    package var more = 0
    var uncompared = 0

    package var isComplete: Bool { more == 0 && uncompared == 0 }
  }

  package enum LineEdit {
    case removed(String)
    case inserted(String)
    case unchanged(Int)
    case more(Int)
  }

  package let key: PartKey
  let parent: Int
  let depth: Int
  /// The cursors at the old and the new value, whose types may differ.
  package let cursors: (old: RedactionCursor, new: RedactionCursor)
  package var kind: Kind
  /// The old and the new value; `nil` if there is only one.
  package let values: (Any, Any)?
}

extension Change {
  /// The element whose `id` is shown beside its place; `nil` if the change shows it whole.
  package var element: Any? {
    switch (key, kind) {
    case (.index, .removed), (.index, .inserted), (.none, .removed), (.none, .inserted): nil
    case (.none, _) where parent < 0: nil
    case (.moved, .moved(let value)): value
    case (.index, _), (.moved, _), (.none, _): values?.1
    default: nil
    }
  }
}

extension Change.Within {
  /// The line that counts the parts that are not shown; `nil` if there are none.
  var rest: String? {
    var words: [String] = []
    if more > 0 { words.append("\(more) more") }
    if unchanged > 0 { words.append("\(unchanged) unchanged") }
    if uncompared > 0 { words.append("\(uncompared) too large to compare in full") }
    return words.isEmpty ? nil : "… " + words.joined(separator: ", ")
  }
}
