/// What may occur in an order of a sequence, and what has.
@MainActor struct Occurrences {
  /// The names of all that may occur, in the order in which they became known.
  private(set) var names: [String] = []
  private var known: Set<String> = []
  private(set) var occurred: Set<String> = []

  mutating func expect(_ name: String) {
    if known.insert(name).inserted { names.append(name) }
  }

  mutating func note(_ name: String) {
    expect(name)
    occurred.insert(name)
  }

  mutating func add(_ other: Occurrences) {
    for name in other.names { expect(name) }
    occurred.formUnion(other.occurred)
  }
}

/// The sequences that have run, and in how many of them everything has occurred.
@MainActor struct SequenceCounts {
  /// The number of each sequence, which has many orders.
  private var numbers: [[String]: Int] = [:]
  private var all = Occurrences()
  /// The numbers of the sequences in which a name has occurred.
  private var sequences: [String: Set<Int>] = [:]

  mutating func count(_ occurrences: Occurrences, in sequence: [String]) {
    let number = numbers[sequence] ?? numbers.count
    numbers[sequence] = number
    all.add(occurrences)
    for name in occurrences.occurred { sequences[name, default: []].insert(number) }
  }

  var count: Int { numbers.count }

  var occurrences: [(description: String, sequences: Int)] {
    all.names.map { ($0, sequences[$0]?.count ?? 0) }
  }
}
