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

/// Lets a test wait for the end of tasks that it has no handle of.
///
/// A task holds the task-local values with which it has started until it ends.
@MainActor enum StartedTasks {
  @TaskLocal private static var canary: StoreCanary?

  /// The ends of all tasks that the closure starts.
  static func ends(of body: () -> Void) -> StoreEnds {
    var ends = StoreEnds()
    let canary = StoreCanary()
    ends.watch(canary)
    $canary.withValue(canary, operation: body)
    return ends
  }
}
