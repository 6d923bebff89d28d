import Signalbox
import Testing

/// Tests that a removed value is released last, finds a complete state and may change it.
@MainActor struct ReleasedValueTests {
  /// Runs a closure when it is released.
  private final class Farewell: Sendable {
    let id: Int
    private let body: (@MainActor @Sendable () -> Void)?

    init(_ id: Int, _ body: (@MainActor @Sendable () -> Void)? = nil) {
      self.id = id
      self.body = body
    }

    // The tests release it on the main actor.
    deinit { if let body { MainActor.assumeIsolated { body() } } }
  }

  private struct Pair {
    var left: Farewell
    var right: Farewell

    init(_ id: Int, _ body: (@MainActor @Sendable () -> Void)? = nil) {
      left = Farewell(id, body)
      right = Farewell(id)
    }
  }

  private struct Pairs { var pair = Pair(0) }

  private struct Session: Equatable {
    var log: [String] = []
    var visits = 0
    var token: Subscription?
  }

  private struct Account: Equatable {
    var session = Session()
    var badge = Session() { didSet {} }
    var other = 0
  }

  @Test("M1 a replaced value finds both halves of the new value", arguments: [false, true])
  func readWhenReleased(isObserved: Bool) {
    let rig = StateRig(Pairs())
    let pairs = isObserved ? rig.store.publisher.pair.sink { _ in } : .empty
    var seen: [Int] = []
    rig.write.pair = Pair(1) { seen += [rig.write.pair.left.id, rig.write.pair.right.id] }
    rig.write.pair = Pair(2)
    #expect(seen == [2, 2])
    withExtendedLifetime(pairs) {}
  }

  @Test(
    "S6 what a released value writes is a separate, later commit",
    arguments: [false, true])
  func writeWhenReleased(isObserved: Bool) {
    let rig = StateRig(Pairs())
    var told: [[Int]] = []
    let pairs =
      isObserved
      ? rig.store.publisher.pair.sink { told.append([$0.left.id, $0.right.id]) } : .empty
    rig.write.pair = Pair(1) { rig.write.pair = Pair(3) }
    rig.write.pair = Pair(2)
    #expect([rig.store.pair.left.id, rig.store.pair.right.id] == [3, 3])
    #expect(told == (isObserved ? [[1, 1], [2, 2], [3, 3]] : []))
    withExtendedLifetime(pairs) {}
  }

  @Test(
    "S6 a token in the state may record in the state that it was cancelled by replacement",
    arguments: [false, true], [0, 1, 2])
  func tokenWrites(isObserved: Bool, way: Int) {
    let rig = StateRig(Account())
    let sessions = isObserved ? rig.store.publisher.session.sink { _ in } : .empty
    rig.write.session.log = (0..<3).map { "entry \($0), long enough to be on the heap" }
    rig.write.session.token = Subscription { rig.write.session.log.append("closed") }
    switch way {
    case 0: rig.write.session = Session()
    case 1: rig.write.state = Account()
    default: rig.write.set(\.session, Session(), forceUpdate: true)
    }
    #expect(rig.store.session.log == ["closed"])
    withExtendedLifetime(sessions) {}
  }

  @Test("S6 a token behind didSet is released after the setter and may write as well")
  func tokenBehindSetter() {
    let rig = StateRig(Account())
    rig.write.badge = Session(token: Subscription { rig.write.badge.visits = 7 })
    rig.write.badge = Session()
    #expect(rig.store.badge.visits == 7)
  }

  @Test(
    "S10 a token that ends other subscriptions when it is released breaks no comparison",
    arguments: [0, 1, 2, 3])
  func tokenCancels(way: Int) {
    let rig = StateRig(Account())
    // The sink keeps only the number, because the session holds the token.
    var visits: [Int] = []
    let sessions = rig.store.publisher.session.sink { visits.append($0.visits) }
    var others: [Subscription] = [
      rig.store.publisher.session.log.sink { _ in },
      rig.store.publisher.session.visits.sink { _ in },
      rig.store.publisher.other.sink { _ in },
    ]
    rig.write.session.visits = 1
    rig.write.session.token = Subscription {
      let ended = others
      others = []
      withExtendedLifetime(ended) {}
    }
    switch way {
    case 0: rig.write.update { $0.session = Session() }
    case 1: rig.write.state = Account()
    case 2:
      rig.write.batch {
        rig.write.session = Session()
        rig.write.other = 1
      }
    default: rig.write.session = Session()
    }
    #expect(others.isEmpty)
    #expect(visits.last == 0)
    withExtendedLifetime(sessions) {}
  }

  @Test("S10 a token that writes when it is released does so after the comparison")
  func tokenWritesInComparison() {
    let rig = StateRig(Account())
    let visits = StateRecorder(rig.store.publisher.session.visits)
    let whole = StateRecorder(rig.store.publisher.map(\.session.visits))
    rig.write.session.token = Subscription { rig.write.session.visits = 7 }
    rig.write.update { $0.session = Session(visits: 1) }
    #expect(visits.values == [1, 7])
    #expect(whole.values == [0, 1, 7])
  }

  @Test("S6 what a commit kept for late readers is released after the delivery")
  func keptValue() {
    let rig = StateRig(Account())
    var visits: [Int] = []
    let first = rig.store.publisher.session.sink { session in
      if session.visits == 1 { rig.write.session = Session(visits: 2) }
    }
    let second = rig.store.publisher.session.sink { visits.append($0.visits) }
    rig.write.session = Session(
      visits: 1, token: Subscription { rig.write.session = Session(visits: 9) })
    #expect(visits == [1, 2, 9])
    withExtendedLifetime((first, second)) {}
  }

  @Test("S6 what a batch removes is released after the batch, even if its subscriber has cancelled")
  func releasedAfterBatch() {
    let rig = StateRig(Account())
    let sessions = rig.store.publisher.session.sink { _ in }
    var isReleased = false
    rig.write.session.token = Subscription { isReleased = true }
    rig.write.batch {
      rig.write.update { $0.session = Session() }
      sessions.cancel()
      #expect(!isReleased)
    }
    #expect(isReleased)
  }

  @Test("S6 a value that is replaced twice in a batch is released after the batch and may write")
  func replacedTwice() {
    let rig = StateRig(Account())
    let sessions = rig.store.publisher.session.sink { _ in }
    rig.write.session.token = Subscription { rig.write.other = 1 }
    rig.write.batch {
      rig.write.session = Session(visits: 1)
      rig.write.set(\.session, Session(visits: 2), forceUpdate: true)
      #expect(rig.store.other == 0)
    }
    #expect(rig.store.other == 1)
    withExtendedLifetime(sessions) {}
  }
}
