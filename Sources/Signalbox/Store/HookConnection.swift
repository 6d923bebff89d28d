/// One connected hook: the owner of the sinks that it made, and what they write by (H1, H2, H3).
final class HookConnection<State, Action>: Witness {
  private let scope: HookScope<State, Action>
  private var subscription: Subscription?
  private var isConnected = true

  init(name: @escaping () -> String, in engine: Engine<State, Action>) {
    scope = HookScope(name, in: engine)
  }

  func open<H: Hookable<State, Action>>(_ hookable: H, _ hook: H.Hook) {
    let subscription = owning { hookable.subscription(for: hook, store: MutatingStore(scope)) }
    if isConnected { self.subscription = subscription } else { subscription.end() }
  }

  /// Ends the hook: none of its sinks runs again, whoever holds its subscriptions.
  func close() {
    isConnected = false
    subscription.take()?.end()
  }

  override var isOpen: Bool { isConnected }

  override func witness<Value>(_ value: Value, _ receive: @MainActor (Value) -> Void) {
    guard isConnected else { return }
    let log = scope.engine.log
    let outer = Propagation.context.cause
    let fired = log.emit(.hookFired(name: scope.hook, value: value), cause: log.currentCause)
    if let fired {
      scope.cause = fired
      Propagation.context.cause = log.cause(fired)
    }
    // What a sink subscribes to while it runs is the hook's as well.
    owning { receive(value) }
    Propagation.context.cause = outer
  }
}
