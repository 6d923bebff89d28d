import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs whose children change the rows while they are made, begin, are notified, and end.
@MainActor struct RowHookLaws {
  @Test(
    "C4 C6 C18 Whatever hooks and ends of children do to the rows, each child keeps its own state")
  func programs() {
    var reactions = 0
    for seed in LawPrograms.seeds(100) {
      let program = RowHookProgram(seed: seed)
      program.run()
      #expect(program.problems.isEmpty, "seed \(seed): \(program.steps.suffix(12))")
      if !program.problems.isEmpty { return }
      reactions += program.reactions
    }
    #expect(reactions > 20 * LawPrograms.seeds(100).count, "\(reactions)")
  }
}

private struct AtticNote: Equatable {
  let serial: Int
  var text = ""
}

private struct AtticRow: Equatable, Identifiable {
  var id: Int
  /// What the row is, whatever its id is.
  let serial: Int
  var text = ""
  var note: AtticNote?
}

private struct Attic: Equatable {
  enum Top: Equatable {
    case empty
    case row(AtticRow)
    case other(AtticRow)
  }

  var rows: [AtticRow] = []
  var named: [String: AtticRow] = [:]
  var top = Top.empty
}

private struct AtticFeature: Interactor {
  let program: RowHookProgram

  func children(of store: MutatingStore<Attic, Never>) -> Children<Attic> {
    let part = { (place: String) in RowFeature(place, program) }
    Each(\.rows) { part("row \($0)") }
    Each(\.named) { part("named \($0)") }
    Child(case: \.top, Attic.Top.row) { part("top") }
    Child(case: \.top, Attic.Top.other) { part("other") }
  }

  func onAction(_ action: Never, store: MutatingStore<Attic, Never>) {}
}

/// The feature of a row, whose maker, hook and end may do anything to the shelf.
private final class RowFeature: Interactor {
  private let place: String
  private unowned let program: RowHookProgram

  init(_ place: String, _ program: RowHookProgram) {
    (self.place, self.program) = (place, program)
    program.react("\(place) is made", nil)
  }

  deinit { MainActor.assumeIsolated { program.react("\(place) is released", nil) } }

  func children(of store: MutatingStore<AtticRow, Never>) -> Children<AtticRow> {
    Child(\.note) { NoteFeature(place: self.place, program: self.program) }
  }

  func onAction(_ action: Never, store: MutatingStore<AtticRow, Never>) {}

  func subscription(for hook: OnlyHook, store: MutatingStore<AtticRow, Never>) -> Subscription {
    program.react("\(place) begins", store)
    return store.publisher.text.sink { [program, place] _ in program.react("\(place) hears", store)
    }
    .and(program.live.track(place))
  }
}

private struct NoteFeature: Interactor {
  let place: String
  unowned let program: RowHookProgram

  func onAction(_ action: Never, store: MutatingStore<AtticNote, Never>) {}

  func subscription(for hook: OnlyHook, store: MutatingStore<AtticNote, Never>) -> Subscription {
    program.react("note of \(place) begins", nil)
    return store.publisher.text.sink { [program, place] _ in
      program.react("note of \(place) hears", nil)
    }
    .and(program.live.track("note of \(place)"))
  }
}

extension Subscription {
  fileprivate func and(_ other: Subscription) -> Subscription {
    Subscription {
      self.cancel()
      other.cancel()
    }
  }
}

@MainActor private final class RowHookProgram {
  let live = LiveChildren()
  private(set) var steps: [String] = []
  private(set) var problems: [String] = []
  private(set) var reactions = 0
  private var random: SeededRandom
  private var store: Store<Attic, Never>?
  private var handles: [(serial: Int, store: Store<AtticRow, Never>)] = []
  private var notes: [(serial: Int, store: Store<AtticNote, Never>)] = []
  private var budget = 0
  private var last = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func run() {
    store = Store(state: Attic(), interactor: AtticFeature(program: self))
    for _ in 0..<40 {
      budget = 4
      write("step", nil)
      keepHandles()
      check()
    }
    budget = 4
    // Not released while the property changes, which the ends of children read.
    do {
      let held = store
      store = nil
      withExtendedLifetime(held) {}
    }
    check()
  }

