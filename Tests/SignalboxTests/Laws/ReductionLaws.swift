import RandomPrograms
import Signalbox
import SignalboxTesting
import Testing

/// Tests with random programs that a reduced exploration finds every outcome.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReductionLaws {
  /// One statement of an action.
  private enum Statement {
    case write(Int, Int)
    case add(Int, from: Int)
    case update(Int)
    case log(Int)
    case ask(Int)
    case sleep(Int)
    case send(Int, Int)
    case dispatch(Int, name: Int?)
    case cancel(name: Int)
    case mark
    case readName(Int)
  }

  private struct Program {
    var actions: [[Statement]]
    var started: [Int]
    var hasHook: Bool
    var hasEvent: Bool
    var mayFail: Bool
    var overlap: Overlap

    init(_ random: inout SeededRandom) {
      actions = random.list(4) { random in
        let body = random.list(1 + random.below(2)) { random -> Statement in
          switch random.below(14) {
          case 0, 1: .write(random.below(3), 1 + random.below(3))
          case 2, 3: .add(random.below(3), from: random.below(3))
          case 4: .update(random.below(3))
          case 5, 6: .log(random.below(9))
          case 7: .send(random.below(2), 1 + random.below(4))
          case 8: .dispatch(3, name: random.oneIn(2) ? random.below(2) : nil)
          case 9: .cancel(name: random.below(2))
          case 10: .mark
          case 11: .readName(random.below(2))
          default: .write(random.below(3), random.below(4))
          }
        }
        return [random.oneIn(4) ? .sleep(1 + random.below(2)) : .ask(random.below(2))] + body
      }
      // What is dispatched dispatches nothing, so each program ends.
      actions[3].removeAll { if case .dispatch = $0 { true } else { false } }
      started = random.list(2 + random.below(2)) { $0.below(3) }
      hasHook = random.oneIn(2)
      hasEvent = random.oneIn(3)
      mayFail = random.oneIn(4)
      overlap = random.pick([.latest, .first, .queue, .join, .concurrent])
    }
  }

  private struct Call: CancellableAction, Equatable {
    var index: Int
    var name: Int?
    var overlap: Overlap
    var cancelIdentifier: Int? { name }
  }

  private struct Cells: Equatable {
    var cells = [Cell(), Cell(), Cell()]
    var a = 0
    var b = 0
    var c = 0
    var isBusy = false
    var log: [Int] = []
    var heard = 0

    struct Cell: Equatable { var value = 0 }
  }

  private struct Machine: Interactor {
    enum Hook: CaseIterable { case sum, posts }
    let program: Program
    let ask: [@MainActor (Int) async throws -> Int]
    let clock: TestClock
    let emitters: [Emitter<Int>]

    static let cells = [\Cells.a, \Cells.b, \Cells.c]

    func onAction(_ call: Call, store: MutatingStore<Cells, Call>) async throws {
      for statement in program.actions[call.index] {
        switch statement {
        case .write(let cell, let value): store.set(Self.cells[cell], value)
        case .add(let cell, let other):
          store.set(Self.cells[cell], store.state[keyPath: Self.cells[other]] + 1)
        case .update(let cell): store.update { $0[keyPath: Self.cells[cell]] += 2 }
        case .log(let value): store.log.append(value)
        case .ask(let endpoint):
          if try await ask[endpoint](call.index) < 0 { store.log.append(-1) }
        case .sleep(let seconds): try await clock.sleep(for: .seconds(seconds))
        case .send(let emitter, let value): emitters[emitter].send(value)
        case .dispatch(let index, let name):
          store.send(Call(index: index, name: name, overlap: program.overlap))
        case .cancel(let name): store.cancel(id: name)
        case .mark: store.mark(\.isBusy)
        case .readName(let name): if store.a > name { store.heard += 1 }
        }
      }
    }

    func onError(_ error: any Error, action: Call, store: MutatingStore<Cells, Call>) {
      store.log.append(100 + action.index)
    }

    func subscription(for hook: Hook, store: MutatingStore<Cells, Call>) -> Subscription {
      guard program.hasHook else { return .empty }
      return switch hook {
      case .sum:
        store.publisher.a.merge(with: store.publisher.b).scan(0, +).filter { $0 > 3 }
          .sink { store.heard += $0 }
      case .posts:
        emitters[0].merge(with: emitters[1]).scan(0, +).filter { $0 > 3 }
          .sink { store.log.append($0) }
      }
    }
  }

  private struct Refused: Error {}

  private func outcomes(
    of program: Program, _ reduction: Reduction
  ) async -> (report: ExplorationReport?, outcomes: Set<String>, failed: Bool) {
    var report: ExplorationReport?
    let texts = await kitFailures {
      report = await explore(limit: 2_000, reduction: reduction) { world in
        let ask = (0..<2).map { number in
          world.endpoint(
            "ask\(number)", failing: program.mayFail ? Refused() : nil,
            heedsCancellation: number == 0
          ) { (value: Int) in value }
        }
        let machine = Machine(
          program: program, ask: ask.map { endpoint in { try await endpoint($0) } },
          clock: world.clock, emitters: [Emitter(), Emitter()])
        let store = TestStore(state: Cells(), interactor: machine)
        if program.hasEvent { world.may("event") { store.a += 5 } }
        world.always("b is not ahead") { store.b <= store.a + 4 }
        for index in program.started {
          store.send(Call(index: index, name: index == 0 ? 0 : nil, overlap: program.overlap))
        }
        await world.run()
        world.outcome("\(store.state)")
      }
    }
    let descriptions = Set(report?.outcomes.map(\.description) ?? [])
    return (report, descriptions, !texts.isEmpty)
  }

  @Test("I6 law: a reduced exploration has the outcomes of the whole one, and fails if that fails")
  func sameOutcomes() async throws {
    var (all, reduced, compared) = (0, 0, 0)
    let seeds = LawPrograms.seeds(25)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let program = Program(&random)
      let whole = await outcomes(of: program, .none)
      guard whole.report?.isExhaustive == true else { continue }
      let part = await outcomes(of: program, .equivalentOrders)
      try #require(part.report?.isExhaustive == true, "seed \(seed)")
      try #require(part.outcomes == whole.outcomes, "seed \(seed)")
      try #require(part.failed == whole.failed, "seed \(seed)")
      let (allOrders, orders) = (whole.report?.orders ?? 0, part.report?.orders ?? 0)
      try #require(orders <= allOrders, "seed \(seed)")
      all += allOrders
      reduced += orders
      compared += 1
    }
    #expect(compared > seeds.count / 2)
    // The programs would show nothing if nothing could be left out, though a few may leave out little.
    if seeds.count > 20 { #expect(reduced < all * 3 / 4, "\(reduced) of \(all)") }
  }
}
