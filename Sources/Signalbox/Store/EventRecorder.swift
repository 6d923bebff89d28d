/// Receives each event of a store where it is made, before the program continues (D1).
@MainActor package protocol EventRecorder<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action

  /// Receives an event; the first one is `.started`.
  ///
  /// It may do anything to the store. The events that it causes are recorded after this one.
  func record(_ event: StoreEvent<State, Action>)

  /// Called after the last event, when the store has been released.
  func storeWasReleased()
}

extension Store {
  package var eventLog: EventLog<State, Action> { engine.log }

  package func record(by recorder: any EventRecorder<State, Action>) -> Subscription {
    engine.log.record(by: recorder)
  }
}

extension MutatingStore {
  package var eventLog: EventLog<State, Action> { scope.engine.log }
}

/// Passes the events of a store to its recorders, one event after the other.
///
///     add ──▶ waiting: [event 7][event 8][end] ──▶ each recorder ──▶ user code ─┐
///                          ▲                                                   │
///                          └──────────── causes further events ◀───────────────┘
///
/// Nothing recurses: an event leaves the queue before it is passed on, and what it causes waits.
@MainActor final class RecorderQueue<State, Action> {
  typealias Event = StoreEvent<State, Action>

  final class Member {
    fileprivate let recorder: any EventRecorder<State, Action>
    fileprivate let first: Int
    fileprivate(set) var isOpen = true

    init(_ recorder: any EventRecorder<State, Action>, from first: Int) {
      self.recorder = recorder
      self.first = first
    }
  }

  private enum QueueItem {
    /// - Parameter member: the only recipient; `nil` means all members.
    case event(Event, Propagation.Context, for: Member?)
    case end
  }

  private var members: [Member] = []
  private var waiting = Queue<QueueItem>()
  private var isHandingOn = false
  // Stored, because asking a generic array takes longer.
  private(set) var isEmpty = true

  func add(_ recorder: any EventRecorder<State, Action>, _ started: Event) -> Member {
    let member = Member(recorder, from: started.id)
    members.append(member)
    isEmpty = false
    add(.event(started, Propagation.currentContext, for: member))
    return member
  }

  /// Returns the recorder, which the caller releases last, because what it holds may call back.
  func remove(_ member: Member) -> Member? {
    member.isOpen = false
    let removed = members.firstIndex { $0 === member }.map { members.remove(at: $0) }
    isEmpty = members.isEmpty
    return removed
  }

  func add(_ event: Event, in context: Propagation.Context) {
    add(.event(event, context, for: nil))
  }

  /// Removes all recorders after the events that wait.
  func end() {
    if !isEmpty || isHandingOn { add(.end) }
  }

  private func add(_ item: QueueItem) {
    if isHandingOn { return waiting.append(item) }
    isHandingOn = true
    // Values that the recorders write and send are delivered after the recorders have received all
    // waiting events. The events of those deliveries therefore come later.
    Propagation.nested {
      handOn(item)
      while let item = waiting.popFirst() { handOn(item) }
      isHandingOn = false
    }
  }

  private func handOn(_ item: QueueItem) {
    switch item {
    case .event(let event, let context, for: let only?): hand(event, to: only, in: context)
    case .event(let event, let context, for: nil):
      // `first` excludes members that were added after the event.
      for member in members where member.first < event.id { hand(event, to: member, in: context) }
    case .end:
      let all = members
      members = []
      isEmpty = true
      for member in all where member.isOpen {
        member.isOpen = false
        member.recorder.storeWasReleased()
      }
    }
  }

  private func hand(_ event: Event, to member: Member, in context: Propagation.Context) {
    guard member.isOpen else { return }
    Propagation.aside(in: context) { member.recorder.record(event) }
  }
}
