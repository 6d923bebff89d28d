/// Listens to stores on behalf of the log.
@MainActor final class StoreLogger: StoreListener {
  private let filter: DebugStore.Filter?
  private var subscriptions: [Int: Subscription] = [:]
  private var count = 0

  init(_ filter: DebugStore.Filter?) { self.filter = filter }

  func listen<State, Action>(to events: Signal<StoreEvent<State, Action>>) {
    guard isWanted(State.self) else { return }
    count += 1
    let number = count
    let log = StoreLog<State, Action>()
    let subscription = events.sink(
      receiveCompletion: { [weak self] in self?.subscriptions[number] = nil },
      receiveValue: { log.write($0) })
    subscriptions[number] = subscription
  }

  private func isWanted(_ type: Any.Type) -> Bool {
    switch filter {
    case nil: true
    case .include(let types): types.contains { $0 == type }
    case .exclude(let types): !types.contains { $0 == type }
    }
  }
}
