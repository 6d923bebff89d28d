import Testing

@testable import Signalbox

/// A change in place during which the store ends, and with it the memory around the child.
@MainActor struct CutOffChildTests {
  private let taker = CutOffTaker()

  /// Ends the store of a child within a change in place, and changes the child twice after that.
  private func cutOff(
    _ find: (Store<CutOffState, Int>) -> Store<CutOffElement, Int>?
  ) throws {
    var root: Store<CutOffState, Int>? = Store(
      state: CutOffState(), interactor: CutOffParent(taker: taker))
    guard let child = root.flatMap(find) else { throw NoChild() }
    // Observed, so that the change looks at the value again.
    let subscription = child.publisher.counter.sink { _ in }
    taker.body = { root = nil }
    child.dispatch(1)
    #expect(root == nil)
    #expect(child.counter.number == 1)
    // A hook's store outlives its hook. Each change is made to a copy, and dropped.
    taker.hook?.counter.number += 1
    taker.hook?.counter.number += 1
    #expect(child.counter.number == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("C6 A child at a property keeps a change in place that ends its store")
  func property() throws { try cutOff { $0.child(\.fixed, CutOffChild.self) } }

  @Test("C6 An element keeps a change in place that ends its store")
  func element() throws { try cutOff { $0.child(\.elements, id: 0, CutOffChild.self) } }

  @Test("C6 A value of a dictionary keeps a change in place that ends its store")
  func value() throws { try cutOff { $0.child(\.values, id: "a", CutOffChild.self) } }
}

private struct NoChild: Error {}

private struct CutOffCounter: Equatable {
  var number = 0

  mutating func increase(_ body: () -> Void) {
    number += 1
    body()
  }
}

private struct CutOffElement: Identifiable {
  var id = 0
  var counter = CutOffCounter()
  var text = String(repeating: "long ", count: 10)
}

private struct CutOffState {
  var fixed = CutOffElement()
  var elements = [CutOffElement()]
  var values = ["a": CutOffElement()]
}

@MainActor private final class CutOffTaker {
  /// What runs within the change in place.
  var body: () -> Void = {}
  /// The store of the hook of the child that was asked for last.
  var hook: MutatingStore<CutOffElement, Int>?
}

private enum CutOffHook: CaseIterable { case only }

private struct CutOffChild: Interactor {
  let taker: CutOffTaker

  func onAction(_ action: Int, store: MutatingStore<CutOffElement, Int>) {
    taker.hook = hooks.store
    let body = taker.body
    taker.body = {}
    store.counter.increase(body)
  }

  private let hooks = CutOffHooks()

  init(taker: CutOffTaker) { self.taker = taker }

  func subscription(
    for hook: CutOffHook, store: MutatingStore<CutOffElement, Int>
  ) -> Subscription {
    hooks.store = store
    return .empty
  }
}

/// Keeps the store of a child's hook.
@MainActor private final class CutOffHooks {
  var store: MutatingStore<CutOffElement, Int>?
}

private struct CutOffParent: Interactor {
  let taker: CutOffTaker

  func onAction(_ action: Int, store: MutatingStore<CutOffState, Int>) {}

  func children(of store: MutatingStore<CutOffState, Int>) -> Children<CutOffState> {
    Child(\.fixed) { CutOffChild(taker: taker) }
    Each(\.elements) { _ in CutOffChild(taker: taker) }
    Each(\.values) { _ in CutOffChild(taker: taker) }
  }
}
