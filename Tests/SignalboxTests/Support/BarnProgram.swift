import RandomPrograms

@testable import Signalbox

/// A random program that a store and an oracle carry out side by side.
@MainActor final class BarnProgram: BarnBody {
  private typealias Edit = (inout Barn) -> Void
  private typealias RowEdit = (inout BarnRow) -> Void

  private(set) var problem: String?
  private(set) var steps: [String] = []
  private var oracle = BarnOracle()
  private var random: SeededRandom
  private let live = LiveChildren()
  private var made: Store<Barn, BarnJob>?
  private var told: [String] = []
  private var heard: [String] = []
  private var handled: [(Int, Barn)] = []
  private var last = 0

  /// The work that is under way, and that is over and has not returned.
  private var tasks: [Int: ActionTask] = [:]
  private var doors: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var plans: [Int: [Plan]] = [:]
  private var barns: [Int: MutatingStore<Barn, BarnJob>] = [:]
  private var children: [Int: MutatingStore<BarnRow, BarnJob>] = [:]
  private var changes: [Int: Handle] = [:]

  private struct Plan {
    let number: Int
    let edit: Edit
    /// What it does to the state of the child that does the work; `nil` for a change of the barn.
    let rowEdit: RowEdit?
  }

  private enum Handle {
    case barn(PendingChange<Barn>)
    case row(PendingChange<BarnRow>)
  }

  private var store: Store<Barn, BarnJob> {
    guard let made else { fatalError("The program has not begun.") }
    return made
  }

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func run(steps count: Int) async {
    made = Store(state: Barn(), interactor: BarnFeature(live: live, body: self))
    var subscriptions = observe()
    for _ in 0..<count where problem == nil {
      oracle.beginStep()
      (told, heard, handled) = ([], [], [])
      await step()
      check()
    }
    subscriptions = []
    withExtendedLifetime(subscriptions) {}
    made = nil
    for door in doors.values { door.resume() }
    doors = [:]
    for task in tasks.values { await task.value }
  }

  private func observe() -> [Subscription] {
    func tell<Part>(_ name: String, _ signal: some SignalConvertible<Part>) -> Subscription {
      signal.signal.sink { [weak self] in self?.told.append("\(name): \($0)") }
    }
    let state = store.publisher
    return [
      tell("title", state.title), tell("echo", state.echo), tell("count", state.count),
      tell("tags", state.tags), tell("rows", state.rows),
      tell("names", state.named.map { $0.keys.sorted() }.removeDuplicates()),
      state.guest.sink { [weak self] in self?.told.append("guest: \(String(describing: $0))") },
      tell("gate", state.gate), tell("attic", state.attic),
      tell("whole", state),
      combineLatest(state.title, state.count).sink { [weak self] in
        self?.told.append("both: \($0) \($1)")
      },
    ]
  }

  // MARK: - Checks

  private func check() {
    expect("state", store.state, oracle.shown)
    expect("truth", store.instruments.truth, oracle.truth)
    expect("live", live.names, oracle.live)
    for place in oracle.truth.places {
      expect("child \(place)", child(place)?.state, oracle.state(of: place))
    }
    lookAtShown()
    if !oracle.isOpen {
      expect("told", told, oracle.told)
      expect("heard", heard.sorted(), oracle.heard.sorted())
    }
    if handled.count == 1, !oracle.isOpen { expect("handled", handled[0].1, oracle.shown) }
  }

  /// Looks at rows that only a pending change shows, and writes in their stores, which changes nothing.
  private func lookAtShown() {
    for place in oracle.shown.places where oracle.truth[place] == nil && random.oneIn(2) {
      // While another row is in the place of an only one, the child is that of the other.
      guard !place.isTaken(in: oracle.truth), let child = child(place) else { continue }
      expect("shown \(place)", child.state, oracle.shown[place] ?? child.state)
      expect(
        "note of shown \(place)", child.child(\.note, BarnNoteFeature.self)?.state,
        oracle.shown[place]?.note)
      child.binder.text.wrappedValue = "dropped"
      child.send(BarnJob(number: 0, name: nil))
    }
    expect("state", store.state, oracle.shown)
  }

