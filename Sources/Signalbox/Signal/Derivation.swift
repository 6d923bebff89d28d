/// How a state signal is computed from one or more states, as a tree.
///
/// The leaves are key paths; the branches are `map`, `removeDuplicates` and `combineLatest`. Each
/// subscriber has its own instance with one watcher, which is notified once for each commit,
/// however many leaves have changed. This alone keeps state signals free of glitches (S7).
@MainActor struct Derivation<Value> {
  /// Whether the value is read from a state directly, without the closures of operators.
  let isLeaf: Bool
  let attach: @MainActor (Subscriber<Value>) -> Subscription
  /// Builds an instance for a watcher, and adds its provenance to the attachment.
  let build: Build

  typealias Build = @MainActor (Watcher, Attachment?) -> DerivationInstance<Value>

  /// Makes a derivation with its own `attach`, because a leaf alone can be watched more simply.
  init(
    isLeaf: Bool, attach: @escaping @MainActor (Subscriber<Value>) -> Subscription,
    build: @escaping Build
  ) {
    self.isLeaf = isLeaf
    self.attach = attach
    self.build = build
  }

  init(build: @escaping Build) {
    self.init(
      isLeaf: false, attach: { DerivationWatcher(build, for: $0).attach($0) }, build: build)
  }
}

/// The state that a value is read from.
enum ReadPoint {
  case now
  /// The state that the commit being delivered has made.
  case commit
}

/// One subscriber's instance of a `Derivation`.
@MainActor struct DerivationInstance<Value> {
  let value: @MainActor (ReadPoint) -> Value
  /// Passes on the value of the commit being delivered, if any; called once for each commit.
  let change: @MainActor (_ receive: (Value) -> Void) -> Void
}

/// A part of a state that notifies its watchers when a commit has changed it.
@MainActor protocol Watchable: AnyObject {
  /// An identity, which is the same for all parts that change in the same commits.
  var commits: ObjectIdentifier { get }
  var isFinished: Bool { get }
  func add(_ watcher: Watcher)
  /// - Parameter isComposite: whether the watcher watched more than one part.
  func remove(_ watcher: Watcher, isComposite: Bool)
}

/// An object that is notified of commits, with one position in the order of subscribers (S1, S7).
@MainActor class Watcher {
  private(set) final var order: UInt64 = 0
  private(set) final var parts: [any Watchable] = []

  /// Whether it watches more than one part, so it also reads parts that have not changed.
  final var isComposite: Bool { parts.count > 1 }

  /// Whether it receives no values, and so does not wait for its position in the order.
  var isTracker: Bool { false }

  final var spansStates: Bool {
    guard let first = parts.first else { return false }
    return parts.contains { $0.commits != first.commits }
  }

  final func watch(_ part: any Watchable) {
    if !parts.contains(where: { $0 === part }) { parts.append(part) }
  }

  final func start() {
    order = Propagation.nextOrder()
    for part in parts where !part.isFinished { part.add(self) }
  }

  final func stop() {
    // Releasing a part may release values whose `deinit` calls back into this watcher.
    let (held, isComposite) = (parts, isComposite)
    parts = []
    for part in held { part.remove(self, isComposite: isComposite) }
  }

  final var isExhausted: Bool { parts.allSatisfy(\.isFinished) }

  func receiveCommit() {}

  func receiveFinish() {}
}

/// The watcher of one subscriber.
class SubscriberWatcher<Value>: Watcher {
  final private(set) var subscriber: Subscriber<Value>?

  final func attach(_ subscriber: Subscriber<Value>) -> Subscription {
    guard !isExhausted else {
      subscriber.finish()
      return .empty
    }
    self.subscriber = subscriber
    start()
    return Subscription { self.end() }
  }

  override final func receiveFinish() {
    guard isExhausted else { return }
    let subscriber = subscriber
    end()
    subscriber?.finish()
  }

  func end() {
    let subscriber = subscriber.take()
    stop()
    withExtendedLifetime(subscriber) {}
  }
}

/// The watcher of one subscriber to a derived state signal.
final class DerivationWatcher<Value>: SubscriberWatcher<Value> {
  private var derived: DerivationInstance<Value>?

  init(_ build: Derivation<Value>.Build, for subscriber: Subscriber<Value>) {
    super.init()
    derived = build(self, subscriber.attachment)
  }

  override func receiveCommit() {
    derived?.change { subscriber?.receive($0) }
  }

  override func end() {
    let derived = derived.take()
    super.end()
    withExtendedLifetime(derived) {}
  }
}
