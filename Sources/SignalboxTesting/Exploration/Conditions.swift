/// Conditions that are checked at the same moments.
///
/// A class, because a condition may declare further ones while it is checked.
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

  /// Checks the conditions.
  func check(for order: ExploredOrder) {
    for index in all.indices {
      all[index].wasChecked = true
      let (name, holds) = (all[index].name, all[index].holds)
      if !holds() { order.fails("\(kind) \"\(name)\" does not hold.") }
    }
  }

  /// Fails the order if a condition was never checked.
  func requireChecks(of order: ExploredOrder) {
    for condition in all where !condition.wasChecked {
      order.fails(
        "\(kind) \"\(condition.name)\" was declared after the last run(), so it was not checked.")
    }
  }
}
