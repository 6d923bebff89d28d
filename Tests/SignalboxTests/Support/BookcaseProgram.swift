import Observation
import RandomPrograms

@testable import Signalbox

/// A random program that observes elements and writes in them, and what it does as lines.
@MainActor final class BookcaseProgram {
  /// What else observes the store.
  enum Company: CaseIterable {
    case alone
    /// A sink of a stored property that never changes.
    case stored
    /// A sink of a computed property that never changes.
    case computed
    /// A receiver of all events.
    case events
  }

  typealias Row = Store<BookcaseRow, Int>

  private var random: SeededRandom
  private let company: Company
  private let store: Store<BookcaseState, Never>
  private var lines: [String] = []
  private var observers: [Int: Subscription] = [:]
  private var made = 0
  /// How many callbacks may still write.
  private var budget = 25
  private var extra: Set<Subscription> = []
  private var watcher: Subscription?
  private var hasTracked = false

  init(_ seed: UInt64, _ company: Company) {
    random = SeededRandom(seed: seed)
    store = Store(state: BookcaseState(), interactor: Bookcase())
    self.company = company
  }

  // Unlike a read of the store, one of this is not tracked, so it observes nothing.
  private var parent: MutatingStore<BookcaseState, Never> { store.instruments.arranging }

  func run() -> [String] {
    parent.update {
      $0.rows = (1...3).map {
        BookcaseRow(id: $0, books: [BookcaseBook(id: 1), BookcaseBook(id: 2)])
      }
      $0.named = ["a": BookcaseRow()]
      $0.single = BookcaseRow()
    }
    switch company {
    case .alone: break
    case .stored: store.publisher.idle.sink { _ in }.store(in: &extra)
    case .computed: store.publisher.constant.sink { _ in }.store(in: &extra)
    case .events: store.events.sink { _ in }.store(in: &extra)
    }
    // A value of something else, whose delivery a write waits for.
    let emitter = Emitter<Void>()
    emitter.sink { [unowned self] in
      write()
      note("has written")
    }
    .store(in: &extra)
    for _ in 0..<1 + random.below(4) { observe() }
    for _ in 0..<25 {
      switch random.below(8) {
      case 0: observe()
      case 1: stop()
      case 2: emitter.send(())
      default: write()
      }
      note("\(parent.state)")
    }
    observers = [:]
    watcher = nil
    return lines
  }

  private func note(_ line: String) { lines.append(line) }

  private func note(event: StoreEvent<BookcaseState, Never>.Kind) {
    if case .stateChanged(_, let new) = event { note("changed to \(new)") } else { note("event") }
  }

  // MARK: - Observers

  private func observe() {
    guard let row = row() else { return }
    made += 1
    let number = made
    switch random.oneIn(2) ? 0 : random.below(17) {
    case 0, 1, 2: sink(number, row.publisher.count)
    case 3: sink(number, row.publisher.text)
    case 4: sink(number, row.publisher)
    case 5: sink(number, row.publisher.part)
    case 6: sink(number, row.publisher.part.depth)
    case 7: sink(number, row.publisher.loose)
    case 8: sink(number, random.oneIn(2) ? row.publisher.total : row.publisher.id)
    case 9: sink(number, row.publisher.books)
    case 10: if let book = book(in: row) { sink(number, book.publisher.pages) }
    case 11: sink(number, combineLatest(row.publisher.count, row.publisher.text).map { "\($0)" })
    case 12:
      if let other = self.row() {
        sink(number, combineLatest(row.publisher.count, other.publisher.count).map { "\($0)" })
      }
    case 13: sink(number, row.publisher.count.map { $0 / 2 }.removeDuplicates())
    case 14: track(number, row)
    case 15:
      watcher = random.oneIn(3) ? nil : store.events.sink { [unowned self] in note(event: $0.kind) }
    default:
      switch random.below(6) {
      case 0: sink(number, store.publisher.title)
      case 1: sink(number, store.publisher.rows)
      case 2:
        sink(number, combineLatest(row.publisher.count, store.publisher.title).map { "\($0)" })
      default: sink(number, row.publisher.text.includingCurrent())
      }
    }
  }

  private func sink<S: SignalConvertible>(_ number: Int, _ signal: S) {
    observers[number] = signal.signal.sink { [unowned self] value in
      note("\(number): \(value) in \(parent.state)")
      react()
    }
  }

