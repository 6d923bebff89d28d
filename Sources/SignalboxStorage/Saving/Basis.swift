import Foundation

/// What the values of a store may replace: what it was made of, and what it has written.
///
/// Anything else in the file is from others, and is kept beside it first. The bytes are compared, off
/// the main actor, when something is about to be replaced.
struct Basis: Sendable {
  // What each restore since the last store has found. Nothing tells which of them the program has
  // made the store of, so only what is in all of them counts.
  private let finds: [[Snapshot]]

  private init(finds: [[Snapshot]]) { self.finds = finds }

  init(_ snapshots: [Snapshot]) { self.init(finds: [snapshots]) }

  func contains(_ data: Data) -> Bool {
    finds.allSatisfy { found in found.contains { (try? $0.encode()) == data } }
  }

  func adding(_ snapshot: Snapshot) -> Basis { Basis(finds: finds.map { $0 + [snapshot] }) }

  func common(with other: Basis) -> Basis {
    func isSame(_ a: Snapshot, _ b: Snapshot) -> Bool {
      a === b || a.data != nil && a.data == b.data
    }
    // A program may restore the same again and again.
    let new = other.finds.filter { new in
      !finds.contains { $0.elementsEqual(new, by: isSame) }
    }
    let all = finds + new
    if all.count < 4 { return Basis(finds: all) }
    // Each restore may add values, such as those of a pending save. Only what is surely in all is
    // kept. Values not encoded yet count as different, which at worst costs a needless copy.
    return Basis(all[0].filter { one in all.allSatisfy { $0.contains { isSame(one, $0) } } })
  }
}
