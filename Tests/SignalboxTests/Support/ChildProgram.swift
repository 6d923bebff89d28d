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

  /// A write, as the oracle carries it out.
  private typealias Change = (inout StationState) -> Void

  /// An observer, with its view of the whole state; `nil` if its child is not there.
  private final class Observer {
    let name: String
    let view: (StationState) -> String?
    var isOver = false
    /// What it received last, or what was there when it subscribed.
    var last: String?
    var subscription: Subscription?
    /// A write that follows from the first value that it receives.
    var reaction: (@MainActor () -> Void)?
    /// The writes that follow in the oracle.
    var expectedReaction: (@MainActor () -> Void)?

    init(_ name: String, _ view: @escaping (StationState) -> String?) {
      self.name = name
      self.view = view
    }
  }

  private(set) var told: [String] = []
  private(set) var expected: [String] = []
  private(set) var problems: [String] = []
  /// What the program did before something was told.
  func steps(before index: Int) -> [String] {
    log.filter { $0.told <= index }.suffix(8).map(\.step)
  }
  private var log: [(told: Int, step: String)] = []

  private let store: Store<StationState, Never>
  private let live = LiveChildren()
  private var random: SeededRandom
  private var state: StationState
  private var observers: [Observer] = []
  private var queue: [(before: StationState, after: StationState, limit: Int)] = []
  private var isDelivering = false
  private var batch: StationState?
  /// Whether what is told now may follow from a batch.
  private var isBatchTold = false
  private var nextID = 10

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    state = StationState(
      rows: [StationRowState(id: 1), StationRowState(id: 2)], sensors: ["a": StationRowState()])
    store = Store(state: state, interactor: Tree(live: live))
  }

  private var parent: MutatingStore<StationState, Never> { store.instruments.arranging }

  func run() {
    for _ in 0..<6 { observe() }
    for _ in 0..<40 {
      switch random.below(8) {
      case 0: observe()
      case 1:
        let writes = random.list(1 + random.below(4)) { _ in 0 }
        begin()
        isBatchTold = true
        parent.batch { for _ in writes { write() } }
        isBatchTold = false
        end()
      default: write()
      }
      check("after a step")
    }
    for observer in observers { observer.subscription = nil }
  }

  private func check(_ moment: String) {
    if store.state != state { problems.append("\(moment): another state") }
    guard batch == nil else { return }
    let names = expectedChildren
    if live.names != names { problems.append("\(moment): live \(live.names), not \(names)") }
  }

  private var expectedChildren: Set<String> {
    var names: Set<String> = state.editor == nil ? [] : ["editor"]
    func add(_ name: String, _ row: StationRowState) {
      names.insert(name)
      if row.note != nil { names.insert("\(name) note") }
    }
    for row in state.rows { add("row \(row.id)", row) }
    for (name, row) in state.sensors { add("sensor \(name)", row) }
    switch state.panel {
    case .closed: break
    case .note: names.insert("panel note")
    case .draft: names.insert("panel draft")
    case .row(let row): add("panel row", row)
    }
    return names
  }

  // MARK: - The oracle

  private func begin() { batch = state }

  private func end() {
    guard let before = batch else { return }
    batch = nil
    commit(from: before)
    deliver()
  }

  private func expect(_ change: Change) {
    let before = state
    change(&state)
    if batch == nil { commit(from: before) }
  }

  private func commit(from before: StationState) {
    // A child that is gone is told nothing any more, not even what has happened before.
    for observer in observers where observer.view(state) == nil { observer.isOver = true }
    queue.append((before, state, observers.count))
  }

  /// Delivers what the store has delivered.
  private func deliver() {
    guard !isDelivering, batch == nil else { return }
    isDelivering = true
    while !queue.isEmpty {
      let commit = queue.removeFirst()
      for observer in observers.prefix(commit.limit) where !observer.isOver {
        guard let value = observer.view(commit.after), let old = observer.view(commit.before),
          value != old
        else { continue }
        expected.append("\(observer.name): \(value)")
        observer.expectedReaction.take()?()
      }
    }
    isDelivering = false
  }

  // MARK: - Writes

  /// Writes through a child or through the parent.
  private func write() {
    let (change, carryOut) = randomWrite()
    // The store delivers before it returns, so the oracle computes the deliveries afterwards.
    expect(change)
    if batch == nil { deliver() }
    carryOut()
  }

  private func randomWrite() -> (change: Change, carryOut: @MainActor () -> Void) {
    let text = "\(random.below(3))"
    let number = random.below(3)
    let id = state.rows.isEmpty ? 0 : random.pick(state.rows.map(\.id))
    let key = random.pick(["a", "b"])
    let (store, parent) = (store, parent)
    let choice = random.below(20)
    let place = batch == nil ? "" : " in a batch"
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
    guard batch == nil else { return }
    log.append((expected.count, "observer \(observers.count)"))
    let id = state.rows.isEmpty ? 0 : random.pick(state.rows.map(\.id))
    let number = observers.count
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
    let observer = Observer(name, view)
    observer.last = view(state)
    // An observer of one row may be over while a new row has its id, because its own child is gone.
    if random.oneIn(4) {
      let title = "from \(name)"
      observer.reaction = { [parent] in parent.title = title }
      observer.expectedReaction = { [unowned self] in expect { $0.title = title } }
    }
    observer.subscription = signal.signal.sink { [unowned self, unowned observer] value in
      let text = text(value)
      // In a batch, a write in an element counts as a change of its collection, even if a later one
      // takes it back (S10).
      if isBatchTold, text == observer.last { return }
      observer.last = text
      told.append("\(observer.name): \(text)")
      observer.reaction.take()?()
      if live.names != liveNow { problems.append("told before the children were right") }
    }
    observers.append(observer)
  }

  private var liveNow: Set<String> { expectedChildren }
}
