import Signalbox

/// The expected work of all rooms of a lodge, according to A4 and X3.
struct ForwardOracle {
  private struct Name: Hashable {
    let id: String
    let place: ForwardPlace
  }

  private var pieces: [Int: (piece: ForwardPiece, place: ForwardPlace)] = [:]
  /// Running and queued work of each name, in the order in which it came.
  private var lanes: [Name: [Int]] = [:]
  private var unnamed: Set<Int> = []
  private var started: Set<Int> = []
  private var present = Set(ForwardPart.allCases)
  /// The number of starts until a subscriber makes a room go.
  private var startsLeft: Int?

  /// The bodies that wait for an order, current or stale.
  private(set) var waiting: Set<Int> = []
  private(set) var log: [String] = []
  private(set) var saved: Set<Int> = []
  private(set) var drops = 0

  var runningCount: Int { unnamed.count + lanes.values.reduce(0) { $0 + $1.count } }

  /// The waiting bodies that can send.
  var runs: Set<Int> {
    waiting.filter { if case .run = pieces[$0]?.piece.kind { true } else { false } }
  }

  func isThere(_ place: ForwardPlace) -> Bool { place.parts.allSatisfy { present.contains($0) } }

  func isCurrent(_ number: Int) -> Bool {
    unnamed.contains(number) || lanes.values.contains { $0.contains(number) }
  }

  mutating func take(_ step: ForwardStep) {
    switch step {
    case .begin(let pieces, let place, let endsAt):
      guard isThere(place) else { return }
      startsLeft = endsAt
      for piece in pieces { admit(piece, place) }
      startsLeft = nil
    case .last(let pieces, let place):
      guard isThere(place) else { return }
      leave(place)
      for piece in pieces { admit(piece, place) }
    case .change(let changes): change(changes)
    case .cancel(let id, let place): if isThere(place) { lanes[Name(id: id, place: place)] = nil }
    case .order(let number, let order): take(order, number)
    }
  }

  private mutating func take(_ order: ForwardOrder, _ number: Int) {
    guard let (piece, place) = pieces[number] else { return }
    switch order {
    case .send(let leaves):
      if isCurrent(number) { tell("\(number)=", place, leaves) } else { drops += 1 }
    case .end(let leaves):
      waiting.remove(number)
      if case .save = piece.kind { saved.insert(number) }
      guard isCurrent(number) else { return }
      remove(number)
      switch piece.kind {
      case .run, .save: break
      case .task: tell("\(number)-", place, leaves)
      case .debounce(let inner): admit(inner, place)
      }
      startQueued()
    }
  }

  private mutating func tell(_ text: String, _ place: ForwardPlace, _ leaves: Bool) {
    log.append("\(place) \(text)")
    if leaves { leave(place) }
  }

  // MARK: - Rooms

  private mutating func leave(_ place: ForwardPlace) {
    if let part = place.parts.last { change([ForwardChange(part: part, comes: false)]) }
  }

  private mutating func change(_ changes: [ForwardChange]) {
    for change in changes {
      switch (change.part, change.comes) {
      case (.annex, false): present.subtract([.annex, .loft])
      case (.loft, true): if present.contains(.annex) { present.insert(.loft) }
      case (let part, true): present.insert(part)
      case (let part, false): present.remove(part)
      }
    }
    for (number, (piece, place)) in pieces where !piece.isFree && !isThere(place) { remove(number) }
    startQueued()
  }

  // MARK: - Work

  private mutating func admit(_ piece: ForwardPiece, _ place: ForwardPlace) {
    guard piece.isFree || isThere(place) else {
      drops += 1
      return
    }
    pieces[piece.number] = (piece, place)
    var starts = true
    if let id = piece.id {
      let name = Name(id: id, place: place)
      let isAlone = lanes[name, default: []].isEmpty
      switch piece.overlap {
      case .latest: lanes[name] = [piece.number]
      case .first, .join: if isAlone { lanes[name] = [piece.number] }
      case .queue, .concurrent: lanes[name, default: []].append(piece.number)
      }
      starts = isAlone || piece.overlap == .latest || piece.overlap == .concurrent
    } else {
      unnamed.insert(piece.number)
    }
    // The start is reported before the body begins.
    if let left = startsLeft {
      startsLeft = left - 1
      if left == 1 { leave(place) }
    }
    if starts { start(piece.number) }
  }

  private mutating func start(_ number: Int) {
    guard isCurrent(number) else { return }
    started.insert(number)
    waiting.insert(number)
  }

  private mutating func remove(_ number: Int) {
    unnamed.remove(number)
    for name in lanes.keys { lanes[name]?.removeAll { $0 == number } }
  }

  /// Starts queued work that has become the first of its name.
  private mutating func startQueued() {
    for lane in lanes.values {
      if let first = lane.first, !started.contains(first) { start(first) }
    }
  }
}
