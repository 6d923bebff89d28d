import RandomPrograms

@testable import Signalbox

/// One program, which runs on a store and on its oracle.
@MainActor final class ChildProgram {
  private struct Tree: Interactor {
    let live: LiveChildren

    func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
      Child(\.settings) { Leaf<SettingsPart>(live, nil) }
      Child(\.editor) { Leaf<EditorPart>(live, "editor") }
      Each(\.rows) { id in RowPart(live: live, name: "row \(id)") }
      Each(\.sensors) { id in RowPart(live: live, name: "sensor \(id)") }
      Child(case: \.panel, StationPanel.note) { Leaf<EditorPart>(live, "panel note") }
      Child(case: \.panel, StationPanel.draft) { Leaf<EditorPart>(live, "panel draft") }
      Child(case: \.panel, StationPanel.row) { RowPart(live: live, name: "panel row") }
    }

    func onAction(_ action: Never, store: MutatingStore<StationState, Never>) {}
  }

  private enum SettingsPart: LeafKind { typealias State = StationSettingsState }
  private enum EditorPart: LeafKind { typealias State = StationEditorState }
  private enum DepthPart: LeafKind { typealias State = StationDepthState }

  private struct RowPart: Interactor {
    let live: LiveChildren
    let name: String

    func children(of store: MutatingStore<StationRowState, Never>) -> Children<StationRowState> {
      Child(\.inner) { Leaf<DepthPart>(live, nil) }
      Child(\.note) { Leaf<EditorPart>(live, "\(name) note") }
    }

    func onAction(_ action: Never, store: MutatingStore<StationRowState, Never>) {}

    func subscription(
      for hook: OnlyHook, store: MutatingStore<StationRowState, Never>
    ) -> Subscription {
      live.track(name)
    }
  }

  private typealias Change = ChildOracle.Change

  private(set) var told: [String] = []
  var expected: [String] { oracle.expected }
  private(set) var problems: [String] = []
  /// What the program did before something was told.
  func steps(before index: Int) -> [String] {
    log.filter { $0.told <= index }.suffix(8).map(\.step)
  }
  private var log: [(told: Int, step: String)] = []

  private let store: Store<StationState, Never>
  private let live = LiveChildren()
  private var random: SeededRandom
  private let oracle: ChildOracle
  /// Whether what is told now may follow from a batch.
  private var isBatchTold = false
  private var nextID = 10

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    let state = StationState(
      rows: [StationRowState(id: 1), StationRowState(id: 2)], sensors: ["a": StationRowState()])
    oracle = ChildOracle(state)
    store = Store(state: state, interactor: Tree(live: live))
  }

  private var state: StationState { oracle.state }
  private var parent: MutatingStore<StationState, Never> { store.instruments.arranging }

  func run() {
    for _ in 0..<6 { observe() }
    for _ in 0..<40 {
      switch random.below(8) {
      case 0: observe()
      case 1:
        let writes = random.list(1 + random.below(4)) { _ in 0 }
        oracle.begin()
        isBatchTold = true
        parent.batch { for _ in writes { write() } }
        isBatchTold = false
        oracle.end()
      default: write()
      }
      check("after a step")
    }
    for observer in oracle.observers { observer.subscription = nil }
  }

  private func check(_ moment: String) {
    if store.state != state { problems.append("\(moment): another state") }
    guard !oracle.isInBatch else { return }
    let names = oracle.children
    if live.names != names { problems.append("\(moment): live \(live.names), not \(names)") }
  }

  // MARK: - Writes

  /// Writes through a child or through the parent.
  private func write() {
    let (change, carryOut) = randomWrite()
    // The store delivers before it returns, so the oracle computes the deliveries afterwards.
    oracle.expect(change)
    if !oracle.isInBatch { oracle.deliver() }
    carryOut()
  }

  private func randomWrite() -> (change: Change, carryOut: @MainActor () -> Void) {
    let text = "\(random.below(3))"
    let number = random.below(3)
    let id = state.rows.isEmpty ? 0 : random.pick(state.rows.map(\.id))
    let key = random.pick(["a", "b"])
    let (store, parent) = (store, parent)
    let choice = random.below(20)
    let place = oracle.isInBatch ? " in a batch" : ""
    log.append((expected.count, "\(choice) \(text) \(number) \(id) \(key)\(place)"))
    func row() -> Store<StationRowState, Never>? { store.child(\.rows, id: id, RowPart.self) }
    func sensor() -> Store<StationRowState, Never>? {
      store.child(\.sensors, id: key, RowPart.self)
    }
    func inRow(_ body: @escaping (inout StationRowState) -> Void) -> Change {
      { state in
        if let index = state.rows.firstIndex(where: { $0.id == id }) { body(&state.rows[index]) }
      }
    }
    switch choice {
    case 0: return ({ $0.title = text }, { parent.title = text })
    case 1:
      return (
        { $0.settings.volume = number },
        { store.child(\.settings, Leaf<SettingsPart>.self).binder.volume.wrappedValue = number }
      )
    case 2: return ({ $0.settings.volume = number }, { parent.set(\.settings.volume, number) })
    case 3, 4: return (inRow { $0.text = text }, { row()?.binder.text.wrappedValue = text })
    case 5:
      return (
        inRow { $0.inner.depth = number },
        { row()?.child(\.inner, Leaf<DepthPart>.self).binder.depth.wrappedValue = number }
      )
    case 6:
      let note = random.oneIn(2) ? nil : StationEditorState(text: text)
      return (inRow { $0.note = note }, { row()?.binder.note.wrappedValue = note })
    case 7:
      return (
        inRow { $0.note?.text = text },
        { row()?.child(\.note, Leaf<EditorPart>.self)?.binder.text.wrappedValue = text }
      )
    case 8:
      let editor = random.oneIn(2) ? nil : StationEditorState(text: text)
      return ({ $0.editor = editor }, { parent.editor = editor })
    case 9:
      return (
        { $0.editor?.text = text },
        { store.child(\.editor, Leaf<EditorPart>.self)?.binder.text.wrappedValue = text }
      )
    case 10:
      let value = random.oneIn(3) ? nil : StationRowState(text: text)
      var sensors = state.sensors
      sensors[key] = value
      return ({ [sensors] in $0.sensors = sensors }, { [sensors] in parent.sensors = sensors })
    case 11:
      return (
        { $0.sensors[key]?.text = text }, { sensor()?.binder.text.wrappedValue = text }
      )
    case 12:
      return (
        inRow { $0.text = text },
        { row()?.instruments.arranging.update { $0.text = text } }
      )
    case 13:
      let panel = randomPanel(text, number)
      return ({ $0.panel = panel }, { parent.panel = panel })
    case 14:
      return (
        { state in
          guard case .draft(var draft) = state.panel else { return }
          draft.text = text
          state.panel = .draft(draft)
        },
        { [self] in draft(store)?.binder.text.wrappedValue = text }
      )
    case 15:
      return (
        { [self] in inPanelRow(&$0) { $0.text = text } },
        { [self] in panelRow(store)?.binder.text.wrappedValue = text }
      )
    case 16:
      let note = random.oneIn(2) ? nil : StationEditorState(text: text)
      return (
        { [self] in inPanelRow(&$0) { $0.note = note } },
        { [self] in panelRow(store)?.binder.note.wrappedValue = note }
      )
    default:
      let rows = randomRows()
      return ({ $0.rows = rows }, { parent.rows = rows })
    }
  }

  private func randomPanel(_ text: String, _ number: Int) -> StationPanel {
    switch random.below(5) {
    case 0: .closed
    case 1: .note(StationEditorState(text: text))
    case 2: .draft(StationEditorState(text: text))
    default:
      .row(
        StationRowState(
          id: number, text: text, note: random.oneIn(2) ? StationEditorState() : nil))
    }
  }

  /// The rows after an insertion, a removal, a replacement or a move.
  private func randomRows() -> [StationRowState] {
    var rows = state.rows
    switch random.below(5) {
    case 0, 1:
      nextID += 1
      rows.insert(StationRowState(id: nextID), at: random.below(rows.count + 1))
    case 2: if !rows.isEmpty { rows.remove(at: random.below(rows.count)) }
    case 3: rows.shuffle(using: &random)
    default: if !rows.isEmpty { rows[random.below(rows.count)].text = "set" }
    }
    return rows
  }

  // MARK: - Observers

  private func observe() {
    guard !oracle.isInBatch else { return }
    log.append((expected.count, "observer \(oracle.observers.count)"))
    let id = state.rows.isEmpty ? 0 : random.pick(state.rows.map(\.id))
    let number = oracle.observers.count
    func row(_ state: StationState) -> StationRowState? { state.rows.first { $0.id == id } }
    let child = store.child(\.rows, id: id, RowPart.self)
    switch random.below(13) {
    case 0: add("\(number) all", store.publisher) { $0 }
    case 1: add("\(number) rows", store.publisher.rows) { $0.rows }
    case 2:
      let settings = store.child(\.settings, Leaf<SettingsPart>.self)
      add("\(number) volume", settings.publisher.volume) { $0.settings.volume }
    case 3: add("\(number) settings", store.publisher.settings) { $0.settings }
    case 4, 5:
      if let child { add("\(number) text \(id)", child.publisher.text) { row($0)?.text } }
    case 6: if let child { add("\(number) row \(id)", child.publisher) { row($0) } }
    case 7:
      guard let child else { return }
      let inner = child.child(\.inner, Leaf<DepthPart>.self)
      add("\(number) depth \(id)", inner.publisher.depth) { row($0)?.inner.depth }
    case 8: add("\(number) panel", store.publisher.panel) { $0.panel }
    case 9:
      if let draft = draft(store) {
        add("\(number) draft", draft.publisher.text) { ChildProgram.draft(in: $0)?.text }
      }
    case 10, 11:
      guard let row = panelRow(store) else { return }
      let id = row.id
      add("\(number) panel row \(id)", row.publisher.text) { state in
        guard case .row(let row) = state.panel, row.id == id else { return nil }
        return row.text
      }
    default:
      guard let note = child?.child(\.note, Leaf<EditorPart>.self) else { return }
      add("\(number) note \(id)", note.publisher.text) { row($0)?.note?.text }
    }
  }

  private func draft(_ store: Store<StationState, Never>) -> Store<StationEditorState, Never>? {
    store.child(case: \.panel, StationPanel.draft, Leaf<EditorPart>.self)
  }

  private func panelRow(_ store: Store<StationState, Never>) -> Store<StationRowState, Never>? {
    store.child(case: \.panel, StationPanel.row, RowPart.self)
  }

  private static func draft(in state: StationState) -> StationEditorState? {
    if case .draft(let draft) = state.panel { draft } else { nil }
  }

  private nonisolated func inPanelRow(
    _ state: inout StationState, _ body: (inout StationRowState) -> Void
  ) {
    guard case .row(var row) = state.panel else { return }
    body(&row)
    state.panel = .row(row)
  }

  private func add<S: SignalConvertible>(
    _ name: String, _ signal: S, _ view: @escaping (StationState) -> S.Value?
  ) {
    let text: (S.Value) -> String = { "\($0)" }
    let view: (StationState) -> String? = { view($0).map(text) }
    let observer = ChildOracle.Observer(name, view)
    observer.last = view(state)
    // An observer of one row may be over while a new row has its id, because its own child is gone.
    if random.oneIn(4) {
      let title = "from \(name)"
      observer.reaction = { [parent] in parent.title = title }
      observer.expectedReaction = { [unowned oracle] in oracle.expect { $0.title = title } }
    }
    observer.subscription = signal.signal.sink { [unowned self, unowned observer] value in
      let text = text(value)
      // In a batch, a write in an element counts as a change of its collection, even if a later one
      // takes it back (S10).
      if isBatchTold, text == observer.last { return }
      observer.last = text
      told.append("\(observer.name): \(text)")
      observer.reaction.take()?()
      if live.names != oracle.children { problems.append("told before the children were right") }
    }
    oracle.add(observer)
  }
}
