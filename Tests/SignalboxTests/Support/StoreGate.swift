/// A service that answers when the test tells it to and ignores cancellation.
@MainActor final class StoreGate {
  private var waiting: [String: [CheckedContinuation<Void, any Error>]] = [:]

  /// The number of callers that wait at a door.
  func count(at door: String) -> Int { waiting[door]?.count ?? 0 }

  /// Waits until the door is opened, which lets the caller that has waited longest pass first.
  func pass(_ door: String) async throws {
    try await withCheckedThrowingContinuation { waiting[door, default: []].append($0) }
  }

  func open(_ door: String) { next(door)?.resume() }

  func fail(_ door: String, _ error: any Error) { next(door)?.resume(throwing: error) }

  private func next(_ door: String) -> CheckedContinuation<Void, any Error>? {
    guard waiting[door]?.isEmpty == false else { return nil }
    return waiting[door]?.removeFirst()
  }
}

/// An event that happens once and can be awaited.
@MainActor final class StoreMoment {
  private(set) var hasHappened = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func happen() {
    hasHappened = true
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }

  var arrival: Void {
    get async {
      if hasHappened { return }
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}

/// A counter whose goal can be awaited.
@MainActor final class StoreCounter {
  private(set) var count = 0
  private let goal: Int
  private let reached = StoreMoment()

  init(goal: Int) { self.goal = goal }

  func add() {
    count += 1
    if count == goal { reached.happen() }
  }

  var arrival: Void { get async { await reached.arrival } }
}

/// An object whose release, on any thread, can be awaited.
final class StoreCanary: Sendable {
  let end: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (end, continuation) = AsyncStream.makeStream() }

  deinit { continuation.finish() }

  /// Lets a closure capture the canary by calling it.
  func sing() {}
}

/// The ends of canaries, without references to the canaries.
struct StoreEnds {
  private var ends: [AsyncStream<Never>] = []

  mutating func watch(_ canary: StoreCanary) { ends.append(canary.end) }

  /// Waits until all canaries are released, or until the time limit of the test if one leaks.
  func arrival() async {
    for end in ends { for await _ in end {} }
  }
}
