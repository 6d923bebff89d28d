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
      /// A store that does not come from these values has changed later.
      ///
      /// They are kept beside the file.
      case overtaken
    }

    var kind: Kind
    let version: Version
    let history: History
  }

  /// The newest values of a store.
  struct Entry {
    let source: SaveSource
    var request: Request
    /// The values, taken when the hook ended or by an attempt that has failed; `nil` if they are in
    /// the state of the store.
    var taken: Snapshot?
    /// Whether it is to be saved as soon as no attempt is running.
    var isDue = false
    /// Why the last attempt to save it has failed.
    var failure: SaveError?
    /// Whether another attempt may succeed without another change.
    var isRetried = false

    @MainActor var snapshot: Snapshot { taken ?? source.snapshot() }
    /// Whether the values are those of a commit, and not of half a batch.
    @MainActor var isWhole: Bool { taken != nil || source.isWhole }
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var first: Entry? { entries.first }
  /// The first one that is due.
  var firstDue: Entry? { entries.first(where: \.isDue) }
  var firstRetried: Entry? { entries.first(where: \.isRetried) }
  var failure: SaveError? { entries.lazy.compactMap(\.failure).first }
  /// The values that were changed last.
  var newest: Entry? { entries.last { $0.request.kind == .changed } }

  func isLive(_ source: SaveSource) -> Bool {
    entries.contains { $0.source === source && $0.taken == nil && $0.request.kind == .changed }
  }

  /// Adds values that have changed.
  mutating func add(_ source: SaveSource, taken: Snapshot? = nil) {
    let history = source.history
    let isDue = entries.contains { $0.isDue && history.contains($0.request.version) }
    entries.removeAll {
      $0.request.kind == .unchanged || history.contains($0.request.version)
    }
    for index in entries.indices { entries[index].request.kind = .overtaken }
    let request = Request(kind: .changed, version: source.version, history: history)
    entries.append(Entry(source: source, request: request, taken: taken, isDue: isDue))
  }

  /// Adds values of which nothing says that they have changed, unless they are there.
  mutating func addUnchanged(_ source: SaveSource) {
    if entries.contains(where: { $0.source === source }) { return }
    let request = Request(kind: .unchanged, version: source.version, history: source.history)
    entries.append(Entry(source: source, request: request))
  }

  /// Puts back what an attempt has taken, unless it was replaced meanwhile.
  mutating func putBack(_ entry: Entry) {
    // Values in which nothing has changed replace none, because they may turn out not to be saved.
    let isReplaced = entries.contains {
      $0.request.kind != .unchanged && $0.request.history.contains(entry.request.version)
    }
    if isReplaced { return }
    if entry.request.kind == .unchanged, !entries.isEmpty { return }
    var entry = entry
    if entries.contains(where: { $0.request.kind == .changed }) { entry.request.kind = .overtaken }
    entries.insert(entry, at: 0)
  }

  mutating func makeDue() { for index in entries.indices { entries[index].isDue = true } }

  mutating func removeFirstDue() -> Entry? {
    entries.firstIndex(where: \.isDue).map { entries.remove(at: $0) }
  }

  /// Whether the values of a store are taken only when they are saved.
  func awaits(_ source: SaveSource) -> Bool {
    entries.contains { $0.source === source && $0.taken == nil }
  }

  /// Notes the last values of a store.
  mutating func take(_ snapshot: Snapshot, of source: SaveSource) {
    for index in entries.indices where entries[index].source === source {
      entries[index].taken = entries[index].taken ?? snapshot
    }
  }
}
