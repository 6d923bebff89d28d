package import Signalbox
internal import SignalboxInspection

/// Records all stores, into a file or only for `why`.
@MainActor final class TraceListener: StoreListener {
  private struct Member {
    let number: Int
    let subscription: Subscription
    let catchUp: @MainActor () -> Void
    let finish: @MainActor () -> Void
  }

  let isRecording: Bool
  private let tape: TraceTape
  private let isRecorded: (Any.Type, String?) -> Bool
  /// The stores, by the numbers of their events, which they share with their children.
  private var members: [ObjectIdentifier: Member] = [:]
  private var count = 0

  init(file: TraceFile?, isRecorded: @escaping (Any.Type, String?) -> Bool = { _, _ in true }) {
    isRecording = file != nil
    self.isRecorded = isRecorded
    tape = TraceTape(file: file)
  }

  func listen<State, Action>(to log: EventLog<State, Action>) {
    if isRecorded(State.self, log.name) { record(log) }
  }

  /// Records a store, whatever its type.
  func record<State, Action>(_ log: EventLog<State, Action>) {
    guard !isStopped else { return }
    count += 1
    let number = count
    let identity = ObjectIdentifier(log.numbers)
    let info = TraceEvent.StoreInfo(
      name: log.name, state: ValueTree.name(of: State.self), action: ValueTree.name(of: Action.self)
    )
    let recorder = StoreRecorder<State, Action>(number, info, tape: tape)
    recorder.onRelease = { [weak self] in
      // Released after it was removed, because what the recorder holds may call back.
      _ = self?.members.removeValue(forKey: identity)
    }
    let subscription = log.record(by: recorder)
    guard !recorder.isOver else { return }
    members[identity] = Member(
      number: number, subscription: subscription, catchUp: { recorder.catchUp() },
      finish: { recorder.finish() })
  }

  func note(_ input: TestInput, of stores: [EventNumbers]) {
    let known = stores.compactMap { members[ObjectIdentifier($0)] }
    // Those of other tests, whose stores are not recorded or gone, would explain nothing.
    guard let first = known.first else { return }
    let kinds = TraceEvent.Kind.of(input)
    guard tape.hasRoom else { return tape.lose(kinds.count) }
    first.catchUp()
    for kind in kinds {
      let store = known.count == 1 ? first.number : nil
      tape.add(TraceEvent(store: store, time: tape.now, kind: kind))
    }
  }

  func testHasFailed(_ text: String) {
    tape.addFailure(text)
  }

  func history(of numbers: EventNumbers) -> History? {
    members[ObjectIdentifier(numbers)].flatMap { tape.history(of: $0.number) }
  }

  /// Writes what was lost of each store, without waiting for room.
  func catchUp() {
    guard !isStopped else { return }
    for member in inOrder where tape.hasRoom { member.catchUp() }
    tape.addLost()
  }

  /// Writes what was lost of each store, and waits for the room that this takes.
  func catchUpWaiting() {
    for member in inOrder {
      tape.makeRoom()
      member.catchUp()
    }
    tape.addLost()
  }

  private var inOrder: [Member] { members.values.sorted { $0.number < $1.number } }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    catchUpWaiting()
    let members = exchange(&members, with: [:])
    for member in members.values { member.finish() }
    tape.add(TraceEvent(store: nil, time: tape.now, kind: .stopped))
    // Released last, because what the recorders hold may call back.
    withExtendedLifetime(members) {}
  }

  private var isStopped = false
}

/// What a test did that stores cannot see the origin of, for recordings.
package enum TestInput {
  case answered(endpoint: String, call: Int, request: Any, with: Result<Any, any Error>)
  /// A clock was advanced; `nil` until nothing slept.
  case advanced(by: Duration?)

  /// Tells all recordings what a test does next.
  @MainActor package static func note(
    _ input: @autoclosure () -> TestInput, of stores: @autoclosure () -> [EventNumbers]
  ) {
    for case let listener as TraceListener in StoreListening.all {
      listener.note(input(), of: stores())
    }
  }
}
