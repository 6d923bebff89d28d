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

  @Test(
    "A6 writes of an action that a getter cancels do not reach the store", arguments: [false, true])
  func getterCancels(isObserved: Bool) {
    let rig = StateRig(Board())
    let asked = isObserved ? rig.store.publisher.asked.sink { _ in } : .empty
    rig.write.run(id: "own") { run in
      Call.back = { rig.store.cancel(id: "own") }
      run.asked = 5
      #expect(!run.isCurrent)
      #expect(run.raw == 5)
    }
    Call.back = {}
    #expect(rig.store.raw == 0)
    withExtendedLifetime(asked) {}
  }

  @Test("S1 S13 a sink that a getter makes while combineLatest subscribes comes after it")
  func getterSubscribes() {
    let rig = StateRig(Board())
    let told = StateRecorder<String>()
    var kept = [rig.store.publisher.raw.sink { _ in told.note("first") }]
    Call.back = {
      Call.back = {}
      kept.append(rig.store.publisher.raw.sink { _ in told.note("getter") })
    }
    let both = combineLatest(rig.store.publisher.asked, rig.store.publisher.raw)
      .sink { _ in told.note("both") }
    rig.write.raw = 1
    #expect(told.take() == ["first", "both", "getter"])
    both.cancel()
    rig.write.raw = 2
    #expect(told.take() == ["first", "getter"])
    kept = []
    #expect(rig.store.engine.storage.parts.isEmpty)
  }

  @Test("A6 writes of an action that == cancels do not reach the store")
  func comparisonCancels() {
    let rig = StateRig(Board())
    let trivial = rig.store.publisher.trivial.sink { _ in }
    rig.write.run(id: "own") { run in
      Call.back = { rig.store.cancel(id: "own") }
      run.trivial = Trivial(ignored: 5)
      #expect(run.trivial.ignored == 5)
    }
    Call.back = {}
    #expect(rig.store.trivial.ignored == 0)
    withExtendedLifetime(trivial) {}
  }

  @Test("A6 S6 a batch in which a getter cancels a writer notifies of the other changes")
  func getterCancelsInBatch() {
    let rig = StateRig(Board())
    let x = StateRecorder(rig.store.publisher.trivial.x)
    var asked: Subscription?
    rig.write.batch {
      rig.write.update { $0.trivial.x = 1 }
      asked = rig.store.publisher.asked.sink { _ in }
      rig.write.run(id: "own") { run in
        // Asked for the value that the new subscriber found.
        Call.back = { rig.store.cancel(id: "own") }
        run.point = Point(x: 5, y: 5)
        #expect(!run.isCurrent)
      }
      Call.back = {}
    }
    #expect(rig.store.point == Point())
    #expect(x.values == [1])
    withExtendedLifetime(asked) {}
  }

  enum Place: CaseIterable { case assignment, setter, batch }

  @Test(
    "A6 S6 a change in which a getter cancels the writer leaves nothing to compare or record with",
    arguments: Place.allCases, [false, true])
  func getterCancelsChange(place: Place, isRecorded: Bool) {
    let rig = StateRig(Board())
    var ignored: [Int] = []
    let events = rig.store.events.sink { event in
      if case .stateChanged(let old, _) = event.kind { ignored.append(old.trivial.ignored) }
    }
    if !isRecorded { events.cancel() }
    let y = StateRecorder(rig.store.publisher.point.y)
    func cancelled() {
      rig.write.run(id: "own") { run in
        Call.back = { rig.store.cancel(id: "own") }
        if place == .setter { run.level = 5 } else { run.point = Point(x: 5, y: 5) }
        Call.back = {}
        #expect(!run.isCurrent)
      }
    }
    var others: [Subscription] = []
    if place == .batch {
      rig.write.batch {
        others.append(rig.store.publisher.asked.sink { _ in })
        cancelled()
      }
    } else {
      // The getter is asked for the value that belongs to the delivery, before the change.
      others.append(rig.store.publisher.other.sink { _ in cancelled() })
      others.append(
        combineLatest(rig.store.publisher.asked, rig.store.publisher.other).sink { _ in })
      rig.write.other = 1
    }
    others = []
    // Read without tracking, because a tracked property would be compared as well.
    #expect(rig.write.point == Point() && rig.write.level == 0)
    rig.write.trivial = Trivial(ignored: 7)
    rig.write[dynamicMember: \.point.y] = 3
    #expect(ignored.last == (isRecorded ? 7 : nil))
    rig.write.update { $0.point.y = 0 }
    #expect(y.values == [3, 0])
    events.cancel()
  }

  @Test("A6 S6 a batch forgets what a cancelled writer was about to change")
  func getterCancelsBeforeWrite() {
    let rig = StateRig(Board())
    let y = StateRecorder(rig.store.publisher.point.y)
    var asked: Subscription?
    rig.write.batch {
      asked = rig.store.publisher.asked.sink { _ in }
      rig.write.run(id: "own") { run in
        Call.back = { rig.store.cancel(id: "own") }
        run.point = Point(x: 5, y: 5)
      }
      Call.back = {}
      rig.write[dynamicMember: \.point.y] = 3
    }
    rig.write.update { $0.point.y = 0 }
    #expect(y.values == [3, 0])
    withExtendedLifetime(asked) {}
  }

  @Test("S6 a trivially copyable value whose == writes traps with a message")
  func comparedInPlace() async {
    expectError(
      "while it was being compared or computed",
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
      "while it was being compared or computed",
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

  @Test("S10 an index whose hash subscribes traps with a message")
  func hashSubscribes() async {
    expectError(
      "in `hash(into:)` or `==` of an index in a key path",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Board())
          var kept: [Subscription] = []
          var number = 0
          Call.back = {
            let before = Call.back
            Call.back = {}
            number += 1
            let key = Key(number: number)
            kept.append(rig.store.publisher[dynamicMember: \.[key]].sink { _ in })
            Call.back = before
          }
          kept.append(rig.store.publisher[dynamicMember: \.[Key(number: 0)]].sink { _ in })
        }
      })
  }

  @Test("S10 subscribing to a part that may be missing behind a subscript traps")
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
