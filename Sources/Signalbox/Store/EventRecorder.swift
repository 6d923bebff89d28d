/// Takes down what happens in a store, in order with the program's own output (D1): the log, a test
/// store.
///
/// A subscriber to `Store.events` gets an event behind what is being delivered. A recorder gets it
/// at the place where it is made, before the program goes on.
@MainActor package protocol EventRecorder<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action

  /// Takes an event; the first one is `.started`.
  ///
  /// It may do anything to the store. What that makes happen follows from this event, and is
  /// recorded after it.
  func record(_ event: StoreEvent<State, Action>)

  /// The store is gone: no event follows.
  func storeWasReleased()
}

extension Store {
  /// Records the events of the store until the subscription ends.
  package func record(by recorder: any EventRecorder<State, Action>) -> Subscription {
    engine.log.record(by: recorder)
  }
}

/// Hands the events of a store to its recorders, one event after the other.
///
///     add ──▶ waiting: [event 7][event 8][end] ──▶ each recorder ──▶ code of the user ─┐
///                          ▲                                                          │
///                          └──────────────── makes something happen ◀─────────────────┘
///
/// A recorder calls code of the user, which may call back. So an event is taken out of the queue
/// before it is handed on, and what is made meanwhile waits in the queue: nothing recurses.
@MainActor final class RecorderQueue<State, Action> {
  typealias Event = StoreEvent<State, Action>

  /// One recorder, and the number of its first event.
  final class Member {
    fileprivate let recorder: any EventRecorder<State, Action>
    fileprivate let first: Int
    fileprivate(set) var isOpen = true

    init(_ recorder: any EventRecorder<State, Action>, from first: Int) {
      self.recorder = recorder
      self.first = first
    }
  }

  private enum SourceGate {
    /// - Parameter member: the only one to get it; all of them without.
    case event(Event, Propagation.Context, for: Member?)
    case end
  }

  private var members: [Member] = []
  private var waiting: [SourceGate?] = []
  private var head = 0
  private var isHandingOn = false

  var isEmpty: Bool { members.isEmpty }

  /// Adds a recorder, and hands it its first event.
  func add(_ recorder: any EventRecorder<State, Action>, _ started: Event) -> Member {
    let member = Member(recorder, from: started.id)
    members.append(member)
    add(.event(started, Propagation.currentContext, for: member))
    return member
  }

  /// Removes a recorder, which gets nothing more.
  ///
  /// - Returns: the recorder, to be released when all is done: what it holds may call back.
  func remove(_ member: Member) -> Member? {
    member.isOpen = false
    return members.firstIndex { $0 === member }.map { members.remove(at: $0) }
  }

  /// - Parameter context: what the recorders do follows from this.
  func add(_ event: Event, in context: Propagation.Context) {
    add(.event(event, context, for: nil))
  }

  /// Lets all recorders go, after the events that wait.
  func end() { add(.end) }

  private func add(_ entry: SourceGate) {
    waiting.append(entry)
    guard !isHandingOn else { return }
    isHandingOn = true
    // What the recorders write and send is delivered when they have got all events that wait: those
    // of its deliveries come after them.
    Propagation.nested {
      while head < waiting.count {
        let entry = waiting[head].take()
        head += 1
        if let entry { handOn(entry) }
      }
      head = 0
      waiting.removeAll(keepingCapacity: waiting.count < 100)
      isHandingOn = false
    }
  }

  private func handOn(_ entry: SourceGate) {
    switch entry {
    case .event(let event, let context, for: let only?):
      hand(event, to: only, in: context)
    case .event(let event, let context, for: nil):
      for member in members where member.first < event.id {
        hand(event, to: member, in: context)
      }
    case .end:
      let all = members
      members = []
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
