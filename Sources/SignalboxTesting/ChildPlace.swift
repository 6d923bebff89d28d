import Signalbox

/// Where the state of a child is in that of its parent.
@MainActor struct ChildPlace<Parent, State> {
  let get: @MainActor (Parent) -> State?
  /// Does nothing if there is no such child.
  let set: @MainActor (inout Parent, State) -> Void

  init<Whole>(
    _ keyPath: KeyPath<Parent, Whole>, _ get: @escaping @MainActor (Whole) -> State?,
    _ set: @escaping @MainActor (inout Whole, State) -> Void
  ) {
    // A child lives in stored state, whose key path is writable unless a `let` hides that (C13).
    let writable = keyPath as? WritableKeyPath<Parent, Whole>
    self.get = { get($0[keyPath: keyPath]) }
    self.set = { parent, state in
      guard let writable, get(parent[keyPath: writable]) != nil else { return }
      set(&parent[keyPath: writable], state)
    }
  }
}

extension StoreEvent {
  /// The event as one of a child; `nil` if it is not about the child, but maybe about another one at
  /// the same place.
  @MainActor fileprivate func seen<S: Equatable, A>(
    at path: String, _ part: (State) -> S?, in life: (begin: Int, end: Int?), as type: A.Type
  ) -> StoreEvent<S, A>? {
    let end = life.end ?? .max
    switch kind {
    case .stateChanged(let old, let new):
      guard id > life.begin, id < end, let new = part(new) else { return nil }
      guard let old = part(old) else { return with(.started(new)) }
      return old == new ? nil : with(.stateChanged(from: old, to: new))
    case .child(let event):
      // Work that ends with its child, or later, has begun before.
      guard life.begin < work ?? id, work ?? id <= end else { return nil }
      if event.path == path { return event.read(by: TypedReader()) }
      return event.path.hasPrefix(path + ".") ? with(.child(event.seen(from: path))) : nil
    default: return nil
    }
  }

  fileprivate var state: State? {
    switch kind {
    case .started(let state), .stateChanged(_, let state): state
    default: nil
    }
  }
}

private struct TypedReader<S, A>: ChildEventReader {
  func read<State, Action>(
    _ event: StoreEvent<State, Action>, in state: State?
  ) -> StoreEvent<S, A>? {
    event as? StoreEvent<S, A>
  }
}

extension Recorder {
  /// Makes the recorder of a child, which takes its events from this one when it is asked.
  func child<S: Equatable, A>(
    _ log: EventLog<S, A>, _ place: ChildPlace<State, S>, state: S
  ) -> Recorder<S, A> {
    let path = log.path ?? ""
    // Old events may have been dropped, so their number alone does not tell which ones are new.
    var seen: Set<Int> = []
    var count = 0
    catchUp()
    let begin = firstEvent(with: state, at: place, upTo: log.life.begin)
    let fullPath = self.path.isEmpty ? path : self.path + path.dropFirst()
    let child = Recorder<S, A>(state, ledger, at: fullPath, in: activity) { [self] child in
      catchUp()
      let total = events.count + droppedEvents
      for event in events.suffix(total - count) where seen.insert(event.id).inserted {
        let life = (begin, log.life.end)
        if let event = event.seen(at: path, place.get, in: life, as: A.self) { child.take(event) }
      }
      count = total
    }
    let last = events.last { $0.id <= begin && $0.state != nil }
    if let last, let state = last.state.flatMap(place.get) {
      child.begin(with: last.with(.started(state)))
    }
    return child
  }

  /// The event with whose state a child begins, although its store may be made later, on demand.
  private func firstEvent<S>(
    with state: S, at place: ChildPlace<State, S>, upTo last: Int
  ) -> Int {
    let id = ElementName.id(of: state)
    var begin = last
    for event in events.reversed() where event.id <= last {
      guard let parent = event.state else { continue }
      guard let own = place.get(parent), ElementName.id(of: own) == id else { break }
      begin = event.id
    }
    return begin
  }
}

/// What the reporter of a child's test store shares with that of the parent.
struct ParentReporter<State> {
  /// The state of the child as far as the parent's part was asserted; `nil` without one.
  let asserted: @MainActor () -> State?
  /// The child's state that an assertion of the parent looked at last, and the updates until then.
  let seen: @MainActor () -> (state: State, updates: Int)?
  let assert: @MainActor (_ asserted: State, _ seen: State, _ updates: Int) -> Void
  let fails: @MainActor () -> Void
  let reportMishaps: @MainActor () -> Void
}

extension Reporter {
  /// - Parameter log: the log of the child, at whose place another one may be after its end.
  func asParent<S, A>(of log: EventLog<S, A>, _ place: ChildPlace<State, S>) -> ParentReporter<S> {
    func get(_ state: State) -> S? { log.life.end == nil ? place.get(state) : nil }
    return ParentReporter(
      asserted: { get(self.asserted) },
      seen: {
        let seen = self.seen
        return get(seen.state).map { ($0, seen.updates) }
      },
      assert: { asserted, seen, updates in
        if log.life.end != nil { return }
        self.childHasAsserted(
          updates, { place.set(&$0, asserted) }, { place.set(&$0, seen) })
      },
      fails: { self.hasFailed() }, reportMishaps: { self.reportMishaps() })
  }
}

extension TestStore {
  /// The test store of a child, which is the same each time.
  ///
  /// - Parameter set: is called only if there is such a child.
  func testStore<S: Equatable, A, Whole>(
    _ child: Store<S, A>, in keyPath: KeyPath<State, Whole>,
    _ get: @escaping @MainActor (Whole) -> S?, set: @escaping @MainActor (inout Whole, S) -> Void
  ) -> TestStore<S, A> {
    children.removeAll { $0.store == nil }
    for case let store as TestStore<S, A> in children.lazy.compactMap(\.store)
    where store.store === child { return store }
    let store = TestStore<S, A>(child, of: self, at: ChildPlace(keyPath, get, set))
    children.append(WeakStore(store: store))
    return store
  }
}
