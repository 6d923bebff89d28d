import Observation
import RandomPrograms
import Signalbox

/// A subscription, and the last value that it received.
@MainActor final class HostileSubscriber {
  let name: String
  let read: @MainActor (PlainState) -> String?
  var last: String?
  var subscription: Subscription?

  init(_ name: String, _ last: String?, _ read: @escaping @MainActor (PlainState) -> String?) {
    self.name = name
    self.last = last
    self.read = read
  }
}

extension HostileProgram {
  func subscribe(_ store: Store<HostileState, HostileAction>) {
    let publisher = store.publisher
    switch random.below(9) {
    case 0:
      add("number", publisher.number) {
        "\($0.number)"
      } describe: {
        "\($0)"
      }
    case 1:
      add("one", publisher.one) {
        "\($0.one)"
      } describe: {
        "\($0.id)"
      }
    case 2:
      add("pair", publisher.pair) {
        "\($0.pair)"
      } describe: {
        "\([$0.left.id, $0.right.id])"
      }
    case 3:
      add("list", publisher.list) {
        "\($0.list)"
      } describe: {
        "\($0.map(\.id))"
      }
    case 4:
      add("right", publisher.pair.right) {
        "\($0.pair[1])"
      } describe: {
        "\($0.id)"
      }
    case 5:
      add("second", publisher.list[1]) {
        $0.list.count > 1 ? "\($0.list[1])" : nil
      } describe: {
        "\($0.id)"
      }
    case 6:
      add("sum", publisher.sum) {
        "\($0.number + $0.list.count)"
      } describe: {
        "\($0)"
      }
    case 7:
      let both = combineLatest(publisher.number, publisher.list.map(\.count))
      add("both", both) {
        "\($0.number) \($0.list.count)"
      } describe: {
        "\($0) \($1)"
      }
    default:
      add("whole", publisher) {
        "\($0)"
      } describe: {
        "\(PlainState($0))"
      }
    }
  }

  private func add<Value>(
    _ name: String, _ signal: some SignalConvertible<Value>,
    read: @escaping @MainActor (PlainState) -> String?,
    describe: @escaping @MainActor (Value) -> String
  ) {
    journal.append("subscribe \(name)")
    let subscriber = HostileSubscriber(name, read(expected), read)
    subscribers.append(subscriber)
    let capture = Charge(0)
    subscriber.subscription = signal.sink { [weak self, weak subscriber] value in
      withExtendedLifetime(capture) {}
      if let self, let subscriber { told(subscriber, describe(value)) }
    }
  }

  func cancel() {
    guard !subscribers.isEmpty else { return }
    let subscriber = subscribers.remove(at: random.below(subscribers.count))
    journal.append("cancel \(subscriber.name)")
    subscriber.subscription?.cancel()
  }

  func track(_ store: Store<HostileState, HostileAction>) {
    journal.append("track")
    withObservationTracking {
      _ = random.oneIn(2) ? store.number : store.sum
      _ = store.one
    } onChange: {
      MainActor.assumeIsolated {
        guard let self = Hostile.listener as? HostileProgram, self.fuel > 0 else { return }
        self.nested("changed") { self.step() }
      }
    }
  }
}
