import Dispatch
import Signalbox
import Synchronization

/// The work of a store under test that has begun and has not returned.
///
///     begin ──▶ busy ──▶ waits for something known ──▶ busy ──▶ … ──▶ over ──▶ returned
///                        (test clock, endpoint, other work, source)
///
/// Work that waits for nothing known counts as busy here. Only its jobs, which `Activity` counts,
/// say whether it waits for the outside.
@MainActor final class InFlight {
  private(set) var activity: Activity
  private var pieces: [Int: Piece] = [:]
  private let tally = Tally()

  init(_ activity: Activity) { self.activity = activity }

  func begin(_ name: String, event: Int? = nil) -> Piece {
    let piece = Piece(name, event: event, in: activity, tally) { [weak self] in
      self?.pieces[$0] = nil
    }
    pieces[piece.number] = piece
    activity.hasChanged()
    return piece
  }

  func move(to activity: Activity) {
    self.activity = activity
    for piece in pieces.values { piece.activity = activity }
  }

  /// Whether all work is over or waits for something known, provided that no job runs.
  func isQuiet(includingBodies includesBodies: Bool = false) -> Bool {
    if tally.busy.load(ordering: .relaxed) > 0 { return false }
    return !includesBodies || pieces.values.allSatisfy(\.isQuietWithItsBody)
  }

  var isEmpty: Bool { pieces.isEmpty }

  /// The names of the work, if all of it waits only for other work; `nil` otherwise.
  var namesOfStuckWork: [String]? {
    let work = all(includingBodies: true)
    let isStuck = work.allSatisfy { piece in
      !piece.waits.isEmpty
        && piece.waits.allSatisfy { if case .work(_?) = $0 { true } else { false } }
    }
    return isStuck ? work.map(\.name) : nil
  }

  func busyNames(includingBodies: Bool = false) -> [String] {
    all(includingBodies: includingBodies).filter(\.waits.isEmpty).map(\.name)
  }

  var mayHop: Bool { tally.hopping.load(ordering: .relaxed) > 0 }

  /// What a piece of work waits for, and what the work waits for that it waits for.
  func waits(of event: Int) -> [Piece.Wait]? {
    guard let piece = pieces.values.first(where: { $0.event == event }) else { return nil }
    var waits: [Piece.Wait] = []
    var (work, met) = ([piece], Set([piece.number]))
    while let piece = work.popLast() {
      waits += piece.waits
      for case .work(let event?) in piece.waits {
        work += pieces.values.filter { $0.event == event && met.insert($0.number).inserted }
      }
    }
    return waits
  }

  func all(includingBodies includesBodies: Bool = false) -> [Piece] {
    pieces.values.filter { includesBodies || !$0.isCancelledBody }.sorted { $0.number < $1.number }
  }
}

/// Counts pieces of work, so that a test with thousands of them need not look at each.
private final class Tally: Sendable {
  let busy = Atomic(0)
  let hopping = Atomic(0)
}

/// One piece of work in flight, which is the executor of its own tasks.
final class Piece: FollowedWork {
  // Unstructured tasks find it here, too, but do not run on its executor.
  @TaskLocal static var current: Piece?
  private static let count = Atomic(0)

  /// The number of the piece or of the call of an endpoint that began last.
  static var lastNumber: Int { count.load(ordering: .relaxed) }

