/// The observed parts of a state, found by where they are.
///
/// With `\.self`, `\.user`, `\.user.age` and `\.b` observed:
///
///     ranged   [ 0..<40 ][ 8..<32 ][ 24..<32 ][ 32..<40 ]    by start, the wider one first
///     around     –         0..<40    8..<32     0..<40       the next wider one
///     computed [ \.title ][ \.items[3] ]                     compared after every commit
///
/// A write to `\.user.name`, 8..<24, starts its search behind `\.user`, finds nothing within
/// itself, and goes outwards: `\.user`, `\.self`.
@MainActor struct NodeList<State> {
  private var ranged: [Node<State>] = []
  private var around: [Int] = []
  private(set) var computed: [Node<State>] = []
  private var computedIndex: [AnyKeyPath: Node<State>] = [:]

  var isEmpty: Bool { ranged.isEmpty && computed.isEmpty }
  var all: [Node<State>] { ranged + computed }
  var allRanged: [Node<State>] { ranged }

  mutating func insert(_ node: Node<State>) {
    if node.place.hasRange {
      ranged.insert(node, at: firstIndex { node.place.precedes($0) })
      link()
    } else {
      computed.append(node)
      computedIndex[node.place.keyPath] = node
    }
  }

  mutating func remove(_ node: Node<State>) {
    if node.place.hasRange {
      ranged.removeAll { $0 === node }
      link()
    } else {
      computed.removeAll { $0 === node }
      if computedIndex[node.place.keyPath] === node { computedIndex[node.place.keyPath] = nil }
    }
  }

  func find(_ place: Place) -> Node<State>? {
    guard place.hasRange else { return computedIndex[place.keyPath] }
    var index = firstIndex { !$0.precedes(place) }
    while index < ranged.count, ranged[index].place.lower == place.lower {
      if ranged[index].place.isSame(as: place) { return ranged[index] }
      index += 1
    }
    return nil
  }

  /// The observed parts of a place, itself among them.
  func forEach(within place: Place, _ body: (Node<State>) -> Void) {
    var index = firstIndex { !$0.precedes(place) }
    while index < ranged.count, ranged[index].place.lower < place.upper {
      body(ranged[index])
      index += 1
    }
  }

  /// The observed parts that a place is a part of, itself not among them.
  func forEach(around place: Place, _ body: (Node<State>) -> Void) {
    var index = firstIndex { !$0.precedes(place) } - 1
    while index >= 0 {
      if ranged[index].place.contains(place) { body(ranged[index]) }
      index = around[index]
    }
  }

  private func firstIndex(where isBeyond: (Place) -> Bool) -> Int {
    var low = 0
    var high = ranged.count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(ranged[middle].place) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func link() {
    around.removeAll(keepingCapacity: true)
    for index in ranged.indices {
      var outer = index - 1
      while outer >= 0, !ranged[outer].place.contains(ranged[index].place) { outer = around[outer] }
      around.append(outer)
    }
  }
}
