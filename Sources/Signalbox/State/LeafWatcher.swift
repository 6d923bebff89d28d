/// The watcher of a subscriber to a single part, as most are.
// It reads the part directly, because a `DerivationInstance` would cost each two closures (B13).
final class LeafWatcher<Value>: SubscriberWatcher<Value> {
  private let part: TypedPart<Value>

  init(_ part: TypedPart<Value>) {
    self.part = part
    super.init()
    watch(part)
  }

  override func receiveCommit() {
    if let receive = subscriber?.receiveValue { part.change(receive) }
  }
}
