import SignalboxTrace

/// The events of a recording as a tree of causes.
///
///     events:  1  2  3  4        cause of 2 and 4 is 1
///     tree:    1 ┬ 2
///              │ └ 4
///              3
struct EventTree {
  private let events: [TraceEvent]
  private var effects: [[Int]]
  private var causes: [Int?]
  private var roots: [Int] = []
  private let names: [Int: String]

  init(_ events: [TraceEvent], stores: [Int: TraceEvent.StoreInfo]) {
    self.events = events.filter { $0.isShown }
    effects = Array(repeating: [], count: self.events.count)
    causes = Array(repeating: nil, count: self.events.count)
    names = stores.count > 1 ? stores.mapValues { $0.name ?? $0.state } : [:]
    var places: [EventKey: Int] = [:]
    for (place, event) in self.events.enumerated() {
      // A cause that the file no longer has leaves its effects without one.
      let cause = event.causeKey.flatMap { places[$0] }
      causes[place] = cause
      if let cause { effects[cause].append(place) } else { roots.append(place) }
      if let key = event.key { places[key] = place }
    }
  }

  func print<E: Error>(_ selection: Selection, to print: (String) throws(E) -> Void) throws(E) {
    let isSelected = self.isSelected(by: selection)
    // A stack, because a chain of causes may be of any length.
    var stack = roots.reversed().map { (place: $0, depth: 0) }
    while let (place, depth) = stack.popLast() {
      if !isSelected[place] { continue }
      try print(events[place].line(depth: depth, store: names))
      for effect in effects[place].reversed() { stack.append((effect, depth + 1)) }
    }
  }

  /// Whether each event is selected, leads to one, or was caused by one.
  private func isSelected(by selection: Selection) -> [Bool] {
    var isSelected = Array(repeating: false, count: events.count)
    var selectsEffects = isSelected
    // A cause comes before its effects.
    for (place, event) in events.enumerated() {
      let isEffect = causes[place].map { selectsEffects[$0] } ?? false
      selectsEffects[place] = isEffect || selection.selectsEffects(of: event)
      isSelected[place] =
        selection.fits(event) || isEffect && selection.fitsAsEffect(event)
    }
    for place in events.indices.reversed() where isSelected[place] {
      if let cause = causes[place] { isSelected[cause] = true }
    }
    return isSelected
  }
}

/// The number of an event, in all stores.
struct EventKey: Hashable {
  let store: Int
  let id: Int
}

extension TraceEvent {
  /// `nil` if no event can refer to this one.
  var key: EventKey? {
    guard let store, let id else { return nil }
    return EventKey(store: store, id: id)
  }

  /// `nil` for a cause that does not come before, so no chain of causes leads back to itself.
  var causeKey: EventKey? {
    guard let store, let cause, cause < id ?? .max else { return nil }
    return EventKey(store: store, id: cause)
  }

  /// Whether the line says that something happened.
  var isShown: Bool {
    switch kind {
    case .store, .state: false
    default: true
    }
  }

  /// The line of the event in a tree, as in `   1.204      .load`, with its store if named.
  func line(depth: Int, store names: [Int: String]) -> String {
    let milliseconds = Int((min(max(0, time), 1e9) * 1_000).rounded())
    let fraction = String(milliseconds % 1_000)
    let clock =
      "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    // Deeper lines would not be readable, and a long chain would fill the disk with spaces.
    let indent = String(repeating: "  ", count: min(depth, 40))
    let name = depth == 0 ? store.flatMap { names[$0] }.map { "\($0.withoutControls): " } : nil
    let padding = String(repeating: " ", count: max(0, 8 - clock.count))
    return "\(padding)\(clock)  \(indent)\(name ?? "")\(text)"
  }
}
