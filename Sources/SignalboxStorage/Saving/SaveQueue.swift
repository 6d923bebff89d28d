import Signalbox

/// What is not saved yet, in the order in which it is saved.
///
/// Values replace those that they come from. Others stay, but are overtaken: only the newest values
/// go into the file (P8).
@MainActor struct SaveQueue {
  /// Which values are to be saved, and what they come from.
  struct Request: Sendable {
    enum Kind {
      /// Nothing has changed since the store was made or saved.
      ///
      /// The values replace only what they come from. They may differ from that because the program
      /// has changed the first state.
      case unchanged
      case changed
      /// Other values that wait were changed later, in a store that does not come from these.
      ///
      /// They are kept beside the file.
      case overtaken
    }

    let kind: Kind
    let version: Version
    let history: History
    /// When the values were changed, as a number that grows with each change of any store.
    let moment: Int
  }

  /// The newest values of a store.
  struct Entry {
    let source: SaveSource
    /// Whether nothing says that they have changed.
    let isUnchanged: Bool
    let version: Version
    let history: History
    let moment: Int
    /// The values, taken when the hook ended or by an attempt that has failed; `nil` if they are in
    /// the state of the store.
    var taken: Snapshot?
    /// Whether it is to be saved as soon as no attempt is running.
    var isDue = false
    /// Why the last attempt to save it has failed.
    var failure: SaveError?
    /// Whether another attempt may succeed without another change.
    var isRetried = false

    @MainActor init(_ source: SaveSource, isUnchanged: Bool) {
      self.source = source
      self.isUnchanged = isUnchanged
      version = source.version
      history = source.history
      moment = source.moment
    }

    @MainActor var snapshot: Snapshot { taken ?? source.snapshot() }
    /// Whether the values are those of a commit, and not of half a batch.
    @MainActor var isWhole: Bool { taken != nil || source.isWhole }

    func isSame(as other: Entry) -> Bool { source === other.source && version == other.version }
  }

  /// In the order in which they were changed.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var first: Entry? { entries.first }
  /// The first one that is due.
  var firstDue: Entry? { entries.first(where: \.isDue) }
  var firstRetried: Entry? { entries.first(where: \.isRetried) }
  var failure: SaveError? { entries.lazy.compactMap(\.failure).first }
  /// The values that were changed last.
  var newest: Entry? { entries.last { !$0.isUnchanged } }

  /// Values of a store that are not taken yet.
  func live(_ source: SaveSource) -> Entry? {
    entries.first { $0.source === source && $0.taken == nil }
  }

  func contains(_ entry: Entry) -> Bool { entries.contains(where: entry.isSame) }

  /// What a save is told about an entry.
  func request(for entry: Entry) -> Request {
    let isOvertaken = newest.map { $0.moment > entry.moment } ?? false
    let kind: Request.Kind =
      entry.isUnchanged ? .unchanged : isOvertaken ? .overtaken : .changed
    return Request(
      kind: kind, version: entry.version, history: entry.history, moment: entry.moment)
  }

  /// Adds values that have changed.
  mutating func add(_ source: SaveSource, taken: Snapshot? = nil) {
    var entry = Entry(source, isUnchanged: false)
    entry.taken = taken
    entry.isDue = entries.contains { $0.isDue && entry.history.contains($0.version) }
    entries.removeAll { entry.history.contains($0.version) }
    insert(entry)
  }

  /// Adds values of which nothing says that they have changed, unless they are there.
  mutating func addUnchanged(_ source: SaveSource) {
    if entries.contains(where: { $0.source === source }) { return }
    insert(Entry(source, isUnchanged: true))
  }

  /// Puts back what an attempt has taken, unless it was replaced meanwhile.
  mutating func putBack(_ entry: Entry) {
    // Values in which nothing has changed replace none, because they may turn out not to be saved.
    let isReplaced = entries.contains { !$0.isUnchanged && $0.history.contains(entry.version) }
    if !isReplaced { insert(entry) }
  }

  private mutating func insert(_ entry: Entry) {
    let later = entries.firstIndex { $0.moment > entry.moment }
    entries.insert(entry, at: later ?? entries.endIndex)
  }

  mutating func makeDue() { for index in entries.indices { entries[index].isDue = true } }

  mutating func remove(_ entry: Entry) {
    if let index = entries.firstIndex(where: entry.isSame) { entries.remove(at: index) }
  }

  /// Notes the last values of a store.
  mutating func take(_ snapshot: Snapshot, of source: SaveSource) {
    for index in entries.indices where entries[index].source === source {
      entries[index].taken = entries[index].taken ?? snapshot
    }
  }
}
