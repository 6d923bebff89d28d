/// The work of the children of `forward` whose states may go, which ends with them (X3).
///
/// A site of the state, so the work ends before an observer is notified. It is listed only while
/// there is such work, because each change of the state then looks for the state of each piece.
final class ForwardedWork<State>: Site {
  private struct Item {
    let work: Work
    let presence: ChildPresence
  }

  private let storage: StateStorage<State>
  private let book: WorkBook
  private var items = OrderedList<Item>()
  private var lastNumber: UInt64 = 0

  init(_ storage: StateStorage<State>, _ book: WorkBook) {
    self.storage = storage
    self.book = book
    super.init(storage.whole.moved(by: storage.prefix))
  }

  override var isActive: Bool { !items.isEmpty }

  func add(_ work: Work, _ presence: ChildPresence) {
    if work.isOver { return }
    if items.isEmpty { storage.home.add([self]) }
    lastNumber += 1
    let number = lastNumber
    items.add(Item(work: work, presence: presence), order: number)
    storage.root.updateFlags()
    work.makeWaiters().whenOver { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: UInt64) {
    guard items.remove(order: number) != nil, items.isEmpty else { return }
    storage.home.remove([self])
    storage.root.updateFlags()
  }

  /// Whether the state of a child is there, which may run the hash of a key.
  func isThere(_ presence: ChildPresence) -> Bool {
    storage.readingTruth { presence.isThere(storage.current) }
  }

  /// Ends a piece of work if its state has gone before it was added.
  func check(_ work: Work, _ presence: ChildPresence) {
    if !isThere(presence) { book.cancel([work]) }
  }

  override func update() { book.cancel(gone) }

  private var gone: [Work] {
    // Read once, because it may have to be computed. The copy is released before work ends, because
    // a write would copy what it shares with the state.
    let state: Any = storage.truth
    return storage.reading { items.elements.filter { !$0.presence.isThere(state) } }.map(\.work)
  }
}
