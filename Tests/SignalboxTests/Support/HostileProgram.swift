import RandomPrograms
import Signalbox

/// A random program, and the plain state that it must lead to.
@MainActor final class HostileProgram: HostileListener {
  private typealias Writer = MutatingStore<HostileState, HostileAction>

  private(set) var mistakes: [String] = []
  var journal: [String] = []
  var stale: [MutatingStore<HostileState, HostileAction>] = []

  private var store: Store<HostileState, HostileAction>?
  private var writer: Writer?
  var expected = PlainState()
  var random: SeededRandom
  var subscribers: [HostileSubscriber] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// How many more calls the callbacks may make.
  var fuel = 0
  private var isHeld = false
  private var isReading = false
  private var batches = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func run() {
    Hostile.listener = self
    let store = Store(
      state: HostileState(), actionable: HostileActions(program: self))
    self.store = store
    store.send(.write(0))
    for _ in 0..<40 {
      fuel = 6
      step()
      check()
      if !mistakes.isEmpty { break }
    }
    end()
  }

  private func end() {
    Hostile.listener = nil
    store = nil
    writer = nil
    stale = []
    for subscriber in subscribers { subscriber.subscription = nil }
    subscribers = []
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func hold() async {
    await withCheckedContinuation { waiting.append($0) }
  }

  // MARK: - Callbacks

  func released() {
    guard fuel > 0, random.oneIn(2) else { return }
    if isHeld || isReading { return restricted() }
    nested("released") { step() }
  }

  func compared() {
    guard fuel > 0, random.oneIn(4) else { return }
    let wasReading = isReading
    isReading = true
    restricted()
    isReading = wasReading
  }

  /// Runs a body during which the state is being changed in place.
  private func holding<Result>(_ body: () -> Result) -> Result {
    let wasHeld = isHeld
    isHeld = true
    defer { isHeld = wasHeld }
    return body()
  }

  /// What is allowed while the state is compared, or changed in place.
  private func restricted() {
    fuel -= 1
    if isReading {
      if !isHeld, let store { _ = store.number + store.list.count }
    } else if random.oneIn(2) {
      cancel()
    } else {
      // The copies of late work were released after the list changed.
      let before = stale
      stale = Array(stale.dropFirst(random.below(3)))
      withExtendedLifetime(before) {}
    }
  }

  func told(_ subscriber: HostileSubscriber, _ value: String) {
    subscriber.last = value
    guard fuel > 0, random.oneIn(3) else { return }
    nested("told") { step() }
  }

  func nested(_ name: String, _ body: () -> Void) {
    fuel -= 1
    let (wasHeld, wasReading) = (isHeld, isReading)
    (isHeld, isReading) = (false, false)
    journal.append("\(name) {")
    body()
    journal.append("}")
    (isHeld, isReading) = (wasHeld, wasReading)
  }

  // MARK: - Steps

  func step() {
    guard let store else { return }
    let id = random.below(6)
    switch random.below(14) {
    case 0...3:
      journal.append("dispatch write \(id)")
      store.dispatch(.write(id))
    case 4:
      journal.append("dispatch hold \(id)")
      store.dispatch(.hold(id))
    case 5...7: subscribe(store)
    case 8: cancel()
    case 9: track(store)
    case 10:
      // Cancelled work writes to its own copy.
      if let late = stale.randomElement(using: &random), !late.isCurrent { late.one = Shell(77) }
    case 11 where random.oneIn(12):
      journal.append("release")
      self.store = nil
      writer = nil
    case 12:
      journal.append("cancelAll")
      store.cancelAll()
    default: if let writer { write(id, by: writer) }
    }
  }

  func write(_ id: Int, by writer: MutatingStore<HostileState, HostileAction>) {
    if self.writer == nil, store != nil { self.writer = writer }
    // Late work writes to its own copy.
    guard writer.isCurrent else { return }
    let choice = random.below(16)
    journal.append("write \(choice) \(id)")
    switch choice {
    case 0:
      expected.number = id
      writer.number = id
    case 1:
      expected.one = id
      writer.one = Shell(id)
    case 2:
      expected.pair = [id, id]
      writer.pair = ShellPair(id)
    case 3:
      expected.list = (0..<id).map { $0 + id }
      writer.list = (0..<id).map { Shell($0 + id) }
    case 4:
      expected.list.append(id)
      inPlace(&writer.list) { $0.append(Shell(id)) }
    case 5:
      expected.list = expected.list.dropLast()
      inPlace(&writer.list) { if !$0.isEmpty { $0.removeLast() } }
    case 6:
      expected.maybe = id % 2 == 0 ? nil : id
      writer.maybe = id % 2 == 0 ? nil : Shell(id)
    case 7:
      expected.opaque = id
      writer.opaque = OpaqueShell(shell: Shell(id))
    case 8:
      expected.watched = id
      expected.writes += 1
      writer.watched = Shell(id)
    case 9:
      expected.one = id
      holding { writer.alias = id }
    case 10:
      expected.one = id
      writer.set(\.one, Shell(id), forceUpdate: true)
    case 11:
      expected.number = id
      expected.pair = [id, id]
      writer.update { state in
        holding {
          state.number = id
          state.pair = ShellPair(id)
        }
      }
    case 12 where batches < 3:
      batches += 1
      writer.batch { for _ in 0..<3 { step() } }
      batches -= 1
    case 13:
      let state = HostileState(id)
      // Making the work releases values, and their `deinit` may have cancelled it.
      guard writer.isCurrent else { return }
      expected = PlainState(state)
      writer.state = state
    default:
      expected.number += 1
      writer.number += 1
    }
  }

  /// The access lasts for the body, and the notifications come after it.
  private func inPlace<Value>(_ value: inout Value, _ body: (inout Value) -> Void) {
    holding { body(&value) }
  }

  // MARK: - Invariants

  private func check() {
    guard let store else { return }
    let state = PlainState(store.state)
    if state != expected { mistakes.append("the state is \(state), not \(expected)") }
    for subscriber in subscribers {
      guard let now = subscriber.read(expected), now != subscriber.last else { continue }
      mistakes.append("\(subscriber.name) is \(now), told \(subscriber.last ?? "nothing")")
    }
  }
}

enum HostileAction: CancellableAction {
  case write(Int)
  case hold(Int)
  var cancelIdentifier: String? { if case .hold = self { "hold" } else { nil } }
}

private struct HostileActions: Actionable {
  weak var program: HostileProgram?

  func onAction(
    _ action: HostileAction, store: MutatingStore<HostileState, HostileAction>
  ) async {
    switch action {
    case .write(let id): program?.write(id, by: store)
    case .hold(let id):
      program?.write(id, by: store)
      program?.stale.append(store)
      await program?.hold()
    }
  }
}
