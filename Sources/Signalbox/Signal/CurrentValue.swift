/// A value outside of any store as a state signal, such as the condition of a connection.
@MainActor package final class CurrentValue<Value: Equatable>: Watchable, Delivering {
  package private(set) var value: Value
  @safe @exclusivity(unchecked) var receivers = OrderedList<Watcher>()
  /// The value that is being delivered, which is older than `value` if that was set meanwhile.
  private var delivering: Value?

  package init(_ value: Value) { self.value = value }

  package func set(_ new: Value) {
    guard new != value else { return }
    // The old value is released after the new one is in place.
    _ = exchange(&value, with: new)
    let limit = Propagation.currentOrder
    Propagation.send { self.deliver(new, upTo: limit) }
  }

  package var signal: Signal<Value> {
    Signal(
      Derivation { watcher, _ in
        watcher.watch(self)
        return DerivationInstance(
          value: { point in
            if case .commit = point, let delivering = self.delivering {
              delivering
            } else {
              self.value
            }
          },
          change: { receive in if let delivering = self.delivering { receive(delivering) } })
      })
  }

  private func deliver(_ value: Value, upTo limit: UInt64) {
    delivering = value
    deliver(upTo: limit) { $0.receiveCommit() }
    delivering = nil
  }

  // MARK: Watchable

  var commits: ObjectIdentifier { ObjectIdentifier(self) }
  var isFinished: Bool { false }

  func add(_ watcher: Watcher) {
    receivers.add(watcher, order: watcher.order)
  }

  func remove(_ watcher: Watcher, isComposite: Bool) {
    withExtendedLifetime(receivers.remove(order: watcher.order)) {}
  }
}
