/// Numbers the events of a store and passes them on; without a receiver, no event is made.
@MainActor package final class EventLog<State, Action> {
  package let name: String?
  private let recorders = RecorderQueue<State, Action>()
  private let source = Source<StoreEvent<State, Action>>()
  /// Made when they are first needed, because most stores make no events.
  var madeNumbers: EventNumbers?
  /// The logs of the parent and the children; `nil` if there are none.
  var family: LogFamily?
  /// Whether this log has a recorder or a subscriber of its own.
  private var hasOwnReceivers = false
  // Unchecked, because they are read several times for every action, and never during a write.
  @safe @exclusivity(unchecked) private var generation = 0
  @safe @exclusivity(unchecked) private var hasReceivers = false
  let storage: StateStorage<State>
  let feature: Any.Type
  private(set) var isEnding = false

  init(
    name: String?, _ feature: Any.Type, parent: (log: any ParentLog, path: ChildPath)?,
    _ storage: StateStorage<State>
  ) {
    self.name = name
    self.feature = feature
    self.storage = storage
    if let parent {
      madeNumbers = parent.log.numbers
      family = LogFamily(parent.log, parent.path)
      hasReceivers = parent.log.isWatched
    }
  }

  var isChild: Bool { family?.path != nil }

  /// Whether there is a receiver; also connects each `StoreListener` added since the last read.
  package var isWatched: Bool {
    if StoreListening.generation != generation { connectListeners() }
    if hasReceivers { return true }
    guard let family else { return false }
    return family.end != nil && family.parent?.isWatched == true
  }

  private func connectListeners() {
    let seen = exchange(&generation, with: StoreListening.generation)
    if isChild {
      // A listener receives the events of a child from its parent.
      _ = family?.parent?.isWatched
      return
    }
    for listener in StoreListening.listeners(after: seen) where !source.isFinished {
      Propagation.withoutOwner { listener.listen(to: self) }
    }
  }

  package func record(by recorder: any EventRecorder<State, Action>) -> Subscription {
    guard !source.isFinished else {
      recorder.storeWasReleased()
      return .empty
    }
    let started = event(.started(storage.recordedState), cause: nil)
    // Set before the first event is passed on, which may cause further events.
    setReceivers(true)
    let member = recorders.add(recorder, started)
    return Subscription {
      let removed = self.recorders.remove(member)
      self.countReceivers()
      // Released last, because what it holds may call back.
      withExtendedLifetime(removed) {}
    }
  }

  var signal: Signal<StoreEvent<State, Action>> {
    .staged { stage in
      let owner = stage.attachment?.owner
      stage.connect(
        to: .direct { self.attach($0) },
        receive: { if owner?.hasLed(to: Propagation.context.cause) != true { stage.send($0) } })
      if !stage.isClosed { self.start(stage) }
    }
  }

  /// Sends the first event, which is the cause of what the receiver does in response.
  private func start(_ stage: Stage<StoreEvent<State, Action>>) {
    let started = event(.started(storage.recordedState), cause: nil)
    countReceivers()
    Propagation.nested {
      let outer = exchange(&Propagation.context.cause, with: cause(started.id, isEvent: true))
      stage.send(started)
      Propagation.context.cause = outer
    }
  }

  private func attach(_ subscriber: Subscriber<StoreEvent<State, Action>>) -> Subscription {
    let subscription = source.attach(subscriber)
    return Subscription {
      subscription.end()
      self.countReceivers()
    }
  }

  private func countReceivers() {
    setReceivers(!source.isFinished && (source.hasSubscribers || !recorders.isEmpty))
  }

  private func setReceivers(_ value: Bool) {
    hasOwnReceivers = value
    updateReceivers()
    storage.isRecording = value
  }

  private func updateReceivers() {
    let value = hasOwnReceivers || family?.isParentWatched == true
    if value == hasReceivers { return }
    hasReceivers = value
    family?.onWatched(value)
  }

  /// Has a closure called with whether the children of the store have to report their events.
  func whenWatched(_ onWatched: @escaping @MainActor (Bool) -> Void) {
    let family = family ?? LogFamily(nil, nil)
    family.onWatched = onWatched
    self.family = family
  }

  func parentIsWatched(_ isWatched: Bool) {
    family?.isParentWatched = isWatched
    updateReceivers()
  }

  /// Notes that the store ends, because it was released or because the state of a child goes.
  func storeIsEnding() { isEnding = true }

  func storeIsGone() {
    family?.end = currentCause ?? numbers.last
    family?.onWatched = { _ in }
  }

  @discardableResult
  func emit(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, as number: Int? = nil, cause: Int?,
    work: Int? = nil, cancellation: EventCancellation? = nil,
    from provenance: @autoclosure () -> Provenance = Provenance(),
    in context: Propagation.Context? = nil
  ) -> Int? {
    guard isWatched else { return nil }
    let event = event(
      kind(), as: number, cause: cause, work: work, cancellation: cancellation, from: provenance())
    send(event, in: context)
    return event.id
  }

  /// - Parameter willSend: receives the number of the event before a receiver can end the work.
  func emitBeginning(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, cause: Int?,
    willSend: (Int) -> Void
  ) {
    guard isWatched else { return }
    let event = event(kind(), cause: cause, work: numbers.last + 1)
    willSend(event.id)
    send(event, in: nil)
  }

  /// Sends an event, which becomes the cause of everything that a receiver does.
  func send(_ event: StoreEvent<State, Action>, in context: Propagation.Context?) {
    var context = context ?? Propagation.currentContext
    context.cause = self.cause(event.id, isEvent: true)
    guard !recorders.isEmpty || isChild else { return source.send(event, in: context) }
    Propagation.nested {
      // Queued before the recorders run, and delivered after the current delivery. If it were
      // queued after the recorders, it would come after the events that they cause.
      if source.hasSubscribers { source.send(event, in: context) }
      if !recorders.isEmpty { recorders.add(event, in: context) }
      if isChild { tellParent(event, in: context) }
    }
  }

  /// Passes an event on to the log of the parent, which reports changes itself.
  private func tellParent(_ event: StoreEvent<State, Action>, in context: Propagation.Context) {
    guard let parent = family?.parent, parent.isWatched, let path else { return }
    var state: State?
    var isHidden = false
    switch event.kind {
    case .stateChanged, .started: return
    case .child(let child):
      return parent.receive(child.moved(into: path), in: context)
    case .hookFired, .derived:
      state = storage.read(\.self)
      isHidden = self.isHidden
    case .dropped(.change): isHidden = self.isHidden
    default: break
    }
    let content = TypedChildEvent(typed: event, state: state, isHidden: isHidden)
    parent.receive(ChildEvent(path: path, content: content), in: context)
  }

  func finish() {
    guard !source.isFinished else { return }
    source.finish()
    recorders.end()
    countReceivers()
  }

  var currentCause: Int? { number(of: Propagation.currentCause) }

  /// The number of the event that is a cause, if it is an event of this store or its family.
  @inline(__always) func number(of cause: Propagation.Cause?) -> Int? {
    guard let cause, let madeNumbers, cause.issuer == ObjectIdentifier(madeNumbers) else {
      return nil
    }
    return cause.number
  }

  func cause(_ id: Int?, isEvent: Bool = false) -> Propagation.Cause? {
    id.map {
      Propagation.Cause(issuer: ObjectIdentifier(numbers), number: $0, isEvent: isEvent)
    }
  }

  private func event(
    _ kind: StoreEvent<State, Action>.Kind, as number: Int? = nil, cause: Int?, work: Int? = nil,
    cancellation: EventCancellation? = nil,
    from provenance: Provenance = Provenance()
  ) -> StoreEvent<State, Action> {
    let id = number ?? numbers.next()
    if let cause, !numbers.runs.isEmpty { numbers.runs.add(id, causedBy: cause) }
    return StoreEvent(
      id: id, cause: cause, work: work, cancellation: cancellation, storeName: name, kind: kind,
      provenance: provenance, feature: feature)
  }
}
