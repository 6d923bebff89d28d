/// What a barn must show: a truth, a list of pending changes, and nothing else.
///
/// It knows no store. A commit is a pair of values, and its observers are told what differs.
struct BarnOracle {
  struct Change {
    let number: Int
    let work: Int
    /// The child whose state it changes; `nil` for the barn.
    let place: BarnPlace?
    let apply: (inout Barn) -> Void
  }

  struct Work: Equatable {
    /// The child that does it; `nil` for the barn.
    let place: BarnPlace?
    let name: Int?
  }

  private struct Commit {
    let before: Barn
    let after: Barn
  }

  var truth = Barn()
  private(set) var pending: [Change] = []
  private(set) var works: [Int: Work] = [:]
  /// What the observers are told.
  private(set) var told: [String] = []
  /// What the hooks of children are told, in any order.
  private(set) var heard: [String] = []
  /// Whether what is told depends on an order that the rules leave open.
  private(set) var isOpen = false
  private var queue: [Commit] = []
  private var isHeld = false
  private var batchStart: (shown: Barn, truth: Barn)?

  var shown: Barn {
    var state = truth
    for change in pending { change.apply(&state) }
    return state
  }

  /// What the store of a child shows.
  func state(of place: BarnPlace) -> BarnRow? { shown[place] ?? truth[place] }

  /// The names of the children that are live.
  var live: Set<String> {
    Set(truth.places.flatMap { truth[$0]?.note == nil ? ["\($0)"] : ["\($0)", "note of \($0)"] })
  }

  mutating func beginStep() { (told, heard, isOpen) = ([], [], false) }

  mutating func commit(_ body: (inout Self) -> Void) {
    if batchStart != nil { return body(&self) }
    let (before, truthBefore) = (shown, truth)
    body(&self)
    conclude(before, truthBefore)
  }

  mutating func batch(_ body: (inout Self) -> Void) {
    let (before, truthBefore) = (shown, truth)
    batchStart = (before, truthBefore)
    body(&self)
    batchStart = nil
    isOpen = true
    conclude(before, truthBefore)
  }

  private mutating func conclude(_ before: Barn, _ truthBefore: Barn) {
    let after = shown
    for place in truth.places {
      guard let old = truthBefore[place], let new = truth[place] else { continue }
      let (old2, new2) = (before[place] ?? old, after[place] ?? new)
      if old2.text != new2.text { heard.append("\(place): \(new2.text)") }
    }
    queue.append(Commit(before: before, after: after))
    let isOutermost = !isHeld
    isHeld = true
    let gone = works.filter { work in
      work.value.place.map { truth[$0] == nil } ?? false
    }.keys.sorted()
    // Whether a child that begins in this commit hears what the end of another one's work takes back.
    let begins = truth.places.contains { truthBefore[$0] == nil }
    if gone.count > 1 || !gone.isEmpty && begins { isOpen = true }
    for work in gone { end(work, isKept: false) }
    guard isOutermost else { return }
    while !queue.isEmpty { deliver(queue.removeFirst()) }
    isHeld = false
  }

  private mutating func deliver(_ commit: Commit) {
    let (old, new) = (commit.before, commit.after)
    if old.title != new.title, truth.echo != new.title {
      self.commit { $0.truth.echo = new.title }
    }
    func tell<Part: Equatable>(_ name: String, _ part: (Barn) -> Part) {
      if part(old) != part(new) { told.append("\(name): \(part(new))") }
    }
    tell("title", \.title)
    tell("echo", \.echo)
    tell("count", \.count)
    tell("tags", \.tags)
    tell("rows", \.rows)
    tell("names") { $0.named.keys.sorted() }
    tell("guest", \.guest)
    tell("gate", \.gate)
    tell("attic", \.attic)
    tell("whole", \.self)
    if old.title != new.title || old.count != new.count {
      told.append("both: \(new.title) \(new.count)")
    }
  }

  // MARK: - Work

  mutating func start(_ number: Int, _ work: Work, _ changes: [Change]) {
    let before = works.filter { work.name != nil && $0.value == work }.keys.sorted()
    for old in before { works[old] = nil }
    works[number] = work
    for change in changes { add(change) }
    for old in before { takeBack(old) }
  }

  mutating func add(_ change: Change) { commit { $0.pending.append(change) } }

  mutating func end(_ work: Int, isKept: Bool) {
    works[work] = nil
    guard isKept else { return takeBack(work) }
    guard pending.contains(where: { $0.work == work }) else { return }
    commit { oracle in
      for change in oracle.pending where change.work == work { change.apply(&oracle.truth) }
      oracle.pending.removeAll { $0.work == work }
    }
  }

  private mutating func takeBack(_ work: Int) {
    guard pending.contains(where: { $0.work == work }) else { return }
    commit { $0.pending.removeAll { $0.work == work } }
  }

  mutating func confirm(_ number: Int, _ answer: ((inout Barn) -> Void)?) {
    guard let change = pending.first(where: { $0.number == number }) else { return }
    commit { oracle in
      (answer ?? change.apply)(&oracle.truth)
      oracle.pending.removeAll { $0.number == number }
    }
  }

  mutating func revert(_ number: Int) {
    commit { $0.pending.removeAll { $0.number == number } }
  }
}
