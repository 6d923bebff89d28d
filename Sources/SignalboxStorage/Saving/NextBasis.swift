/// What the next store is made of.
///
/// Nothing tells which one of several restores has led to its state. So it comes only from what all
/// of them have found, since the last store began.
struct NextBasis {
  private(set) var value = SaveSource.Basis.noRestore
  /// What the restores since the last store have found; `nil` if none has succeeded.
  private var common: History?
  private var isUsed = false

  /// Notes what a restore has found.
  mutating func add(_ new: SaveSource.Basis) {
    if isUsed {
      isUsed = false
      common = nil
    }
    value = new
    guard case .values(let history) = new else { return }
    let both = common?.intersection(history) ?? history
    common = both
    value = .values(both)
  }

  /// What a store is made of that begins now.
  mutating func use() -> SaveSource.Basis {
    defer { isUsed = true }
    // Nothing tells that a second store is made of what the restore for the first one has found.
    if isUsed, case .values = value { return .values(History()) }
    return value
  }
}
