import RandomPrograms
import Signalbox
import SignalboxInspection

@testable import SignalboxTrace

/// A state of all kinds of values, with children.
struct LawState: Equatable, Sendable {
  var zoo = Zoo()
  var rows: [RowState] = []
}

enum LawAction: Sendable, CancellableAction {
  case change(seed: UInt64)
  /// Changes the state, waits until the test opens the gate, and changes it again.
  case wait(name: Int, seed: UInt64)
  case fail(Zoo)

  var cancelIdentifier: Int? { if case .wait(let name, _) = self { name } else { nil } }
  var overlap: Overlap { .latest }
}

struct LawError: Error { var animal = Zoo.Animal(id: 1, name: "x") }

enum LawHook: CaseIterable { case animals, count }

/// A store whose actions make random changes.
struct LawInteractor: Interactor {
  let gate: LawGate

  func onAction(_ action: LawAction, store: MutatingStore<LawState, LawAction>) async throws {
    switch action {
    case .change(let seed): Self.change(store, seed)
    case .wait(_, let seed):
      Self.change(store, seed)
      await gate.wait()
      Self.change(store, seed &+ 1)
    case .fail: throw LawError()
    }
  }

  func onError(_ error: any Error, action: LawAction, store: MutatingStore<LawState, LawAction>) {
    store.zoo.count &+= 1
  }

  @MainActor private static func change(_ store: MutatingStore<LawState, LawAction>, _ seed: UInt64)
  {
    var random = SeededRandom(seed: seed)
    store.zoo.change(&random)
    switch random.below(4) {
    case 0:
      let id = random.below(6)
      if !store.rows.contains(where: { $0.id == id }) { store.rows.append(RowState(id: id)) }
    case 1 where !store.rows.isEmpty: store.rows.remove(at: random.below(store.rows.count))
    case 2: store.rows.shuffle(using: &random)
    default: break
    }
  }

  func subscription(
    for hook: LawHook, store: MutatingStore<LawState, LawAction>
  ) -> Subscription {
    switch hook {
    case .animals:
      store.publisher.zoo.animals.map(\.count).sink { store.zoo.point.x = Double($0) }
    case .count: store.publisher.zoo.count.sink { _ in }
    }
  }

  func children(of store: MutatingStore<LawState, LawAction>) -> Children<LawState> {
    Each(\.rows) { _ in Row() }
  }
}

/// Holds actions until the test lets them go on.
@MainActor final class LawGate {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func letOneGo() {
    if !waiting.isEmpty { waiting.removeFirst().resume() }
  }

  func open() {
    isOpen = true
    for continuation in exchange(&waiting, with: []) { continuation.resume() }
  }
}

/// Notes what a store reports, to compare it with what is read from the file.
@MainActor final class Witness: EventRecorder {
  struct Note: Equatable {
    var id: Int
    var cause: Int?
    var work: Int?
    var child: String?
    var kind: String
  }

  private(set) var notes: [Note] = []
  /// The state after each event.
  private(set) var states: [Int: ValueTree] = [:]

  func record(_ event: StoreEvent<LawState, LawAction>) {
    var note = Note(id: event.id, cause: event.cause, work: event.work, kind: "")
    switch event.kind {
    case .started: return
    case .stateChanged(_, let state):
      note.kind = "changed"
      states[event.id] = ValueTree(state)
    case .child(let child):
      note.child = child.path
      note.kind = child.read(by: WitnessKinds())
    default: note.kind = TraceEvent.Kind(event, isHidden: false)?.name ?? ""
    }
    notes.append(note)
  }

  func storeWasReleased() {}
}

private struct WitnessKinds: ChildEventReader {
  func read<State, Action>(_ event: StoreEvent<State, Action>, in state: State?) -> String {
    TraceEvent.Kind(event, isHidden: false)?.name ?? ""
  }
}
