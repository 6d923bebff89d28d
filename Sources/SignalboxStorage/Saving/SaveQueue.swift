import Signalbox

/// What is not saved yet, in the order in which it is saved.
///
/// Values replace earlier ones of the same store, or of the store that theirs continues. Those of a
/// store that comes from another restore stay, because only a save keeps them (P5).
@MainActor struct SaveQueue {
  /// The newest values of a store.
  struct Entry {
    let source: SaveSource
    /// The values, taken when the hook ended or by an attempt that has failed; `nil` if they are in
    /// the state of the store.
    var taken: Snapshot?

    @MainActor var snapshot: Snapshot { taken ?? source.snapshot() }
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var first: Entry? { entries.first }
  var newest: Entry? { entries.last }

  /// The newest values that a store could continue.
  func last(where isBasis: (_ restore: Int) -> Bool) -> Entry? {
    entries.last { isBasis($0.source.restore) }
  }

  func isLive(_ source: SaveSource) -> Bool {
    entries.contains { $0.source === source && $0.taken == nil }
  }

  mutating func add(_ entry: Entry) {
    entries.removeAll { $0.source.restore == entry.source.restore }
    entries.append(entry)
  }

  /// Puts back what an attempt has taken, unless there are newer values.
  mutating func putBack(_ entry: Entry) {
    if entries.contains(where: { $0.source.restore == entry.source.restore }) { return }
    entries.insert(entry, at: 0)
  }

  mutating func removeFirst() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

  /// Takes the last values of a store, if they are to be saved.
  mutating func take(_ source: SaveSource) -> Bool {
    let index = entries.firstIndex { $0.source === source && $0.taken == nil }
    guard let index else { return false }
    entries[index].taken = source.snapshot()
    return true
  }
}
