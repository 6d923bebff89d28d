import Foundation

/// What the values of a store may replace: what it was made of, and what it has written.
///
/// Anything else in the file is from others, and is kept beside it first. The bytes are compared, off
/// the main actor, when something is about to be replaced.
struct Basis: Sendable {
  /// For each restore since the store before, what it has found.
  ///
  /// Nothing tells which of them the program has made the store of, so only what is in all of them
  /// counts.
  private let finds: [[Snapshot]]

  private init(finds: [[Snapshot]]) { self.finds = finds }

  init(_ snapshots: [Snapshot]) { self.init(finds: [snapshots]) }

  func contains(_ data: Data) -> Bool {
    finds.allSatisfy { found in found.contains { (try? $0.encode()) == data } }
  }

  func adding(_ snapshot: Snapshot) -> Basis { Basis(finds: finds.map { $0 + [snapshot] }) }

  /// What both contain.
  func common(with other: Basis) -> Basis {
    // A program may restore the same again and again.
    let new = other.finds.filter { new in
      !finds.contains { old in
        old.elementsEqual(new) { $0 === $1 || $0.data != nil && $0.data == $1.data }
      }
    }
    let all = finds + new
    // Bytes that are not in all of them count for nothing, and each restore would add its own.
    let bytes = all.map { $0.map(\.data) }.filter { !$0.contains(nil) }
    let isEmpty = bytes.contains { bytes.contains(where: Set($0).isDisjoint) }
    return isEmpty ? Basis([]) : Basis(finds: all)
  }
}
