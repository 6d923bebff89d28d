/// The watcher of a subscriber to a single part of the state, as most subscribers are.
final class LeafWatcher<Value>: Watcher {
  private let part: TypedPart<Value>
  private var subscriber: Subscriber<Value>?

  private init(_ part: TypedPart<Value>) { self.part = part }

  static func attach(_ subscriber: Subscriber<Value>, to part: TypedPart<Value>) -> Subscription {
    guard !part.isFinished else {
      subscriber.finish()
      return .empty
    }
    let watcher = LeafWatcher(part)
    watcher.subscriber = subscriber
    watcher.watch(part)
    watcher.start()
    return Subscription { watcher.end() }
  }

  override func receiveCommit() {
    if let receive = subscriber?.receiveValue { part.change(receive) }
  }

  override func receiveFinish() {
    let subscriber = subscriber
    end()
    subscriber?.finish()
  }

  private func end() {
    stop()
    _ = subscriber.take()
  }
}