  private func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) {
    guard problem == nil, value != expected else { return }
    problem = "\(what):\n  \(value)\ninstead of\n  \(expected)\n  \(steps.suffix(16))"
  }

  func hears(_ place: BarnPlace, _ text: String) { heard.append("\(place): \(text)") }

  func handles(_ number: Int) { if let made { handled.append((number, made.state)) } }

  // MARK: - Steps

  private func step() async {
    switch random.below(10) {
    case 0:
      if let work = oracle.works.keys.sorted().randomElement(using: &random) {
        await end(work, fails: random.oneIn(2))
      }
    case 1:
      steps.append("batch")
      // The library's batch runs in the same order as the oracle's.
      let start = steps.count
      var copy = oracle
      copy.batch { oracle in
        swap(&oracle, &self.oracle)
        store.instruments.arranging.batch {
          for _ in 0..<2 + random.below(3) { act() }
        }
        swap(&oracle, &self.oracle)
      }
      oracle = copy
      steps[start - 1] += " of \(steps.count - start)"
    default: act()
    }
  }

  private func act() {
    switch random.below(12) {
    case 0, 1, 2: write()
    case 3: writeInChild()
    case 4: update()
    case 5, 6: start()
    case 7: add()
    case 8: confirm()
    case 9: revert()
    case 10: cancel()
    default: writeStale()
    }
  }

  private func number() -> Int {
    last += 1
    return last
  }

  private func row() -> BarnRow {
    BarnRow(
      id: 1 + random.below(6), text: "r\(number())",
      note: random.oneIn(2) ? BarnNote(text: "n\(number())") : nil)
  }

  /// Something that a closure does to the barn.
  private func edit() -> (String, Edit) {
    let (number, row, id) = (self.number(), self.row(), 1 + random.below(6))
    let name = ["a", "b"][random.below(2)]
    switch random.below(17) {
    case 0: return ("title \(number)", { $0.title = "t\(number)" })
    case 1: return ("title +\(number)", { $0.title += "\(number)" })
    case 2: return ("count +\(id)", { $0.count += id })
    case 3: return ("count = rows", { $0.count = $0.rows.count })
    case 4: return ("tag \(number)", { $0.tags.append("\(number)") })
    case 5, 6:
      return (
        "row \(row.id) first", { if $0[.row(row.id)] == nil { $0.rows.insert(row, at: 0) } }
      )
    case 7: return ("no row \(id)", { $0[.row(id)] = nil })
    case 8: return ("reversed", { $0.rows.reverse() })
    case 9: return ("star \(id)", { $0[.row(id)]?.isStarred.toggle() })
    case 10: return ("text \(id) \(number)", { $0[.row(id)]?.text += "\(number)" })
    case 11: return ("named \(name)", { $0.named[name] = row })
    case 12: return ("no \(name)", { $0.named[name] = nil })
    case 13: return ("gate \(row.id)", { $0.gate = number % 3 == 0 ? .shut : .open(row) })
    case 14: return ("attic \(number)", { $0.attic.text += "\(number)" })
    default:
      return ("guest \(row.id)", { $0.guest = number % 3 == 0 ? nil : row })
    }
  }

  private func rowEdit() -> (String, RowEdit) {
    let number = self.number()
    switch random.below(4) {
    case 0: return ("star", { $0.isStarred.toggle() })
    case 1: return ("note", { $0.note = $0.note == nil ? BarnNote(text: "\(number)") : nil })
    default: return ("text +\(number)", { $0.text += "\(number)" })
    }
  }

  private func write() {
    let parent = store.instruments.arranging
    let (text, edit) = self.edit()
    steps.append(text)
    var before = oracle.truth
    edit(&before)
    oracle.commit { edit(&$0.truth) }
    guard before != store.instruments.truth else { return }
    // What is written is the truth, whatever is shown.
    if before.title != store.instruments.truth.title {
      switch random.below(3) {
      case 0: parent.title = before.title
      case 1: parent.set(\.title, before.title)
      default: store.binder.title.wrappedValue = before.title
      }
    } else if before.tags != store.instruments.truth.tags {
      parent.tags.append(before.tags.last ?? "")
    } else if before.count != store.instruments.truth.count {
      parent.count = before.count
    } else if before.named != store.instruments.truth.named {
      parent.named = before.named
    } else if before.guest != store.instruments.truth.guest {
      parent.guest = before.guest
    } else if before.gate != store.instruments.truth.gate {
      parent.gate = before.gate
    } else if before.attic != store.instruments.truth.attic {
      parent.attic = before.attic
    } else if random.oneIn(2) {
      parent.rows = before.rows
    } else {
      func change(_ rows: inout [BarnRow]) { rows = before.rows }
      change(&parent.rows)
    }
  }

  private func writeInChild() {
    guard let place = oracle.truth.places.randomElement(using: &random),
      let child = child(place)
    else { return }
    let (text, edit) = self.rowEdit()
    steps.append("\(place) \(text)")
    guard let old = oracle.truth[place] else { return }
    var row = old
    edit(&row)
    oracle.commit { $0.truth[place] = row }
    let store = child.instruments.arranging
    switch random.below(3) {
    case 0: store.update(edit)
    case 1: store.set(\.self, row)
    default:
      if old.isStarred != row.isStarred { store.isStarred = row.isStarred }
      if old.note != row.note { store.note = row.note }
      if old.text != row.text { store.text += row.text.dropFirst(old.text.count) }
    }
  }

  private func update() {
    let edits = (0..<2).map { _ in edit() }
    steps.append("update \(edits.map(\.0))")
    oracle.commit { oracle in for edit in edits { edit.1(&oracle.truth) } }
    store.instruments.arranging.update { state in for edit in edits { edit.1(&state) } }
  }

  // MARK: - Work

  private func child(_ place: BarnPlace) -> Store<BarnRow, BarnJob>? {
    switch place {
    case .row(let id): store.child(\.rows, id: id, BarnRowFeature.self)
    case .named(let name): store.child(\.named, id: name, BarnRowFeature.self)
    case .guest: store.child(\.guest, BarnRowFeature.self)
    case .gate: store.child(case: \.gate, BarnGate.open, BarnRowFeature.self)
    case .attic: store.child(\.attic, BarnRowFeature.self)
    }
  }

  private func start() {
    let number = self.number()
    let place = random.oneIn(2) ? oracle.truth.places.randomElement(using: &random) : nil
    let name = random.oneIn(3) ? random.below(2) : nil
    let plans = (0..<random.below(3)).map { _ in plan(place) }
    self.plans[number] = plans.map(\.1)
    steps.append("work \(number) of \(String(describing: place)): \(plans.map(\.0))")
    oracle.start(
      number, BarnOracle.Work(place: place, name: name),
      plans.map { change($0.1, of: number, place) })
    let job = BarnJob(number: number, name: name)
    tasks[number] = place.map { child($0)?.send(job) } ?? store.send(job)
  }

  private func plan(_ place: BarnPlace?) -> (String, Plan) {
    if place != nil, !random.oneIn(4) {
      let (text, edit) = self.rowEdit()
      return (text, Plan(number: number(), edit: { _ in }, rowEdit: edit))
    }
    let (text, edit) = self.edit()
    return (text, Plan(number: number(), edit: edit, rowEdit: nil))
  }

  private func change(_ plan: Plan, of work: Int, _ place: BarnPlace?) -> BarnOracle.Change {
    guard let rowEdit = plan.rowEdit, let place else {
      return BarnOracle.Change(number: plan.number, work: work, place: nil, apply: plan.edit)
    }
    return BarnOracle.Change(number: plan.number, work: work, place: place) { barn in
      guard var row = barn[place] else { return }
      rowEdit(&row)
      barn[place] = row
    }
  }

  func work(_ number: Int, in store: MutatingStore<Barn, BarnJob>) async throws {
    barns[number] = store
    for plan in plans[number] ?? [] { changes[plan.number] = .barn(store.optimistic(plan.edit)) }
    try await wait(number)
    // Has an effect only if the work is not over.
    if !store.isCurrent { store.optimistic { $0.title = "stale" } }
  }

  func work(
    _ number: Int, in store: MutatingStore<BarnRow, BarnJob>,
    of parent: MutatingStore<Barn, BarnJob>
  ) async throws {
    children[number] = store
    for plan in plans[number] ?? [] {
      changes[plan.number] =
        plan.rowEdit.map { .row(store.optimistic($0)) }
        ?? .barn(parent.optimistic(plan.edit))
    }
    try await wait(number)
    if !store.isCurrent { store.optimistic { $0.text = "stale" } }
  }

  private func wait(_ number: Int) async throws {
    try await withCheckedThrowingContinuation { doors[number] = $0 }
  }

  private func end(_ work: Int, fails: Bool) async {
    steps.append("\(fails ? "failure" : "end") of \(work)")
    oracle.end(work, isKept: !fails)
    if fails {
      doors.removeValue(forKey: work)?.resume(throwing: Refusal())
    } else {
      doors.removeValue(forKey: work)?.resume()
    }
    await tasks.removeValue(forKey: work)?.value
  }

  private func cancel() {
    guard let work = oracle.works.keys.sorted().randomElement(using: &random) else { return }
    steps.append("cancel of \(work)")
    oracle.end(work, isKept: false)
    tasks[work]?.cancel()
    // The rest of its body runs some time later.
    doors.removeValue(forKey: work)?.resume()
  }

  /// Makes one more change in work that is under way.
  private func add() {
    guard let number = oracle.works.keys.sorted().randomElement(using: &random),
      let work = oracle.works[number]
    else { return }
    if work.place != nil {
      let (text, edit) = self.rowEdit()
      let plan = Plan(number: self.number(), edit: { _ in }, rowEdit: edit)
      steps.append("\(plan.number) in \(number): \(text)")
      oracle.add(change(plan, of: number, work.place))
      if let store = children[number] {
        changes[plan.number] = .row(store.optimistic(edit))
      }
    } else {
      let (text, edit) = self.edit()
      let plan = Plan(number: self.number(), edit: edit, rowEdit: nil)
      steps.append("\(plan.number) in \(number): \(text)")
      oracle.add(change(plan, of: number, nil))
      if let store = barns[number] { changes[plan.number] = .barn(store.optimistic(edit)) }
    }
  }

  private func confirm() {
    guard let change = oracle.pending.randomElement(using: &random),
      let handle = changes[change.number]
    else { return }
    let isPlain = random.oneIn(2)
    steps.append("confirm \(change.number)" + (isPlain ? "" : " otherwise"))
    switch handle {
    case .barn(let pending):
      let (_, edit) = self.edit()
      oracle.confirm(change.number, isPlain ? nil : edit)
      pending.confirm(isPlain ? nil : edit)
    case .row(let pending):
      let (_, edit) = self.rowEdit()
      oracle.confirm(
        change.number,
        isPlain
          ? nil
          : { barn in
            guard let place = change.place, var row = barn[place] else { return }
            edit(&row)
            barn[place] = row
          })
      pending.confirm(isPlain ? nil : edit)
    }
  }

  private func revert() {
    // Also changes that are over, with which nothing happens.
    guard let number = changes.keys.sorted().randomElement(using: &random) else { return }
    steps.append("revert \(number)")
    oracle.revert(number)
    switch changes[number] {
    case .barn(let pending): pending.revert()
    case .row(let pending): pending.revert()
    case nil: break
    }
    if changes.count > 40 { changes = changes.filter { $0.key > last - 200 } }
  }

  /// Does something in work that is over.
  private func writeStale() {
    guard let number = barns.keys.sorted().randomElement(using: &random),
      oracle.works[number] == nil, let store = barns[number]
    else { return }
    steps.append("stale \(number)")
    if store.isCurrent {
      store.optimistic { $0.title = "late" }
    } else {
      store.title = "stale"
      store.optimistic { $0.title = "stale" }
    }
    barns[number] = nil
  }
}
