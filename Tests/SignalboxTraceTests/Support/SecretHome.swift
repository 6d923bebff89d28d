import RandomPrograms
import Signalbox

/// A state with children in redacted places, with redacted ids, and with both.
///
/// Every secret contains "s3cret", and nothing else does.
struct SecretHome: Equatable, Sendable {
  struct Hidden: Hashable, Sendable, CustomStringConvertible {
    @Redacted var code = "s3cret"
    var description: String { "hidden \(code)" }
  }

  /// A state of children, which is a secret as a whole where its place is redacted.
  struct Cell: Identifiable, Equatable, Sendable {
    var id: String
    var text = ""
    var maybe: Hidden?
    @Redacted var code = "s3cret-code"
    var inner: [Cell] = []
  }

  /// An element whose `id` is computed from something redacted.
  struct Row: Identifiable, Equatable, Sendable {
    @Redacted var key: String
    var text = ""
    var id: String { "\(key)!" }
  }

  struct Box: Equatable, Sendable { var cell: Cell }

  // Redacted by `redact(_:)`, and with the places below.
  var vault: Cell
  var vaults: [Cell] = []
  var safe: Cell
  var box: Box
  var drawer: Cell?
  var shelves: [Cell] = []
  var lockers: [String: Cell] = [:]
  // Only the ids and parts are redacted.
  var table: Cell
  var rows: [Row] = []
  var keys: [Hidden: Cell] = [:]

  @MainActor static func redact() {
    DebugStore.redact(\SecretHome.vault)
    DebugStore.redact(\SecretHome.vaults)
    DebugStore.redact(\SecretHome.safe)
    DebugStore.redact(\SecretHome.box)
    DebugStore.redact(\SecretHome.drawer?.text)
    DebugStore.redact(\SecretHome.drawer?.inner)
    DebugStore.redact(\SecretHome.drawer?.id)
    DebugStore.redact(\SecretHome.shelves)
    DebugStore.redact(\SecretHome.lockers)
  }

  init() {
    vault = Cell(id: "s3cret")
    safe = Cell(id: "s3cret")
    box = Box(cell: Cell(id: "s3cret"))
    table = Cell(id: "plain")
  }
}

extension SecretHome.Cell {
  /// - Parameter word: "s3cret" or "plain".
  mutating func change(_ random: inout SeededRandom, _ word: String) {
    switch random.below(6) {
    case 0, 1: text = "\(word)-\(random.below(100))"
    case 2: maybe = random.oneIn(2) ? nil : SecretHome.Hidden(code: "s3cret-\(random.below(9))")
    case 3: code = "s3cret-\(random.below(9))"
    case 4 where !inner.isEmpty: inner.remove(at: random.below(inner.count))
    default:
      let id = "\(word)-id\(random.below(4))"
      if !inner.contains(where: { $0.id == id }) { inner.append(SecretHome.Cell(id: id)) }
    }
  }
}

extension SecretHome {
  mutating func change(_ random: inout SeededRandom) {
    let id = "s3cret-id\(random.below(3))"
    switch random.below(11) {
    case 0: vault.change(&random, "s3cret")
    case 1: safe.change(&random, "s3cret")
    case 2: box.cell.change(&random, "s3cret")
    case 3: table.change(&random, "plain")
    case 4: drawer = random.oneIn(3) ? nil : Cell(id: id, text: "s3cret")
    case 5: Self.change(&vaults, id, &random)
    case 6: Self.change(&shelves, id, &random)
    case 7: lockers[id] = random.oneIn(3) ? nil : Cell(id: id, text: "s3cret")
    case 8: keys[Hidden(code: id)] = random.oneIn(3) ? nil : Cell(id: "plain", text: "plain")
    case 9: rows.removeAll { $0.key == id }
    default: if !rows.contains(where: { $0.key == id }) { rows.append(Row(key: id)) }
    }
  }

  private static func change(_ cells: inout [Cell], _ id: String, _ random: inout SeededRandom) {
    if random.oneIn(3) {
      cells.removeAll { $0.id == id }
    } else if !cells.contains(where: { $0.id == id }) {
      cells.append(Cell(id: id))
    }
  }
}

/// Actions have seeds and no secrets, because actions are shown.
enum SecretAction: Sendable, CancellableAction {
  case change(seed: UInt64)
  /// Changes the state, waits, and changes it again.
  case wait(seed: UInt64)
  case fail

