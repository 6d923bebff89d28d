import Testing

@testable import Signalbox

/// Expects that every collection in the books of a store is empty.
@MainActor func expectEmptyBooks<State, Action>(
  _ store: Store<State, Action>, sourceLocation: SourceLocation = #_sourceLocation
) {
  var sizes: [String: Int] = [:]
  for child in Mirror(reflecting: store.engine.book).children {
    let mirror = Mirror(reflecting: child.value)
    guard let label = child.label,
      [.collection, .dictionary, .set].contains(mirror.displayStyle)
    else { continue }
    sizes[label] = mirror.children.count
  }
  #expect(sizes.count >= 2, "the book has collections", sourceLocation: sourceLocation)
  #expect(sizes.values.allSatisfy { $0 == 0 }, "\(sizes)", sourceLocation: sourceLocation)
  #expect(store.runningCount == 0, sourceLocation: sourceLocation)
}

/// A weak reference to a piece of work, for use in an array.
@MainActor struct WeakWork {
  weak var work: Work?
  init(_ task: ActionTask) { work = task.work }
}

@MainActor extension [WeakWork] {
  /// The number of pieces of work that are still alive.
  var living: Int { count { $0.work != nil } }
}
