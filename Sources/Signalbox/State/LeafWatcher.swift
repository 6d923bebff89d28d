/// A subscriber to one part of the state and nothing else: what most are.
final class LeafWatcher<Value>: Watcher {
  private let node: ValueNode<Value>
  private var subscriber: Subscriber<Value>?

  private init(_ node: ValueNode<Value>) { self.node = node }

  static func attach(_ subscriber: Subscriber<Value>, to node: ValueNode<Value>) -> Subscription {
    guard !node.isFinished else {
      subscriber.finish()
      return .empty
    }
    let watcher = LeafWatcher(node)
    watcher.subscriber = subscriber
    watcher.watch(node)
    watcher.start()
    return Subscription { watcher.end() }
  }

  override func receiveCommit() {
    if let receive = subscriber?.receiveValue { node.told(receive) }
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
