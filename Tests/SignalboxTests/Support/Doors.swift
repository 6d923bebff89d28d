import Testing

/// Doors at which the effects of a transducer wait, whether they are cancelled or not.
@MainActor final class Doors {
  private var waiting: [String: [CheckedContinuation<Void, any Error>]] = [:]
  private var arrivals: [String: StoreMoment] = [:]
  private var departures: [String: StoreMoment] = [:]

  private var isTestOver = false

  init() { DoorKeeper.ofTest?.doors.append(self) }

  /// Waits until the door is opened or throws an error.
  func pass(_ door: String) async throws {
    arrival(door).happen()
    defer { departure(door).happen() }
    if isTestOver { throw CancellationError() }
    try await withCheckedThrowingContinuation { waiting[door, default: []].append($0) }
  }

  /// Opens every closed door, so that no waiting effect leaks.
  fileprivate func clear() {
    isTestOver = true
    for door in waiting.keys {
      while let one = take(door) { one.resume(throwing: CancellationError()) }
    }
  }

  /// Arrives at a door and continues without waiting.
  func arrive(_ door: String) { arrival(door).happen() }

  func open(_ door: String) { take(door)?.resume() }
  func fail(_ door: String, _ error: any Error = Refusal(reason: "no")) {
    take(door)?.resume(throwing: error)
  }

  /// Waits until an effect has arrived at a door.
  func knock(_ door: String) async { await arrival(door).arrival }

  /// Waits until an effect has left a door.
  func leave(_ door: String) async { await departure(door).arrival }

  private func take(_ door: String) -> CheckedContinuation<Void, any Error>? {
    waiting[door]?.isEmpty == false ? waiting[door]?.removeFirst() : nil
  }

  private func arrival(_ door: String) -> StoreMoment {
    arrivals[door, default: StoreMoment()].kept { arrivals[door] = $0 }
  }

  private func departure(_ door: String) -> StoreMoment {
    departures[door, default: StoreMoment()].kept { departures[door] = $0 }
  }
}

extension StoreMoment {
  fileprivate func kept(_ keep: (StoreMoment) -> Void) -> StoreMoment {
    keep(self)
    return self
  }
}

/// Opens all doors of a test when the test has ended.
struct DoorKeeper: SuiteTrait, TestTrait, TestScoping {
  /// The doors of one test.
  @MainActor fileprivate final class Ring {
    var doors: [Doors] = []

    nonisolated init() {}
  }

  @TaskLocal fileprivate static var ofTest: Ring?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let ring = Ring()
    try await Self.$ofTest.withValue(ring) { try await function() }
    for doors in await ring.doors { await doors.clear() }
  }
}

extension Trait where Self == DoorKeeper {
  static var opensDoors: Self { Self() }
}
