import RandomPrograms
import Signalbox

/// A room in a lodge, each of which is a child of a transducer.
enum ForwardPlace: CaseIterable, Sendable {
  /// A property, which never goes.
  case ground
  /// An optional.
  case attic
  /// A value of a dictionary.
  case east, west
  /// A property of an annex, which is optional.
  case hall
  /// An optional of that annex.
  case loft

  /// The parts of the state that must be there, the innermost last.
  var parts: [ForwardPart] {
    switch self {
    case .ground: []
    case .attic: [.attic]
    case .east: [.east]
    case .west: [.west]
    case .hall: [.annex]
    case .loft: [.annex, .loft]
    }
  }
}

/// A part of the state of a lodge that may come and go.
enum ForwardPart: CaseIterable, Sendable { case attic, east, west, annex, loft }

/// A numbered effect of a room.
struct ForwardPiece: Sendable {
  indirect enum Kind: Sendable {
    /// Sends an event whenever it is told to.
    case run
    /// Returns an event.
    case task
    /// Is a `fireAndForget`, which saves its number.
    case save
    /// Waits until it is told to end, and then starts another effect.
    case debounce(ForwardPiece)
  }

  var number: Int
  /// The name, which only a `fireAndForget` ignores.
  var id: String?
  var overlap: Overlap
  var kind: Kind

  /// Whether it goes on without its room.
  var isFree: Bool {
    switch kind {
    case .run, .task: false
    case .save: true
    case .debounce(let inner): inner.isFree
    }
  }
}

/// The next step of a body.
enum ForwardOrder: Sendable {
  /// - Parameter leaves: whether the event makes the room go.
  case send(leaves: Bool)
  /// - Parameter leaves: whether the event that the work may return makes the room go.
  case end(leaves: Bool)
}

/// A step of a random program.
enum ForwardStep {
  /// Starts effects of a room.
  ///
  /// - Parameter endsAt: the number of the start, of those in this step, at which a subscriber makes
  ///   the room go.
  case begin([ForwardPiece], ForwardPlace, endsAt: Int?)
  /// Starts effects of a room with the event that makes it go.
  case last([ForwardPiece], ForwardPlace)
  /// Makes parts come and go in one event.
  case change([ForwardChange])
  case cancel(id: String, ForwardPlace)
  /// Gives an order to a waiting body, current or stale.
  case order(Int, ForwardOrder)
}

struct ForwardChange: Sendable {
  var part: ForwardPart
  var comes: Bool
}

/// Makes the steps of a program one by one.
struct ForwardAuthor {
  private static let ids = ["a", "b"]

  private var random: SeededRandom
  private var count = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// - Parameters:
  ///   - waiting: the bodies that wait for an order.
  ///   - runs: those of them that can send.
  mutating func step(waiting: [Int], runs: Set<Int>) -> ForwardStep {
    let place = random.pick(ForwardPlace.allCases)
    switch random.below(waiting.isEmpty ? 10 : 14) {
    case 0: return .last(pieces(), place)
    case 1, 2, 3: return .change(random.list(1 + random.below(3)) { Self.change(&$0) })
    case 4: return .cancel(id: random.pick(Self.ids), place)
    case 10...:
      let number = random.pick(waiting)
      let leaves = random.oneIn(4)
      let sends = runs.contains(number) && !random.oneIn(3)
      return .order(number, sends ? .send(leaves: leaves) : .end(leaves: leaves))
    default: return .begin(pieces(), place, endsAt: random.oneIn(6) ? 1 + random.below(2) : nil)
    }
  }

  private static func change(_ random: inout SeededRandom) -> ForwardChange {
    ForwardChange(part: random.pick(ForwardPart.allCases), comes: !random.oneIn(3))
  }

  private mutating func pieces() -> [ForwardPiece] {
    (0..<1 + random.below(2)).map { _ in piece() }
  }

  private mutating func piece(depth: Int = 0) -> ForwardPiece {
    count += 1
    var piece = ForwardPiece(
      number: count, id: random.pick(["a", "a", "a", "b", nil]),
      overlap: random.pick([.latest, .first, .queue, .queue, .join, .concurrent]), kind: .run)
    switch random.below(depth < 2 ? 8 : 6) {
    case 0, 1: piece.kind = .task
    case 2, 3: piece.kind = .save
    case 6...:
      piece.kind = .debounce(self.piece(depth: depth + 1))
      piece.id = random.pick(Self.ids)
      piece.overlap = .latest
    default: break
    }
    if case .save = piece.kind { (piece.id, piece.overlap) = (nil, .concurrent) }
    return piece
  }
}

extension ForwardPiece: CustomStringConvertible {
  var description: String {
    switch kind {
    case .run: "run \(number) \(id ?? "unnamed") \(overlap)"
    case .task: "task \(number) \(id ?? "unnamed") \(overlap)"
    case .save: "save \(number)"
    case .debounce(let inner): "wait \(number) \(id ?? ""), then (\(inner))"
    }
  }
}