  /// Does something to the shelf, or to the row itself.
  func react(_ who: String, _ row: MutatingStore<AtticRow, Never>?) {
    guard budget > 0, store != nil, random.oneIn(2) else { return }
    budget -= 1
    reactions += 1
    write(who, row)
  }

  private func number() -> Int {
    last += 1
    return last
  }

  private func row() -> AtticRow {
    let id = number()
    return AtticRow(id: id, serial: id, note: random.oneIn(2) ? AtticNote(serial: number()) : nil)
  }

  private func write(_ who: String, _ row: MutatingStore<AtticRow, Never>?) {
    guard let parent = store?.instruments.arranging else { return }
    let choice = random.below(row == nil ? 13 : 16)
    steps.append("\(who): \(choice)")
    let index = parent.rows.isEmpty ? nil : random.below(parent.rows.count)
    switch choice {
    case 0, 1: parent.rows.insert(self.row(), at: random.below(parent.rows.count + 1))
    case 2: if let index { parent.rows.remove(at: index) }
    case 3: if let index { parent.rows[index].text = "\(number())" }
    case 4: if let index { parent.rows[index].id = number() }
    case 5:
      if let index {
        parent.rows[index].note = random.oneIn(2) ? nil : AtticNote(serial: number())
      }
    case 6: parent.rows.reverse()
    case 7: parent.named["\(number())"] = self.row()
    case 8: if let key = parent.named.keys.min() { parent.named[key] = nil }
    case 9:
      parent.top =
        random.oneIn(3) ? .empty : random.oneIn(2) ? .row(self.row()) : .other(self.row())
    case 10: if random.oneIn(3) { parent.rows = [] }
    case 11:
      parent.batch {
        write(who, row)
        write(who, row)
      }
    case 12:
      if let handle = handles.randomElement(using: &random) {
        handle.store.binder.text.wrappedValue = "\(number())"
      }
    case 13: row?.id = number()
    case 14: row?.note = random.oneIn(2) ? nil : AtticNote(serial: number())
    default: row?.text = "\(number())"
    }
  }

  private func keepHandles() {
    guard let store else { return }
    func keep(_ child: Store<AtticRow, Never>?) {
      guard let child else { return }
      handles.append((child.serial, child))
      if let note = child.child(\.note, NoteFeature.self) { notes.append((note.serial, note)) }
    }
    if let id = store.rows.randomElement(using: &random)?.id {
      keep(store.child(\.rows, id: id, RowFeature.self))
    }
    if let key = store.named.keys.max() { keep(store.child(\.named, id: key, RowFeature.self)) }
    keep(store.child(case: \.top, Attic.Top.row, RowFeature.self))
  }

  private func check() {
    for handle in handles where handle.store.serial != handle.serial {
      problems.append("the handle of row \(handle.serial) reads \(handle.store.state)")
    }
    for note in notes where note.store.serial < note.serial {
      problems.append("the handle of note \(note.serial) reads \(note.store.state)")
    }
    if live.names != expected { problems.append("live \(live.names), not \(expected)") }
  }

  private var expected: Set<String> {
    guard let shelf = store?.state else { return [] }
    var names: Set<String> = []
    func add(_ place: String, _ row: AtticRow) {
      names.insert(place)
      if row.note != nil { names.insert("note of \(place)") }
    }
    for row in shelf.rows { add("row \(row.id)", row) }
    for (key, row) in shelf.named { add("named \(key)", row) }
    switch shelf.top {
    case .empty: break
    case .row(let row): add("top", row)
    case .other(let row): add("other", row)
    }
    return names
  }
}
