import RandomPrograms
import Signalbox

/// A numbered piece of work in a random program of requests.
struct RequestPiece: Sendable {
  indirect enum Kind {
    case run
    case request
    /// Waits in the service and then starts another piece.
    case debounce(RequestPiece)
  }

  var number: Int
  var id: String?
  var overlap: Overlap
  var kind: Kind
  /// The request that its `catch` makes of an error, in an array because the type is recursive.
  var retry: [RequestPiece] = []

  /// Whether a request whose chain ends with this piece waits for it.
  var answers: Bool {
    switch kind {
    case .run: false
    case .request: true
    case .debounce(let inner): inner.answers
    }
  }

  var name: RequestName { RequestName(id: id ?? "unnamed \(number)", number: number) }
}

/// The name of a piece, which identifies the piece in the events of a store.
struct RequestName: Hashable {
  let id: String
  let number: Int

  static func == (l: Self, r: Self) -> Bool { l.id == r.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The next step of a body.
enum RequestOrder: Sendable {
  case end
  case fail
  case request(RequestPiece)
}

/// A step of a random program.
enum RequestStep {
  case request(RequestPiece)
  case send(RequestPiece)
  /// Cancels the task that requested a piece.
  case cancelCaller(Int)
  case cancel(id: String)
  case cancelAll
  /// Gives an order to a waiting body, current or stale.
  case order(Int, RequestOrder)
}

/// Makes the steps of a program one by one.
struct RequestAuthor {
  static let ids = ["a", "b", "c"]
  private static let overlaps: [Overlap] = [.latest, .latest, .first, .queue, .join, .concurrent]

  private var random: SeededRandom
  private var count = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// - Parameters:
  ///   - waiting: The bodies that wait for an order.
  ///   - sleeping: Those of them that only sleep and then start another piece.
  ///   - calls: The outside requests without an answer.
  mutating func step(waiting: [Int], sleeping: Set<Int>, calls: [Int]) -> RequestStep {
    switch random.below(14) {
    case 0, 1, 2: .request(piece())
    case 3: .send(piece())
    case 4, 5: calls.isEmpty ? .request(piece()) : .cancelCaller(random.pick(calls))
    case 6: random.oneIn(4) ? .cancelAll : .cancel(id: random.pick(Self.ids))
    default: waiting.isEmpty ? .request(piece()) : order(random.pick(waiting), sleeping)
    }
  }

  private mutating func order(_ number: Int, _ sleeping: Set<Int>) -> RequestStep {
    .order(number, order(isAsleep: sleeping.contains(number)))
  }

  private mutating func order(isAsleep: Bool) -> RequestOrder {
    switch random.below(isAsleep ? 2 : 5) {
    case 0: .end
    case 1: .fail
    default: .request(piece())
    }
  }

  private mutating func piece(depth: Int = 0) -> RequestPiece {
    var piece = RequestPiece(
      number: count, id: random.pick(["a", "a", "a", "b", "b", "c", nil]),
      overlap: random.pick(Self.overlaps), kind: random.oneIn(5) ? .run : .request)
    count += 1
    guard depth < 3 else { return piece }
    if random.oneIn(4) {
      piece.kind = .debounce(self.piece(depth: depth + 1))
      piece.overlap = .latest
    } else if random.oneIn(2) {
      piece.retry = [self.piece(depth: depth + 1)]
    }
    return piece
  }
}

extension RequestPiece: CustomStringConvertible {
  var description: String {
    let what =
      switch kind {
      case .run: "run"
      case .request: "ask"
      case .debounce(let inner): "wait, then (\(inner)),"
      }
    return "\(what) \(number) \(id ?? "unnamed") \(overlap)"
      + retry.map { ", else (\($0))" }.joined()
  }
}
