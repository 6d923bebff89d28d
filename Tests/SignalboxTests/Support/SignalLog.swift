import Signalbox

/// Records values in order, and lets a test wait for the next one instead of sleeping.
@MainActor final class SignalLog<Entry> {
  private(set) var entries: [Entry] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func add(_ entry: Entry) {
    entries.append(entry)
    let reached = waiting.filter { $0.count <= entries.count }
    waiting.removeAll { $0.count <= entries.count }
    for waiter in reached { waiter.continuation.resume() }
  }

  /// Returns when `count` values have arrived.
  func reach(_ count: Int) async {
    guard entries.count < count else { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }
}

/// Returns after everything that was queued on the main actor before the call has run.
///
/// The main actor runs its jobs in order. Anything that another thread has already sent to it has
/// arrived by then, so a test can fail where it would otherwise wait for something that never comes.
@MainActor func mainActorCatchesUp() async { await Task { @MainActor in }.value }

/// A subject as users write it, which notifies its subscribers without the library's queue.
@MainActor final class SignalSubject<Value> {
  private(set) var subscribers: [Subscriber<Value>] = []
  private(set) var attachments = 0
  private(set) var cancels = 0
  private let onAttach: @MainActor (Subscriber<Value>) -> Void

  init(onAttach: @escaping @MainActor (Subscriber<Value>) -> Void = { _ in }) {
    self.onAttach = onAttach
  }

  var signal: Signal<Value> {
    Signal { subscriber in
      self.attachments += 1
      self.subscribers.append(subscriber)
      self.onAttach(subscriber)
      return Subscription { self.cancels += 1 }
    }
  }

  func send(_ value: Value) {
    for subscriber in subscribers { subscriber.receive(value) }
  }

  func finish() {
    for subscriber in subscribers { subscriber.finish() }
  }
}