  var cancelIdentifier: Int? { if case .wait = self { 1 } else { nil } }
  var overlap: Overlap { .latest }
}

struct SecretError: Error, Equatable { @Redacted var code = "s3cret" }

struct SecretKeeper: Interactor {
  let gate: LawGate

  func onAction(
    _ action: SecretAction, store: MutatingStore<SecretHome, SecretAction>
  ) async throws {
    try await perform(action, gate) { store.state.change(&$0) }
  }

  func subscription(
    for hook: SecretHook, store: MutatingStore<SecretHome, SecretAction>
  ) -> Subscription {
    switch hook {
    case .text: store.publisher.safe.text.sink { _ in }
    case .mapped: store.publisher.vault.map { $0.text + "!" }.sink { _ in }
    case .inner: store.publisher.shelves.sink { _ in }
    case .remembered:
      store.publisher.table.maybe.scan("") { $1?.code ?? $0 }.sink { _ in }
    }
  }

  func children(of store: MutatingStore<SecretHome, SecretAction>) -> Children<SecretHome> {
    Child(\.vault) { CellKeeper(gate: gate, word: "s3cret") }
    Each(\.vaults) { _ in CellKeeper(gate: gate, word: "s3cret") }
    Child(\.safe) { CellKeeper(gate: gate, word: "s3cret") }
    Child(\.box.cell) { CellKeeper(gate: gate, word: "s3cret") }
    Child(\.drawer) { CellKeeper(gate: gate, word: "s3cret") }
    Each(\.shelves) { _ in CellKeeper(gate: gate, word: "s3cret") }
    Each(\.lockers) { _ in CellKeeper(gate: gate, word: "s3cret") }
    Child(\.table) { CellKeeper(gate: gate, word: "plain") }
    Each(\.rows) { _ in SecretRowKeeper(gate: gate) }
    Each(\.keys) { _ in CellKeeper(gate: gate, word: "plain") }
  }
}

enum SecretHook: CaseIterable { case text, mapped, inner, remembered }

/// The child of a cell, whose cells are children, too.
struct CellKeeper: Interactor {
  let gate: LawGate
  let word: String

  func onAction(
    _ action: SecretAction, store: MutatingStore<SecretHome.Cell, SecretAction>
  ) async throws {
    try await perform(action, gate) { store.state.change(&$0, word) }
  }

  func subscription(
    for hook: SecretHook, store: MutatingStore<SecretHome.Cell, SecretAction>
  ) -> Subscription {
    switch hook {
    case .text: store.publisher.text.sink { _ in }
    case .mapped: store.publisher.text.map { ["\($0)!"] }.sink { _ in }
    case .inner: store.publisher.inner.sink { _ in }
    // Remembers a redacted value when there is none any more.
    case .remembered: store.publisher.maybe.scan("") { $1?.code ?? $0 }.sink { _ in }
    }
  }

  func children(
    of store: MutatingStore<SecretHome.Cell, SecretAction>
  ) -> Children<SecretHome.Cell> {
    Each(\.inner) { _ in CellKeeper(gate: gate, word: word) }
  }
}

struct SecretRowKeeper: Interactor {
  let gate: LawGate

  func onAction(
    _ action: SecretAction, store: MutatingStore<SecretHome.Row, SecretAction>
  ) async throws {
    try await perform(action, gate) { store.text = "plain-\($0.below(100))" }
  }

  func subscription(
    for hook: SecretHook, store: MutatingStore<SecretHome.Row, SecretAction>
  ) -> Subscription {
    switch hook {
    case .text: store.publisher.text.sink { _ in }
    case .mapped: store.publisher.key.includingCurrent().map { $0 + "!" }.sink { _ in }
    case .inner, .remembered: .empty
    }
  }
}

@MainActor private func perform(
  _ action: SecretAction, _ gate: LawGate, _ change: (inout SeededRandom) -> Void
) async throws {
  switch action {
  case .change(let seed):
    var random = SeededRandom(seed: seed)
    change(&random)
  case .wait(let seed):
    var random = SeededRandom(seed: seed)
    change(&random)
    await gate.wait()
    change(&random)
  case .fail: throw SecretError()
  }
}
