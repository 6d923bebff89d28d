import Dispatch
import Signalbox

/// The test stores and clocks of one test, which settle together.
@MainActor final class TestScope {
  /// What is left of a test whose stores may be gone.
  @MainActor private struct Remains {
    weak var scope: TestScope?
    /// Kept by work that has not ended, which may outlive the stores.
    weak var activity: Activity?
  }

  @MainActor private struct Member {
    weak var store: (any SettlingStore)?
    let tracker: WorkTracker
    // A save goes on when its store is gone.
    var isOver: Bool { store == nil && tracker.inFlight.isEmpty }
  }

  @MainActor private struct WeakClock {
    weak var clock: TestClock?
  }

  // A global, because a store and a clock share only the test that made them. The key is the test,
  // so tests that run side by side find only their own stores. An entry lives as long as those
  // stores and their work.
  private static var remains: [RunningTest: Remains] = [:]

  let test: RunningTest
  let activity: Activity
  /// The tasks of sources that belong to no store.
  let sources: InFlight
  let isExplored: Bool
  /// What the test waits for beside the calls of the kit.
  let waits = TestWaits()
  private var members: [Member] = []
  private var limit = 16
  private var lastNumber = 0
  /// The recording of the stores; `nil` if tests are not recorded.
  private var recording: TestRecording?
  /// The clocks that the test has advanced.
  private var clockReferences: [WeakClock] = []

  private init(_ test: RunningTest, _ activity: Activity, isExplored: Bool) {
    self.test = test
    self.activity = activity
    self.isExplored = isExplored
    sources = InFlight(activity)
  }

  static var current: TestScope { ExploredScope.current ?? scope(of: .current) }

  /// - Parameter home: the test that made the clock or endpoint, for calls from tasks of no test.
  static func current(for home: RunningTest?) -> TestScope {
    if let explored = ExploredScope.current { return explored }
    return if RunningTest.inSwiftTesting == nil, let home { scope(of: home) } else { current }
  }

  /// A scope of its own in a test, whose tasks run on the main thread.
  static func isolated(in test: RunningTest) -> TestScope {
    TestScope(test, Activity(onMainQueue: true), isExplored: true)
  }

  static func hasFailed(_ test: RunningTest, _ text: String) {
    remains[test]?.scope?.recording?.testHasFailed(text)
  }

  private static func scope(of test: RunningTest) -> TestScope {
    if let scope = remains[test]?.scope { return scope }
    remains = remains.filter { $0.value.activity != nil }
    // The work of stores that were released may go on, and the next stores settle with it.
    let scope = TestScope(test, remains[test]?.activity ?? Activity(), isExplored: false)
    remains[test] = Remains(scope: scope, activity: scope.activity)
    return scope
  }

  func record<State, Action>(_ store: Store<State, Action>, from site: CallSite) {
    if recording == nil, !isExplored { recording = TestRecording(of: test, from: site) }
    recording?.add(store)
  }

  /// - Returns: the number of the store, which grows from store to store.
  func add(_ store: any SettlingStore) -> Int {
    lastNumber += 1
    if members.count >= limit {
      members.removeAll(where: \.isOver)
      limit = max(16, members.count * 2)
    }
    members.append(Member(store: store, tracker: store.tracker))
    return lastNumber
  }

  func remove(_ store: any SettlingStore) {
    members.removeAll { $0.isOver || $0.store === store }
  }

  /// What the scenario does wrong, for the report of the exploration.
  private(set) var mistake: String?

  /// Notes that a scenario uses a store that was made outside of it.
  func meets(storeOfOtherTest name: String?) {
    mistake = """
      The scenario uses a test store\(name.map { " (\($0))" } ?? "") that was made outside of it or \
      before a crash, so nothing waits for its work. Make a new store in each order, and after each \
      run() that a crash may end.
      """
  }

  /// Why no wait is of use before `run()`; `nil` outside of an exploration.
  var idleness: String? { isExplored ? "only run() answers and moves the clock" : nil }

  func add(_ clock: TestClock) {
    clockReferences.removeAll { $0.clock == nil || $0.clock === clock }
    clockReferences.append(WeakClock(clock: clock))
  }

  var stores: [any SettlingStore] { members.compactMap(\.store) }

