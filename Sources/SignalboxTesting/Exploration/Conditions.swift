/// Conditions that are checked at the same moments; a class, because a check may declare others.
@MainActor final class Conditions {
  private struct Condition {
    let name: String
    let holds: @MainActor () -> Bool
    var wasChecked = false
  }

  /// When they are checked, as in `always`.
  let kind: String
  private var all: [Condition] = []

  init(_ kind: String) { self.kind = kind }

  func add(_ name: String, _ holds: @escaping @MainActor () -> Bool) {
    all.append(Condition(name: name, holds: holds))
  }

  /// Releases the conditions, which may refer to the stores.
  func removeAll() { all = [] }

  func check(for order: ExploredOrder) {
    for index in all.indices {
      all[index].wasChecked = true
      let (name, holds) = (all[index].name, all[index].holds)
      if !holds() { order.fails("\(kind) \"\(name)\" does not hold.") }
    }
  }

  func requireChecks(of order: ExploredOrder) {
    for condition in all where !condition.wasChecked {
      order.fails(
        "\(kind) \"\(condition.name)\" was declared after the last run(), so it was not checked.")
    }
  }
}
