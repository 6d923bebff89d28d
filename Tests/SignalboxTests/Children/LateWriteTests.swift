import Testing

@testable import Signalbox

/// Late writes of a child while one of its own changes is still under way, and late releases.
@MainActor struct LateWriteTests {
  private func child(
    isFixed: Bool, of root: Store<LateState, Int>?
  ) throws -> Store<LatePart, Int> {
    let child =
      isFixed ? root?.child(\.fixed, LateParts.self) : root?.child(\.parts, id: 0, LateParts.self)
    return try #require(child)
  }

  @Test(
    "C6 A write after the end of the store, in a batch of the child, harms nothing",
    arguments: [true, false])
  func batch(isFixed: Bool) throws {
    var root: Store<LateState, Int>? = Store(state: LateState(), interactor: LateParent())
    let child = try child(isFixed: isFixed, of: root)
    let subscription = child.publisher.name.sink { _ in }
    let store = child.instruments.arranging
    store.batch {
      store.name = LateName(number: 5)
      root = nil
      store.name.number += 1
    }
    #expect(child.name.number == 5)
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "C6 A write of a deinit that runs at the end of a change of the child harms nothing",
    arguments: [true, false])
  func release(isFixed: Bool) throws {
    var root: Store<LateState, Int>? = Store(state: LateState(), interactor: LateParent())
    let child = try child(isFixed: isFixed, of: root)
    let store = child.instruments.arranging
    var released = 0
    root?.instruments.arranging.will = LateWill {
      released += 1
      store.count += 100
      store.name.number += 100
    }
    change(&store.count) { root = nil }
    #expect(released == 1)
    #expect(child.count == 1)
    #expect(child.name.number == 0)
  }

  @Test("C6 What a late write of a child has dropped is not kept")
  func dropped() throws {
    var root: Store<LateState, Int>? = Store(state: LateState(), interactor: LateParent())
    let child = try child(isFixed: true, of: root)
    let store = child.instruments.arranging
    root = nil
    weak var will: LateWill?
    do {
      let new = LateWill {}
      will = new
      set(&store.will, new)
    }
    #expect(will == nil)
    #expect(child.will == nil)
  }

  @Test(
    "C6 The last value of a child is released on the main actor, whichever thread releases its store",
    arguments: [true, false])
  func otherThread(isFixed: Bool) async throws {
    var root: Store<LateState, Int>? = Store(state: LateState(), interactor: LateParent())
    var child: Store<LatePart, Int>? = try self.child(isFixed: isFixed, of: root)
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    child?.instruments.arranging.canary = LateCanary { end.yield($0) }
    // The state of the parent goes first, so the child alone has the value.
    root?.instruments.arranging.parts = []
    root = nil
    let (go, starter) = AsyncStream.makeStream(of: Never.self)
    var store = child?.instruments.arranging
    let release = Task.detached { [store] in
      for await _ in go {}
      _ = store
    }
    (child, store) = (nil, nil)
    starter.finish()
    await release.value
    var first = ends.makeAsyncIterator()
    #expect(await first.next() == true)
  }
}

/// Changes a value in place, and runs a body before it is done.
@MainActor private func change(_ count: inout Int, _ body: () -> Void) {
  count += 1
  body()
}

/// Assigns through an `inout` argument, which is a change in place.
@MainActor private func set(_ will: inout LateWill?, _ new: LateWill) { will = new }

private struct LateName: Equatable {
  var number = 0
  var text = String(repeating: "long ", count: 10)
}

/// Runs a closure when it is released.
@MainActor private final class LateWill {
  private let body: @MainActor () -> Void
  init(_ body: @escaping @MainActor () -> Void) { self.body = body }
  deinit { MainActor.assumeIsolated { body() } }
}

/// Tells whether it is released on the main actor.
private final class LateCanary: Sendable {
  private let body: @Sendable (Bool) -> Void
  init(_ body: @escaping @Sendable (Bool) -> Void) { self.body = body }
  deinit { body(MainQueue.isCurrent) }
}

private struct LatePart: Identifiable {
  var id = 0
  var name = LateName()
  var count = 0
  var will: LateWill?
  var canary: LateCanary?
}

private struct LateState {
  var fixed = LatePart()
  var parts = [LatePart()]
  var will: LateWill?
}

private struct LateParts: Interactor {
  func onAction(_ action: Int, store: MutatingStore<LatePart, Int>) {}
}

private struct LateParent: Interactor {
  func onAction(_ action: Int, store: MutatingStore<LateState, Int>) {}

  func children(of store: MutatingStore<LateState, Int>) -> Children<LateState> {
    Child(\.fixed) { LateParts() }
    Each(\.parts) { _ in LateParts() }
  }
}