  /// The store that has the work; all stores if none has it.
  func stores(of work: Piece?) -> [any SettlingStore] {
    let owner = stores.first { store in work.map(store.has) ?? false }
    return owner.map { [$0] } ?? stores
  }

  // A task with an executor goes to the back of the main actor's queue at each call of a function
  // there, and only a turn lets it continue. In an exploration, turns are so cheap that work that
  // waits for nothing known gets many.
  var turnsOfRest: Int {
    // A source waits for its values on the main actor.
    let mayHop = !sources.isEmpty || members.contains(where: \.tracker.mayHop)
    guard isExplored else { return mayHop ? 32 : 1 }
    let isQuiet =
      hasQuietSources && members.allSatisfy { $0.tracker.inFlight.isQuiet(includingBodies: true) }
    return isQuiet ? (mayHop ? 100 : 1) : 1_000
  }

  var hasQuietSources: Bool { sources.isQuiet() }

  /// The names of the work that runs; if none does at this moment, of the work that may.
  func restlessWork(includingBodies: Bool = false) -> String {
    let running = stores.flatMap(\.runningWork) + sources.busyNames()
    let busy = stores.flatMap { store in
      store.busyWork(includingBodies: includingBodies).map(store.named)
    }
    return Self.text(of: running.isEmpty ? busy : running)
  }

  // A store without such work still has posts to deliver.
  static func text(of work: [String]) -> String {
    work.isEmpty ? "posts that keep causing posts" : listed(work)
  }

  var remarks: [String] { clockReferences.compactMap { $0.clock?.remark } }

  /// What the test can do if a wait has timed out.
  var advice: String? {
    idleness.map { "In an exploration, \($0)." }
      ?? clockReferences.lazy.compactMap { $0.clock?.advice }.first
  }

  func willCall(from site: CallSite) {
    for store in stores { store.willCall(from: site) }
  }

  /// - Parameter work: work whose body must have returned or wait, too, even if it was cancelled.
  func settle(
    _ timeout: Duration, with work: Piece? = nil, _ call: String, at site: CallSite
  ) async -> Bool {
    let end = await Patience(timeout, in: self).waitForRest {
      stores.allSatisfy { $0.hasSettled(includingBodies: false) }
        && work?.isQuietWithItsBody != false
    }
    switch end {
    case .happened: return true
    case .cancelled: break
    case .elapsed: fail("\(call) waited \(timeout) for", work, at: site)
    case .restless: fail("\(call) cannot come to rest because of", work, at: site)
    }
    return false
  }

  private func fail(_ headline: String, _ body: Piece?, at site: CallSite) {
    let busy = stores.filter { !$0.hasSettled(includingBodies: false) }
    var work = busy.flatMap { store in store.busyWork(includingBodies: false).map(store.named) }
    if work.isEmpty, let body { work = ["\(body.name), which was cancelled"] }
    let headline = """
      \(headline) work that neither ended nor slept on a test clock: \(Self.text(of: work)). First \
      let the test answer what that work waits for.
      """
    site.fail(([headline] + busy.map(\.sections)).joined(separator: "\n"), in: test)
  }
}

extension TestScope: SourceFollower {
  func willStart(_ name: String) -> any FollowedWork { sources.begin(name) }

  func willListen() -> @MainActor () -> Void { Piece.park(for: .source) }
}

/// The scope of one order of an exploration, in a type that tasks on any executor can read.
enum ExploredScope {
  @TaskLocal static var current: TestScope?
}

@MainActor struct WeakStore {
  weak var store: (any SettlingStore)?
}

/// A test store of any state and action.
@MainActor protocol SettlingStore: AnyObject {
  var scope: TestScope { get }
  var tracker: WorkTracker { get }
  /// The numbers of the events of the store, by which a recording finds it.
  var eventNumbers: EventNumbers { get }
  /// Delivers posted values, and returns whether all work is over or waits for something known.
  ///
  /// The result means something only while everything rests. With bodies, cancelled work counts
  /// until its body has returned.
  func hasSettled(includingBodies: Bool) -> Bool
  var sections: String { get }
  var snapshot: StoreSnapshot { get }
  /// The lines about the events after the first ones.
  func log(from events: Int) -> [String]
  func reportErrors()
  func processHasCrashed()
  func named(_ text: String) -> String
  /// Notes the call of the test that causes what happens next.
  func willCall(from site: CallSite)
}
