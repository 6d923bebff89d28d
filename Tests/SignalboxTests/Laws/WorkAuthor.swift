import RandomPrograms
import Signalbox

/// Makes the steps of a program one by one.
struct WorkAuthor {
  private let overlaps: [Overlap]
  private var random: SeededRandom
  private var count = 0

  static let ids = ["a", "b", "c"]

  init(seed: UInt64, overlaps: [Overlap]) {
    self.overlaps = overlaps
    random = SeededRandom(seed: seed)
  }

  /// - Parameter waiting: The bodies that wait in the service.
  mutating func step(waiting: [Int]) -> WorkStep {
    switch random.below(10) {
    case 0, 1: .outside(act(depth: 0))
    case 2: .awaited(kept(piece(depth: 0)))
    case 3: .hook(piece(depth: 0, mayRun: true))
    case 4, 5: .outside(.begin(piece(depth: 0)))
    default:
      waiting.isEmpty
        ? .outside(.begin(piece(depth: 0))) : .order(random.pick(waiting), order())
    }
  }

  private func kept(_ piece: WorkPiece) -> WorkPiece {
    var piece = piece
    piece.isKept = true
    return piece
  }

  private mutating func order() -> WorkAct {
    switch random.below(5) {
    case 0, 1: .end
    case 2: .fail
    default: act(depth: 1)
    }
  }

  private mutating func act(depth: Int) -> WorkAct {
    switch random.below(depth < 3 ? 14 : 8) {
    case 0, 1: .cancel(id: random.pick(Self.ids))
    case 2, 3, 4: .cancelHandle(random.below(count + 1))
    case 5: random.oneIn(2) ? .cancelAll : .write
    case 6, 7: .write
    default: .begin(piece(depth: depth + 1, mayRun: depth > 0))
    }
  }

  private mutating func piece(depth: Int, mayRun: Bool = false) -> WorkPiece {
    var piece = WorkPiece(
      number: count, isRun: mayRun && random.oneIn(2),
      id: random.pick(["a", "a", "a", "b", "b", "c", nil]), overlap: random.pick(overlaps))
    count += 1
    piece.isKept = !random.oneIn(5)
    if random.oneIn(2) {
      piece.first = random.list(random.below(3)) { _ in .write }
      for index in piece.first.indices { piece.first[index] = act(depth: depth + 1) }
    }
    if random.oneIn(5) { piece.first.append(random.oneIn(2) ? .end : .fail) }
    return piece
  }
}
