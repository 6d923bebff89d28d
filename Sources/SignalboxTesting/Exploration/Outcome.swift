import Signalbox
import SignalboxInspection

/// What came of an order.
@MainActor enum Outcome {
  /// A value that the scenario has recorded.
  case value(AnyHashable)
  /// The stores before the first step and at the end, if the scenario has recorded nothing.
  case stores([StoreSnapshot], from: [StoreSnapshot])

  func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.value(let a), .value(let b)): a == b
    case (.stores(let a, _), .stores(let b, _)):
      a.count == b.count
        && a.indices.allSatisfy { a[$0].number == b[$0].number && a[$0].hasState(of: b[$0]) }
    default: false
    }
  }

  var text: String {
    switch self {
    case .value(let value): return SourceFormatter.text(of: value.base)
    case .stores(let end, let start):
      let values = end.flatMap { now in
        start.first { $0.number == now.number }.map(now.values) ?? []
      }
      return values.isEmpty ? "no change" : values.joined(separator: ", ")
    }
  }
}

/// The outcomes of an exploration, each with the number of orders that led to it.
@MainActor struct OutcomeCounts {
  /// A class, because copies would cost more than the comparisons with all other outcomes.
  @MainActor private final class Entry {
    let outcome: Outcome
    var orders = 1
    /// Made at most once, because making it takes longer than a step of an order.
    lazy var text = outcome.text
    init(_ outcome: Outcome) { self.outcome = outcome }
  }

  private var entries: [Entry] = []
  private var values: [AnyHashable: Entry] = [:]
  /// The entries by their texts, except for the first few.
  private var texts: [String: [Entry]] = [:]
  // Most explorations have fewer outcomes. Beyond this number, only those with the same text are
  // compared: states are not hashable, and making a text is faster than many comparisons.
  private let few = 16

  mutating func count(_ outcome: Outcome) {
    let entry = Entry(outcome)
    if let known = find(entry) { known.orders += 1 } else { add(entry) }
  }

  private func find(_ entry: Entry) -> Entry? {
    if case .value(let value) = entry.outcome { return values[value] }
    func isSame(_ other: Entry) -> Bool { other.outcome.isSame(as: entry.outcome) }
    if let known = entries.prefix(few).first(where: isSame) { return known }
    return entries.count < few ? nil : texts[entry.text]?.first(where: isSame)
  }

  private mutating func add(_ entry: Entry) {
    if case .value(let value) = entry.outcome {
      values[value] = entry
    } else if entries.count >= few {
      texts[entry.text, default: []].append(entry)
    }
    entries.append(entry)
  }

  var sorted: [(description: String, orders: Int)] {
    entries.enumerated()
      .sorted { ($1.element.orders, $0.offset) < ($0.element.orders, $1.offset) }
      .map { ($0.element.text, $0.element.orders) }
  }
}