  static func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }

  enum Wait {
    case clock(TestClock, until: TestClock.Instant)
    /// - Parameter request: the text of the request, which takes a while to make.
    case endpoint(ObjectIdentifier, name: String, request: @Sendable () -> String)
    /// - Parameter event: the first event of the other work, if it has one.
    case work(event: Int?)
    /// The end of an interval for which an operator holds back a value, or an earlier time.
    case interval(TestClock, until: TestClock.Instant)
    /// A source outside of the store that may never send.
    case source
  }

  private struct Status {
    var waits: [Int: Wait] = [:]
    var lastWait = 0
    var jobs = 0
    var isOver = false
    var isBodyRunning = false
    /// The number of rests of the test when a task was woken last.
    var wokenAt: Int?
    var entry = Entry.done
    /// The task of the work, by its description and by its hash; `nil` before it runs.
    var root: (job: String, task: Int?)?
    /// Whether other tasks run as parts of the work, such as child tasks.
    var hasOtherTasks = false

    var isBusy: Bool { !isOver && waits.isEmpty }
    /// Whether a task waits while another, or an operator of its source, may use the main actor.
    var mayHop: Bool {
      (!waits.isEmpty && hasOtherTasks || listens) && (!isOver || isBodyRunning)
    }
    private var listens: Bool {
      waits.values.contains { if case .source = $0 { true } else { false } }
    }

    /// Takes the job that leads to the body; `nil` once the body has begun.
    mutating func takeFirstJob() -> UnownedJob? {
      guard case .arrived(let job) = entry else {
        entry = .done
        return nil
      }
      entry = .expected
      root = (job.description, nil)
      return job
    }
  }

  /// How the first jobs of the task come to run.
  private enum Entry {
    /// The body has begun.
    case done
    /// The task is on its way to its body, and its next job is kept.
    case expected
    case arrived(UnownedJob)
  }

  let name: String
  /// The number of the first event of the work.
  let event: Int?
  /// Grows from piece to piece, across all stores.
  let number: Int
  let start = ContinuousClock.now
  private let place: LockedValue<Activity>
  private let tally: Tally
  private let hasEnded: @MainActor (Int) -> Void
  private let status = LockedValue(Status())

  fileprivate init(
    _ name: String, event: Int?, in activity: Activity, _ tally: Tally,
    hasEnded: @escaping @MainActor (Int) -> Void
  ) {
    self.name = name
    self.event = event
    place = LockedValue(activity)
    self.tally = tally
    self.hasEnded = hasEnded
    tally.busy.add(1, ordering: .relaxed)
    number = Self.nextNumber()
  }

  // MARK: - What it does

  fileprivate(set) var activity: Activity {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  var waits: [Wait] {
    status.withLock { status in status.waits.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Whether a task of the work was woken since everything rested, so that it is about to run.
  var isRunnable: Bool {
    let rests = activity.rests
    return status.withLock { $0.jobs > 0 || $0.wokenAt == rests }
  }

  var isRunning: Bool { status.withLock { $0.jobs > 0 } }

  /// Whether the work was cancelled, and its body has not returned.
  var isCancelledBody: Bool { status.withLock { $0.isOver && $0.isBodyRunning } }

  var isQuietWithItsBody: Bool {
    status.withLock { $0.isOver && !$0.isBodyRunning || !$0.waits.isEmpty }
  }

  private func change<R>(_ body: (inout Status) -> R) -> R {
    status.withLock { status in
      let (wasBusy, couldHop) = (status.isBusy, status.mayHop)
      let result = body(&status)
      func add(_ was: Bool, _ now: Bool, to count: borrowing Atomic<Int>) {
        if was != now { count.add(now ? 1 : -1, ordering: .relaxed) }
      }
      add(wasBusy, status.isBusy, to: tally.busy)
      add(couldHop, status.mayHop, to: tally.hopping)
      return result
    }
  }

  /// Records that one of its tasks waits for something known, and returns the number of the wait.
  func beginWaiting(for wait: Wait) -> Int {
    defer { activity.hasChanged() }
    let task = Self.currentTask
    return change { status in
      if status.root?.task != task { status.hasOtherTasks = true }
      status.lastWait += 1
      status.waits[status.lastWait] = wait
      return status.lastWait
    }
  }

  func endWaiting(_ number: Int) {
    let rests = activity.rests
    change { status in
      status.waits[number] = nil
      status.wokenAt = rests
    }
    activity.hasChanged()
  }

  // MARK: - FollowedWork

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = change { status in
      guard case .expected = status.entry else {
        if !status.hasOtherTasks { status.hasOtherTasks = status.root?.job != job.description }
        status.jobs += 1
        return false
      }
      status.entry = .arrived(job)
      return true
    }
    if isFirst { return }
    let activity = activity
    activity.jobWasQueued(by: name)
    activity.queue.async {
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      self.status.withLock { $0.jobs -= 1 }
      activity.jobHasEnded()
    }
  }

  // Runs the first jobs of the task at once, until the body has begun. `Task.atOnce` would not do:
  // on an executor that differs from the current one, its body runs later. The first job reaches
  // the body, unless the compiler leaves a change of the executor in it, as it does for a report of
  // code coverage. Then the second job does.
  func makeTask(
    priority: TaskPriority?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, any Error> {
    status.withLock { $0.entry = .expected }
    let task = Self.$current.withValue(self) { self.task(priority, body) }
    while let job = status.withLock({ $0.takeFirstJob() }) {
      unsafe job.runSynchronously(
        isolatedTo: MainActor.sharedUnownedExecutor, taskExecutor: asUnownedTaskExecutor())
    }
    return task
  }

  // Not isolated, because the first job of an isolated task would go to the main actor's executor.
  private nonisolated func task(
    _ priority: TaskPriority?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, any Error> {
    Task(executorPreference: self, priority: priority) { await body() }
  }

  func isOver() { end { $0.isOver = true } }

  func bodyHasBegun() {
    let task = Self.currentTask
    change { status in
      status.entry = .done
      status.isBodyRunning = true
      status.root?.task = task
    }
  }

  private static var currentTask: Int? {
    unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
  }

  func bodyHasReturned() { end { $0.isBodyRunning = false } }

  @MainActor private func end(_ change: (inout Status) -> Void) {
    let isGone = self.change { status in
      change(&status)
      return status.isOver && !status.isBodyRunning
    }
    if isGone { hasEnded(number) }
    activity.hasChanged()
  }
}
