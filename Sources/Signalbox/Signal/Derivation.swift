/// How a state signal follows from the state of one or more stores.
///
/// A tree: key paths are its leaves, `map`, `removeDuplicates` and `combineLatest` its branches.
/// Each subscriber has one built for itself, and one watcher that is told once per commit, however
/// many leaves have changed. That, and nothing else, is what makes state signals free of glitches
/// (S7).
@MainActor struct Derivation<Value> {
  /// Whether reading the value costs nothing and runs no code of the user's.
  let isLeaf: Bool
  let attach: @MainActor (Subscriber<Value>) -> Subscription
  let build: @MainActor (Watcher) -> Derived<Value>

  /// A leaf: something that has a simpler way to be watched alone.
  init(
    isLeaf: Bool, attach: @escaping @MainActor (Subscriber<Value>) -> Subscription,
    build: @escaping @MainActor (Watcher) -> Derived<Value>
  ) {
    self.isLeaf = isLeaf
    self.attach = attach
    self.build = build
  }

  init(build: @escaping @MainActor (Watcher) -> Derived<Value>) {
    self.init(
      isLeaf: false, attach: { DerivationWatcher.attach($0, build) }, build: build)
  }
}

/// Which state a value is asked of.
enum ReadPoint {
  /// The state as it is.
  case now
  /// The state that the commit being delivered has made.
  case commit
}

/// One subscriber's instance of a `Derivation`.
@MainActor struct Derived<Value> {
  let value: @MainActor (ReadPoint) -> Value
  /// Hands over the value that the commit being delivered has made, if it made one.
  ///
  /// Asked once for each commit.
  let change: @MainActor (_ receive: (Value) -> Void) -> Void
}

/// A part of some state that tells watchers when a commit has changed it.
@MainActor protocol Watchable: AnyObject {
  /// The same for all parts that change in the same commits.
  var commits: ObjectIdentifier { get }
  var isFinished: Bool { get }
  func add(_ watcher: Watcher)
  func remove(_ watcher: Watcher)
}

/// Whoever is to be told of commits: one place in the order, whatever it watches (S1, S7).
@MainActor class Watcher {
  private(set) final var order: UInt64 = 0
  private(set) final var parts: [any Watchable] = []

  /// Whether it watches more than one part, so that it asks for parts that have not changed.
  final var isComposite: Bool { parts.count > 1 }

  /// Whether it is told no value, but only that something changes: that needs no place in the order.
  var isTracker: Bool { false }

  final var spansStores: Bool {
    guard let first = parts.first else { return false }
    return parts.contains { $0.commits != first.commits }
  }

  final func watch(_ part: any Watchable) {
    if !parts.contains(where: { $0 === part }) { parts.append(part) }
  }

  /// Begins to be told of commits.
  final func start() {
    order = Propagation.nextOrder()
    for part in parts where !part.isFinished { part.add(self) }
  }

  final func stop() {
    // A part that is released may release values whose `deinit` comes back here.
    let held = parts
    parts = []
    for part in held { part.remove(self) }
  }

  /// Whether nothing is left that could change.
  final var isExhausted: Bool { parts.allSatisfy(\.isFinished) }

  /// A commit has changed one or more of the parts.
  func receiveCommit() {}

  /// One of the parts will never change again.
  func receiveFinish() {}
}

/// A subscriber to a state signal.
final class DerivationWatcher<Value>: Watcher {
  private var subscriber: Subscriber<Value>?
  private var derived: Derived<Value>?

  static func attach(
    _ subscriber: Subscriber<Value>, _ build: @MainActor (Watcher) -> Derived<Value>
  ) -> Subscription {
    let watcher = DerivationWatcher()
    watcher.derived = build(watcher)
    guard !watcher.isExhausted else {
      subscriber.finish()
      return .empty
    }
    watcher.subscriber = subscriber
    watcher.start()
    return Subscription { watcher.end() }
  }

  override func receiveCommit() {
    derived?.change { subscriber?.receive($0) }
  }

  override func receiveFinish() {
    guard isExhausted else { return }
    let subscriber = subscriber
    end()
    subscriber?.finish()
  }

  private func end() {
    let held = (subscriber.take(), derived.take())
    stop()
    withExtendedLifetime(held) {}
  }
}