  private func track(_ number: Int, _ row: Row) {
    // The framework notifies trackers of one property in no certain order.
    if hasTracked { return }
    hasTracked = true
    withObservationTracking {
      _ = row.count
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.note("\(number): tracked")
        self.react()
      }
    }
  }

  private func stop() {
    if let number = observers.keys.sorted().randomElement(using: &random) {
      observers[number] = nil
    }
  }

  private func react() {
    guard budget > 0, random.oneIn(3) else { return }
    budget -= 1
    note("reacts")
    switch random.below(8) {
    case 0: observe()
    case 1: stop()
    default: write()
    }
    note("has reacted")
  }

  // MARK: - Writes

  private func row() -> Row? {
    switch random.below(7) {
    case 0: store.child(\.named, id: random.pick(["a", "b"]), BookcaseRows.self)
    case 1: store.child(\.single, BookcaseSingle.self)
    default: store.child(\.rows, id: 1 + random.below(2), BookcaseRows.self)
    }
  }

  private func part(of row: Row) -> Store<BookcasePart, Int>? {
    hasChildren(row) ? row.child(\.part, BookcaseParts.self) : nil
  }

  private func book(in row: Row) -> Store<BookcaseBook, Int>? {
    guard hasChildren(row) else { return nil }
    return random.oneIn(3)
      ? row.child(\.note, BookcaseBooks.self) : row.child(\.books, id: 1, BookcaseBooks.self)
  }

  private func write() {
    if random.oneIn(6) { return writeParent() }
    guard let row = row() else { return note("no row") }
    let writer = row.instruments.arranging
    if random.oneIn(8) {
      let times = 1 + random.below(3)
      return writer.batch { for _ in 0..<times { write(in: row, writer) } }
    }
    write(in: row, writer)
  }

  private func write(in row: Row, _ writer: MutatingStore<BookcaseRow, Int>) {
    let number = random.below(3)
    let text = "\(number)"
    switch random.oneIn(2) ? random.below(4) : random.below(24) {
    case 0, 1: writer.count += number
    case 2, 3: writer.count = number
    case 4: writer.text = text
    case 5: writer.text.append(text)
    case 6: writer.state.count = number
    case 7: writer.update { ($0.count, $0.text) = (number, text) }
    case 8: part(of: row)?.binder.depth.wrappedValue = number
    case 9: part(of: row)?.dispatch(number)
    case 10: writer.part.depth = number
    case 11: writer.part = BookcasePart(depth: number, name: text)
    case 12: writer.loose.number = number
    case 13: writer.loose = BookcaseLoose(number: number)
    case 14: writer.books = (0...number).map { BookcaseBook(id: $0, pages: number) }
    case 15: if !writer.books.isEmpty { writer.books[0].pages += number }
    case 16: book(in: row)?.dispatch(number)
    case 17: writer.note = number == 0 ? nil : BookcaseBook(id: number / 2, pages: number)
    case 18: writer.set(\.count, number, forceUpdate: true)
    case 19: writer.total = number
    case 20: row.dispatch(number)
    case 21: writer.object = BookcaseObject()
    case 22: writer.nothing = BookcaseNothing()
    default: changeID(to: 1 + number, of: writer)
    }
  }

  /// The optional row declares no children.
  private func hasChildren(_ row: Row) -> Bool { row.engine.declared != nil }

  /// Gives a row another id, with which it ends if it is an element.
  private func changeID(to id: Int, of writer: MutatingStore<BookcaseRow, Int>) {
    if !isTaken(id) { writer.id = id }
  }

  /// Whether a row has an id, which two of them would be reported for.
  private func isTaken(_ id: Int) -> Bool { parent.rows.contains { $0.id == id } }

  private func writeParent() {
    let number = random.below(4)
    switch random.below(8) {
    case 0: parent.title = "\(number)"
    case 1: if !isTaken(number) { parent.rows.append(BookcaseRow(id: number)) }
    case 2: if !parent.rows.isEmpty { parent.rows.removeFirst() }
    case 3: parent.rows = parent.rows.shuffled(using: &random)
    case 4: if !parent.rows.isEmpty { parent.rows[0].count += number }
    case 5: parent.named["b"] = number == 0 ? nil : BookcaseRow(count: number)
    case 6: parent.single = number == 0 ? nil : BookcaseRow(id: number / 2, count: number)
    default: parent.rows = parent.rows.map { BookcaseRow(id: $0.id, count: number) }
    }
  }
}
