internal import Signalbox

/// Records all stores, into a file or only for `why`.
@MainActor final class TraceListener: StoreListener {
  /// A store that is recorded.
  private struct Member {
    let number: Int
    let subscription: Subscription
    /// Writes what was lost, and releases the states.
    let finish: @MainActor () -> Void
  }

  /// Whether there is a file.
  let isRecording: Bool
  private let tape: TraceTape
  private let isRecorded: (Any.Type) -> Bool
  /// The stores, by the numbers of their events, which they share with their children.
  private var members: [ObjectIdentifier: Member] = [:]
  private var count = 0

  init(file: TraceFile?, isRecorded: @escaping (Any.Type) -> Bool = { _ in true }) {
    isRecording = file != nil
    self.isRecorded = isRecorded
    tape = TraceTape(file: file)
  }

  func listen<State, Action>(to log: EventLog<State, Action>) {
    if isRecorded(State.self) { record(log) }
  }

  /// Records a store, whatever its type.
  func record<State, Action>(_ log: EventLog<State, Action>) {
    count += 1
    let number = count
    let identity = ObjectIdentifier(log.numbers)
    let info = TraceEvent.StoreInfo(
      name: log.name, state: ValueTree.name(of: State.self), action: ValueTree.name(of: Action.self)
    )
    tape.add(TraceEvent(store: number, time: tape.now, kind: .store(info)))
    let recorder = StoreRecorder<State, Action>(number, tape: tape)
    recorder.onRelease = { [weak self] in
      // Released after it was removed, because what the recorder holds may call back.
      _ = self?.members.removeValue(forKey: identity)
    }
    let subscription = log.record(by: recorder)
    guard !recorder.isOver else { return }
    members[identity] = Member(
      number: number, subscription: subscription, finish: { recorder.finish() })
  }

  func note(_ input: TestInput, of stores: [EventNumbers]) {
    let numbers = stores.compactMap { members[ObjectIdentifier($0)]?.number }
    // Those of other tests, whose stores are not recorded or gone, would explain nothing.
    guard let first = numbers.first else { return }
    for kind in TraceEvent.Kind.of(input) {
      let store = numbers.count == 1 ? first : nil
      tape.add(TraceEvent(store: store, time: tape.now, kind: kind))
    }
  }

  func testHasFailed(_ text: String) {
    tape.add(TraceEvent(store: nil, time: tape.now, kind: .testFailed(text)))
  }

  /// What is known about the store to which a log belongs.
  func history(of numbers: EventNumbers) -> History? {
    members[ObjectIdentifier(numbers)].flatMap { tape.history(of: $0.number) }
  }

  /// Ends the recording of all stores.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    let members = exchange(&members, with: [:])
    for member in members.values.sorted(by: { $0.number < $1.number }) { member.finish() }
    tape.add(TraceEvent(store: nil, time: tape.now, kind: .stopped))
    // Released last, because what the recorders hold may call back.
    withExtendedLifetime(members) {}
  }

  private var isStopped = false
}
