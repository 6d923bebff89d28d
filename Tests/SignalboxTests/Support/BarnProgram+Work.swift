import RandomPrograms

@testable import Signalbox

/// Work of a random program, with the changes that it shows, and their ends.
extension BarnProgram {
  func child(_ place: BarnPlace) -> Store<BarnRow, BarnJob>? {
    switch place {
    case .row(let id): store.child(\.rows, id: id, BarnRowFeature.self)
    case .named(let name): store.child(\.named, id: name, BarnRowFeature.self)
    case .guest: store.child(\.guest, BarnRowFeature.self)
    case .gate: store.child(case: \.gate, BarnGate.open, BarnRowFeature.self)
    case .attic: store.child(\.attic, BarnRowFeature.self)
    }
  }

  func start() {
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

  func plan(_ place: BarnPlace?) -> (String, Plan) {
    if place != nil, !random.oneIn(4) {
      let (text, edit) = self.rowEdit()
      return (text, Plan(number: number(), edit: { _ in }, rowEdit: edit))
    }
    let (text, edit) = self.edit()
    return (text, Plan(number: number(), edit: edit, rowEdit: nil))
  }

  func change(_ plan: Plan, of work: Int, _ place: BarnPlace?) -> BarnOracle.Change {
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

  func wait(_ number: Int) async throws {
    try await withCheckedThrowingContinuation { doors[number] = $0 }
  }

  func end(_ work: Int, fails: Bool) async {
    steps.append("\(fails ? "failure" : "end") of \(work)")
    oracle.end(work, isKept: !fails)
    if fails {
      doors.removeValue(forKey: work)?.resume(throwing: Refusal())
    } else {
      doors.removeValue(forKey: work)?.resume()
    }
    await tasks.removeValue(forKey: work)?.value
  }

  func cancel() {
    guard let work = oracle.works.keys.sorted().randomElement(using: &random) else { return }
    steps.append("cancel of \(work)")
    oracle.end(work, isKept: false)
    tasks[work]?.cancel()
    // The rest of its body runs some time later.
    doors.removeValue(forKey: work)?.resume()
  }

  /// Makes one more change in work that is under way.
  func add() {
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

  func confirm() {
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

  func revert() {
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
  func writeStale() {
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
