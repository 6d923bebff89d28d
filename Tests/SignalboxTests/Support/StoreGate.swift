import Testing

/// Doors at which work waits until the test opens them, whether the work is cancelled or not.
@MainActor final class StoreGate {
  private var waiting: [String: [CheckedContinuation<Void, any Error>]] = [:]
  private var arrivals: [String: StoreMoment] = [:]
  private var departures: [String: StoreMoment] = [:]
  private var isTestOver = false

  init() { GateKeeper.ofTest?.gates.append(self) }

  /// Waits until the door is opened, which lets the work that has waited longest pass first.
  func pass(_ door: String) async throws {
    defer { moment(door, in: \.departures).happen() }
    if isTestOver { throw CancellationError() }
    try await withCheckedThrowingContinuation {
      waiting[door, default: []].append($0)
      // The door can be opened from now on.
      arrive(at: door)
    }
  }

  /// Arrives at a door and continues without waiting.
  func arrive(at door: String) { moment(door, in: \.arrivals).happen() }

  func open(_ door: String) { next(door)?.resume() }

  func fail(_ door: String, _ error: any Error = Refusal(reason: "no")) {
    next(door)?.resume(throwing: error)
  }

  /// Whether any work has arrived at a door.
  func hasArrival(at door: String) -> Bool { arrivals[door]?.hasHappened ?? false }

  /// The amount of work that waits at a door.
  func count(at door: String) -> Int { waiting[door]?.count ?? 0 }

  /// Waits until work has arrived at a door.
  func arrival(at door: String) async { await moment(door, in: \.arrivals).arrival }

  /// Waits until work has left a door.
  func departure(from door: String) async { await moment(door, in: \.departures).arrival }

  /// Ends all waiting, so that no work leaks.
  fileprivate func clear() {
    isTestOver = true
    for door in waiting.keys {
      while let one = next(door) { one.resume(throwing: CancellationError()) }
    }
  }

  private func next(_ door: String) -> CheckedContinuation<Void, any Error>? {
    waiting[door]?.isEmpty == false ? waiting[door]?.removeFirst() : nil
  }

  private func moment(
    _ door: String, in moments: ReferenceWritableKeyPath<StoreGate, [String: StoreMoment]>
  ) -> StoreMoment {
    if let moment = self[keyPath: moments][door] { return moment }
    let moment = StoreMoment()
    self[keyPath: moments][door] = moment
    return moment
  }
}

/// Opens all gates of a test when the test has ended.
struct GateKeeper: SuiteTrait, TestTrait, TestScoping {
  /// The gates of one test.
  @MainActor fileprivate final class Ring {
    var gates: [StoreGate] = []

    nonisolated init() {}
  }

  @TaskLocal fileprivate static var ofTest: Ring?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let ring = Ring()
    try await Self.$ofTest.withValue(ring) { try await function() }
    for gate in await ring.gates { await gate.clear() }
  }
}

extension Trait where Self == GateKeeper {
  static var opensGates: Self { Self() }
}
