import Signalbox

/// The statements that remove, insert and move the elements of a list (T11).
///
///     [a, b, c, d] → [d, a, x, c]      $0.list.remove(at: 1)
///                                      $0.list.insert($0.list.remove(at: 2), at: 0)
///                                      $0.list.insert(x, at: 2)
///
/// Each statement counts on the ones before it. Statements for changed elements follow them.
struct ListStatements {
  /// Which change a statement makes.
  enum Kind: Hashable {
    case removal(of: Int)
    /// An insertion or a move to an index of the new list.
    case arrival(at: Int)
  }

  private(set) var all: [Kind: String] = [:]

  /// The number of removals, insertions and moves up to which there are statements.
  private static let most = 64

  private let target: String
  private let new: any AnyList
  /// The old indices of the elements that the list has now, negative for those inserted.
  private var current: [Int]
  /// The same for the new list.
  private var goal: [Int] = []

  init?(from old: any AnyList, to new: any AnyList, _ edits: [ListEdits.Edit], target: String) {
    self.target = target
    self.new = new
    current = Array(0..<old.length)
    var removed: [Int] = []
    var arrivals: [(index: Int, old: Int?)] = []
    var changed: [Int: Int] = [:]
    for edit in edits {
      switch edit {
      case .removed(let i): removed.append(i)
      case .inserted(let j): arrivals.append((j, nil))
      case .moved(let i, let j, _): arrivals.append((j, i))
      case .changed(let i, let j): changed[j] = i
      }
    }
    guard removed.count + arrivals.count <= Self.most, old.hasOffsets else { return nil }
    setGoal(removed, arrivals, changed)
    remove(removed.sorted())
    guard arrive(arrivals) else { return nil }
  }

  private mutating func setGoal(
    _ removed: [Int], _ arrivals: [(index: Int, old: Int?)], _ changed: [Int: Int]
  ) {
    let gone = Set(removed + arrivals.compactMap(\.old) + changed.values)
    var rest = current.lazy.filter { !gone.contains($0) }.makeIterator()
    let come = Dictionary(
      uniqueKeysWithValues: arrivals.map { ($0.index, $0.old ?? -1 - $0.index) })
    goal = (0..<new.length).map { come[$0] ?? changed[$0] ?? rest.next() ?? 0 }
  }

  /// Removes runs of elements from the last to the first, so that all have their old indices.
  private mutating func remove(_ removed: [Int]) {
    var end = removed.count
    while end > 0 {
      var start = end - 1
      while start > 0, removed[start - 1] == removed[start] - 1 { start -= 1 }
      let (first, last) = (removed[start], removed[end - 1])
      let call = first == last ? "remove(at: \(first))" : "removeSubrange(\(first)..<\(last + 1))"
      all[.removal(of: first)] = "\(target).\(call)"
      current.removeSubrange(first...last)
      end = start
    }
  }

  /// - Returns: whether all elements have a statement.
  private mutating func arrive(_ arrivals: [(index: Int, old: Int?)]) -> Bool {
    var arrivals = arrivals.sorted { $0.index < $1.index }[...]
    while let (index, old) = arrivals.popFirst() {
      if let old {
        // The value of an optional chain would be optional.
        guard let from = current.firstIndex(of: old), !target.contains("?") else { return false }
        current.remove(at: from)
        let place = place(of: index)
        current.insert(old, at: place)
        all[.arrival(at: index)] = "\(target).insert(\(target).remove(at: \(from)), at: \(place))"
        continue
      }
      guard var text = SourceCode.text(of: new.item(index)) else { return false }
      var run = [index]
      while let next = arrivals.first, next.old == nil, next.index == run.count + index {
        guard let more = SourceCode.text(of: new.item(next.index)) else { return false }
        // The next statement inserts what would make this one too long.
        if text.utf8.count + more.utf8.count > SourceChanges.long { break }
        text += ", " + more
        run.append(next.index)
        arrivals.removeFirst()
      }
      let place = place(of: index)
      all[.arrival(at: index)] = target + insertion(of: text, isOne: run.count == 1, at: place)
      current.insert(contentsOf: run.map { goal[$0] }, at: place)
    }
    return true
  }

  /// The place after the element that precedes an index in the new list.
  private func place(of index: Int) -> Int {
    index == 0 ? 0 : (current.firstIndex(of: goal[index - 1]) ?? -1) + 1
  }

  private func insertion(of text: String, isOne: Bool, at place: Int) -> String {
    let isAtEnd = place == current.count
    return switch (isOne, isAtEnd) {
    case (true, true): ".append(\(text))"
    case (true, false): ".insert(\(text), at: \(place))"
    case (false, true): " += [\(text)]"
    case (false, false): ".insert(contentsOf: [\(text)], at: \(place))"
    }
  }
}
