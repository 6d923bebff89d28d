import Testing

/// The test stores of one test, so that a clock can wait for them.
@MainActor final class TestScope {
  /// Which test it is; all of XCTest, which runs one after the other, counts as one.
  private struct Identity: Hashable {
    let test: Test.ID?
    // The arguments of a parameterized test: its cases run side by side.
    let arguments: String
  }

  @MainActor private struct WeakScope {
    weak var scope: TestScope?
  }

  @MainActor private struct WeakStore {
    weak var store: (any SettlingStore)?
  }

  // A store and a clock have nothing in common but the test that made them, and a library cannot
  // give a test anything to carry. Nothing is looked up here by who came last: each test finds its
  // own stores, and an entry lives no longer than they do.
  private static var scopes: [Identity: WeakScope] = [:]

  private var entries: [WeakStore] = []

  /// That of the test in which this is called.
  static var current: TestScope {
    let identity = Identity(
      test: Test.current?.id, arguments: Test.Case.current.map { String(reflecting: $0) } ?? "")
    if let scope = scopes[identity]?.scope { return scope }
    scopes = scopes.filter { $0.value.scope != nil }
    let scope = TestScope()
    scopes[identity] = WeakScope(scope: scope)
    return scope
  }

  func add(_ store: any SettlingStore) {
    entries.removeAll { $0.store == nil }
    entries.append(WeakStore(store: store))
  }

  private var stores: [any SettlingStore] { entries.compactMap(\.store) }

  private var progress: [Int] { stores.map(\.progress) }

  /// Waits until every store has settled.
  ///
  /// - Returns: what is busy when timeout runs out; `nil` if all have settled.
  func settle(_ timeout: Timeout) async -> [String]? {
    while true {
      let before = progress
      for store in stores {
        guard await store.settled(timeout) else {
          return stores.filter { !$0.isQuiet || $0 === store }.flatMap { store in
            store.busyNames.map(store.named)
          }
        }
      }
      // One that settled first may have been called upon by another meanwhile, or been posted to.
      if progress == before, stores.allSatisfy(\.isQuiet) { return nil }
    }
  }
}

/// A test store, whatever it is of.
@MainActor protocol SettlingStore: AnyObject {
  var isQuiet: Bool { get }
  var busyNames: [String] { get }
  /// Says of a text which store it is about.
  func named(_ text: String) -> String
  /// Grows with everything that happens.
  var progress: Int { get }
  func settled(_ timeout: Timeout) async -> Bool
}
