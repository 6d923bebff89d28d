import Signalbox

/// A change of a part of a `ValueTree`.
///
///     messages[3].text: "hi" → "hello"
///     path               replaced
///
/// The edits of a commit apply one after the other. Those of a list come before those of its
/// elements, so an index in a path is one of the new list.
package struct ValueEdit: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// A property, or an associated value with a label.
    case field(String)
    /// An associated value without a label, or an element of a list, with its `id` as a text.
    case index(Int, id: String?)
    case key(ValueTree)
  }

  package enum Change: Hashable, Sendable {
    case replaced(ValueTree, by: ValueTree)
    /// A dictionary gets or loses an entry.
    case inserted(ValueTree)
    case removed(ValueTree)
    case elements(Elements)
    case members(removed: [ValueTree], inserted: [ValueTree])
    /// Replaces a part of a text, after a number of UTF-16 units.
    case text(offset: Int, String, by: String)
  }

  /// Takes out what leaves or moves, then puts in what moves or enters, by rising new indices.
  package struct Elements: Hashable, Sendable {
    /// Elements with their old indices, which increase.
    package var removed: [Element] = []
    package var moved: [Move] = []
    /// Elements with their new indices, which increase.
    package var inserted: [Element] = []

    package init() {}

    package struct Element: Hashable, Sendable {
      package var index: Int
      package var value: ValueTree

      package init(index: Int, value: ValueTree) {
        self.index = index
        self.value = value
      }
    }

    package struct Move: Hashable, Sendable {
      package var old: Int
      package var new: Int

      package init(old: Int, new: Int) {
        self.old = old
        self.new = new
      }
    }
  }

  package var path: [Step]
  package var change: Change

  package init(_ path: [Step], _ change: Change) {
    self.path = path
    self.change = change
  }

  /// The error of an edit that does not fit the tree.
  package struct Misfit: Error {}
}

extension ValueTree {
  /// Applies edits; if one does not fit, the tree has those before it.
  package mutating func apply(_ edits: [ValueEdit]) throws(ValueEdit.Misfit) {
    var found: [Int: Int] = [:]
    for edit in edits { try change(at: edit.path[...], edit.change, &found) }
  }

  /// - Parameter found: the indices of the last keys, by their depth in a path. Edits usually have the
  ///   order of the entries, so the search for the next key begins there.
  private mutating func change(
    at path: ArraySlice<ValueEdit.Step>, _ change: ValueEdit.Change, _ found: inout [Int: Int]
  ) throws(ValueEdit.Misfit) {
    guard let step = path.first else { return try edit(change) }
    let rest = path.dropFirst()
    // Each case takes the parts out of the tree, because parts that are held twice are copied.
    switch self {
    case .record(var record):
      self = .null
      defer { self = .record(record) }
      guard let place = record.place(of: step) else { throw ValueEdit.Misfit() }
      try record.fields[place].value.change(at: rest, change, &found)
    case .list(let type, var elements):
      self = .null
      defer { self = .list(type: type, elements) }
      guard case .index(let index, _) = step, elements.indices.contains(index) else {
        throw ValueEdit.Misfit()
      }
      try elements[index].change(at: rest, change, &found)
    case .dictionary(var entries):
      self = .null
      defer { self = .dictionary(entries) }
      guard case .key(let key) = step else { throw ValueEdit.Misfit() }
      if case .inserted(let value) = change, rest.isEmpty {
        return entries.append(ValueTree.Entry(key: key, value: value))
      }
      let last = min(found[path.startIndex, default: 0], entries.count)
      let place =
        entries[last...].firstIndex { $0.key == key }
        ?? entries[..<last].firstIndex { $0.key == key }
      guard let place else { throw ValueEdit.Misfit() }
      found[path.startIndex] = place
      if case .removed = change, rest.isEmpty {
        entries.remove(at: place)
      } else {
        try entries[place].value.change(at: rest, change, &found)
      }
    case .omitted: return
    default: throw ValueEdit.Misfit()
    }
  }

  /// Changes the value itself.
  private mutating func edit(_ change: ValueEdit.Change) throws(ValueEdit.Misfit) {
    switch (change, self) {
    case (_, .omitted): return
    case (.replaced(_, let new), _): self = new
    case (.elements(let edit), .list(let type, var elements)):
      self = .null
      defer { self = .list(type: type, elements) }
      try elements.change(by: edit)
    case (.members(let removed, let inserted), .set(var members)):
      for member in removed {
        // The parts of an object may have changed since its set was read.
        guard
          let place = members.firstIndex(of: member)
            ?? members.firstIndex(where: { $0.matches(member) })
        else { throw ValueEdit.Misfit() }
        members.remove(at: place)
      }
      self = .set(members + inserted)
    case (.text(let offset, let old, let new), .string(var text)):
      guard offset >= 0, offset <= text.utf16.count - old.utf16.count else {
        throw ValueEdit.Misfit()
      }
      let start = text.utf16.index(text.startIndex, offsetBy: offset)
      let end = text.utf16.index(start, offsetBy: old.utf16.count)
      text.unicodeScalars.replaceSubrange(start..<end, with: new.unicodeScalars)
      self = .string(text)
    default: throw ValueEdit.Misfit()
    }
  }
}

extension ValueTree.Record {
  fileprivate func place(of step: ValueEdit.Step) -> Int? {
    switch step {
    case .field(let label): fields.firstIndex { $0.label == label }
    case .index(let index, _): fields.indices.contains(index) ? index : nil
    case .key: nil
    }
  }
}

extension [ValueTree] {
  fileprivate mutating func change(by edit: ValueEdit.Elements) throws(ValueEdit.Misfit) {
    var leaving = Set(edit.removed.map(\.index))
    var arriving = edit.inserted.map { ($0.index, $0.value) }
    for move in edit.moved {
      guard indices.contains(move.old) else { throw ValueEdit.Misfit() }
      leaving.insert(move.old)
      arriving.append((move.new, self[move.old]))
    }
    guard leaving.allSatisfy({ indices.contains($0) }) else { throw ValueEdit.Misfit() }
    arriving.sort { $0.0 < $1.0 }
    // An element at the end, the usual change, moves no other.
    if leaving.isEmpty, arriving.first?.0 == count {
      append(contentsOf: arriving.map(\.1))
      return
    }
    var stayed = indices.lazy.filter { !leaving.contains($0) }.makeIterator()
    var next = arriving[...]
    var result: [ValueTree] = []
    result.reserveCapacity(count - leaving.count + arriving.count)
    while true {
      if let first = next.first, first.0 == result.count {
        result.append(first.1)
        next.removeFirst()
      } else if let index = stayed.next() {
        result.append(self[index])
      } else {
        break
      }
    }
    guard next.isEmpty else { throw ValueEdit.Misfit() }
    self = result
  }
}
