/// Connects a `StoreLog` to each store that the filter includes.
@MainActor final class StoreLogger: StoreListener {
  private let filter: DebugStore.Filter?
  private var recordings: [Int: Subscription] = [:]
  private var count = 0

  init(_ filter: DebugStore.Filter?) { self.filter = filter }

  func listen<State, Action>(to log: EventLog<State, Action>) {
    guard isWanted(State.self) else { return }
    count += 1
    let number = count
    let recorder = StoreLog<State, Action>(name: log.name)
    recorder.onRelease = { [weak self] in
      // Released after it was removed, because what the recorder holds may call back.
      _ = self?.recordings.removeValue(forKey: number)
    }
    // The first line is printed here, and the code that prints it may release the store.
    let recording = log.record(by: recorder)
    if !recorder.isOver { recordings[number] = recording }
  }

  private func isWanted(_ type: Any.Type) -> Bool {
    switch filter {
    case nil: true
    case .include(let types): types.contains { $0 == type }
    case .exclude(let types): !types.contains { $0 == type }
    }
  }
}
