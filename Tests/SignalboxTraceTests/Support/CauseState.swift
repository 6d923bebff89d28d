/// A value that knows by itself what has led to it.
struct Lineage: Equatable, Sendable {
  /// The actions and hooks that have led to the value, the first one first.
  var path: [String] = []
  /// Tells each write from the one before.
  var stamp = 0
}

/// The state of the stores in the law of causes.
struct CauseState: Equatable {
  var a = Lineage()
  var b = Lineage()
  var c = Lineage()
  var rows = [CauseRow(id: 0), CauseRow(id: 1)]
  /// A child that comes and goes.
  var extra: CauseRow?

  @MainActor static let cells: [WritableKeyPath<CauseState, Lineage>] = [\.a, \.b, \.c]

  /// All values, by their place.
  var values: [String: Lineage] {
    var values = ["a": a, "b": b, "c": c]
    for row in rows { values["row \(row.id)"] = row.value }
    values["extra"] = extra?.value
    return values
  }
}

/// The state of a child.
struct CauseRow: Identifiable, Equatable {
  let id: Int
  var value = Lineage()
}

/// An action of a store or a child.
struct CauseAction: Sendable {
  let name: String
  /// What has led to the action.
  let lineage: Lineage
}

enum CauseHook: CaseIterable { case one, two, three, four }
enum CauseRowHook: CaseIterable { case five }
