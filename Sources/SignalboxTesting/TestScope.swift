import Testing

/// The test stores of one test.
///
/// A test clock waits for them to settle.
@MainActor final class TestScope {
  /// Identifies a test.
  ///
  /// All XCTest tests count as one, because they run one after another.
  private struct Identity: Hashable {
    let test: Test.ID?
    // The arguments of a parameterized test, whose cases run side by side.
    let arguments: String
  }

  /// A weak reference to a scope.
  @MainActor private struct WeakScope {
    weak var scope: TestScope?
  }

  /// A weak reference to a test store.
  @MainActor private struct WeakStore {
    weak var store: (any SettlingStore)?
  }

  // A global, because a store and a clock share only the test that made them, and the library
  // cannot pass a context through the test's code. The key is the test, so tests that run side by
  // side find only their own stores. An entry lives as long as those stores.
  private static var scopes: [Identity: WeakScope] = [:]

  private var entries: [WeakStore] = []

  /// The scope of the running test.
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
  /// - Returns: the names of the busy work when the timeout ends, or `nil` if all have settled.
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
      // A store that settled first may have received actions or posts since.
      if progress == before, stores.allSatisfy(\.isQuiet) { return nil }
    }
  }
}

/// A test store of any state and action.
@MainActor protocol SettlingStore: AnyObject {
  var isQuiet: Bool { get }
  var busyNames: [String] { get }
  /// Prefixes a text with the name of the store, if it has one.
  func named(_ text: String) -> String
  /// Grows with every event.
  var progress: Int { get }
  func settled(_ timeout: Timeout) async -> Bool
}
