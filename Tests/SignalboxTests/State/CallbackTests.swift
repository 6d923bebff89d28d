import Testing

@testable import Signalbox

/// Tests user code that calls back from comparisons, getters, hashes and the log.
@MainActor struct CallbackTests {
  @MainActor private enum Call {
    static var back: () -> Void = {}
  }

  private struct Trivial: Equatable {
    var x = 0
    var ignored = 0
    static func == (l: Self, r: Self) -> Bool {
      MainActor.assumeIsolated { Call.back() }
      return l.x == r.x
    }
  }

  private struct Key: Hashable, Sendable {
    var number: Int
    static func == (l: Self, r: Self) -> Bool {
      MainActor.assumeIsolated { Call.back() }
      return l.number == r.number
    }
    func hash(into hasher: inout Hasher) {
      MainActor.assumeIsolated { Call.back() }
      hasher.combine(number)
    }
  }

  private final class Link: Equatable, Sendable {
    let body: (@MainActor @Sendable () -> Void)?
    init(_ body: (@MainActor @Sendable () -> Void)? = nil) { self.body = body }
    // Released on the main actor only.
    deinit { if let body { MainActor.assumeIsolated { body() } } }
    static func == (l: Link, r: Link) -> Bool { l === r }
  }

  private struct Board {
    var raw = 0
    var trivial = Trivial()
    var point = Point()
    var level = 0 { didSet {} }
    var other = 0
    var link: Link?
    var rows: [String: Trivial] = [:]
    var asked: Int {
      get {
        MainActor.assumeIsolated { Call.back() }
        return raw
      }
      set { raw = newValue }
    }
    subscript(key: Key) -> Int { key.number }
  }

  /// What code may do that must only read.
  private enum Deed {
    case cancel, subscribe, unsubscribe, run

    /// Does it in a getter or a comparison of the store's state, which ends the process.
    @MainActor func trap(comparing: Bool) {
      let rig = StateRig(Board())
      let (store, write) = (rig.store, rig.write)
      let numbers = store.publisher.raw.sink { _ in }
      let trivial = store.publisher.trivial.sink { _ in }
      var kept = [numbers, trivial]
      let deed = {
        switch self {
        case .cancel: store.cancel(id: "own")
        case .subscribe: kept.append(store.publisher.raw.sink { _ in })
        case .unsubscribe: numbers.cancel()
        case .run: write.run { _ in }
        }
      }
      write.run(id: "own") { run in
        Call.back = deed
        if comparing { run.trivial = Trivial(ignored: 5) } else { _ = run.asked }
      }
      withExtendedLifetime(kept) {}
    }
  }

  @Test("S6 a getter or a comparison that does anything but read traps with a message")
  func deeds() async {
    for result in [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Deed.cancel.trap(comparing: true) }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Deed.subscribe.trap(comparing: false) }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Deed.unsubscribe.trap(comparing: true) }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Deed.run.trap(comparing: false) }
      },
    ] {
      expectError("while its state was being compared or computed", from: result)
    }
  }

  @Test("S6 a trivially copyable value whose == writes traps with a message")
  func comparedInPlace() async {
    expectError(
      "while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Board())
          let trivial = rig.store.publisher.trivial.sink { _ in }
          Call.back = { rig.write.trivial.x += 1 }
          rig.write.trivial.x += 1
          withExtendedLifetime(trivial) {}
        }
      })
  }

  @Test("S6 a == that reads a computed property of the store before it writes traps as well")
  func readsThenWrites() async {
    expectError(
      "while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Board())
          let trivial = rig.store.publisher.trivial.sink { _ in }
          Call.back = {
            Call.back = {}
            _ = rig.write.asked
            rig.write.raw = 1
          }
          rig.write.trivial.x += 1
          withExtendedLifetime(trivial) {}
        }
      })
  }

  @Test("S10 subscribing to a part that may be missing behind a subscript traps", .readsKeyPaths)
  func hiddenEnd() async {
    expectError(
      "it has an index or `!` behind",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Board())
          _ = rig.store.publisher[dynamicMember: \.rows["a"]!.x].sink { _ in }
        }
      })
  }

  @Test("S6 values that each assign their successor when they are released do not nest")
  func chainOfReleases() {
    let rig = StateRig(Board())
    let reports = LoopReports(rig.store)
    let links = rig.store.publisher.link.sink { _ in }
    var count = 0
    @MainActor func assignNext() {
      rig.write.link = Link {
        count += 1
        guard count < 10_000 else { return }
        assignNext()
        rig.write.link = nil
      }
    }
    assignNext()
    rig.write.link = nil
    #expect(count == 10_000)
    withExtendedLifetime((links, reports)) {}
  }

  @Test("A4 a name whose == and hash use the store and dispatch finds the work that it names")
  func names() {
    struct Named: CancellableAction {
      let key: Key
      var cancelIdentifier: Key? { key }
    }
    var isInside = false
    let gate = StoreGate()
    let store = Store<Board, Named>(
      state: Board(), actionable: Handling { _, _ in try await gate.pass("door") })
    Call.back = {
      guard !isInside else { return }
      isInside = true
      _ = store.isRunning(id: Key(number: 9))
      store.dispatch(Named(key: Key(number: 100)))
      isInside = false
    }
    for number in 0..<20 { store.dispatch(Named(key: Key(number: number % 4))) }
    Call.back = {}
    #expect(store.runningCount == 5)
    #expect((0..<4).allSatisfy { store.isRunning(id: Key(number: $0)) })
    store.cancelAll()
    #expect(store.runningCount == 0)
    while gate.count(at: "door") > 0 { gate.open("door") }
  }

  @Test("M5 repeated reads in a batch keep no copies and one tracker")
  func readingInBatch() {
    struct Numbers { var all: [Int] = [] }
    let rig = StateRig(Numbers())
    _ = rig.store.all
    rig.write.batch {
      for _ in 0..<1_000 { rig.write.all.append(rig.store.all.count) }
    }
    #expect(rig.store.all == Array(0..<1_000))
  }
}
