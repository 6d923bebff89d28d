import Signalbox
import Testing

/// Tests work that starts within work, deeper than any stack.
@MainActor struct NestingTests {
  private enum Chain: Transducer {
    struct State {}
    enum Event: Sendable {
      case run(Int)
      case action(Int)
    }

    static func update(_ state: inout State, event: Event) -> Effect? {
      switch event {
      case .run(let count): .run { @MainActor input, _ in input.dispatch(.run(count + 1)) }
      case .action(let count):
        .action { _ in
          MainActor.assumeIsolated { Chain.store?.dispatch(.action(count + 1)) }
          return nil
        }
      }
    }

    @MainActor static var store: Store<State, Event>?
  }

  private func expectSentence(_ result: ExitTest.Result?) {
    expectError("actions, runs or effects were started from within one another", from: result)
    expectError("Await something before the next one is dispatched", from: result)
  }

  @Test("A1 actions that dispatch one another without end stop the program with a message")
  func actions() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        let store = Store(
          state: 0, actionable: Handling<Int, Int> { number, store in store.dispatch(number + 1) })
        store.dispatch(0)
      })
  }

  @Test("A1 X2 effects that start one another before they suspend stop with a message")
  func effects() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in Store(state: .init(), transducer: Chain.self).dispatch(.run(0))
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        Chain.store = Store(state: .init(), transducer: Chain.self)
        Chain.store?.dispatch(.action(0))
      })
  }

  @Test("A1 A12 actions of many stores, and an onCancel that cancels the next, stop with a message")
  func acrossStores() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        var stores: [Store<Int, Int>] = []
        for _ in 0..<100_000 {
          stores.append(
            Store(
              state: 0,
              actionable: Handling<Int, Int> { number, _ in stores[number + 1].dispatch(number + 1)
              }))
        }
        stores[0].dispatch(0)
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        let store = Store(state: 0, actionable: Falling())
        for number in 0..<100_000 { store.dispatch(Domino(number: number)) }
        store.cancel(id: 0)
      })
  }

  private struct Domino: CancellableAction {
    let number: Int
    var cancelIdentifier: Int? { number }
  }

  /// Cancels the next action when one is cancelled.
  private struct Falling: Actionable {
    func onAction(_ domino: Domino, store: MutatingStore<Int, Domino>) async throws {
      try await StoreGate().pass("never")
    }

    func onCancel(_ domino: Domino, store: MutatingStore<Int, Domino>) {
      store.cancel(id: domino.number + 1)
    }
  }

  @Test("A1 nesting a hundred actions is allowed")
  func shallow() {
    let store = Store(
      state: 0,
      actionable: Handling<Int, Int> { number, store in
        store.state += 1
        if number > 0 { store.dispatch(number - 1) }
      })
    store.dispatch(99)
    #expect(store.state == 100)
  }

  /// Declares itself as its own child, without end.
  private struct Mirrored: Interactor {
    func children(of store: MutatingStore<Int, Int>) -> Children<Int> {
      Child(\.self) { Mirrored() }
    }

    func onAction(_ action: Int, store: MutatingStore<Int, Int>) {}
  }

  @Test("C4 children that declare such children without end stop the program with a message")
  func children() async {
    expectLimit(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in _ = Store(state: 0, interactor: Mirrored())
      })
    expectLimit(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in _ = Store(state: Shaft(depth: 257), interactor: Digger())
      })
  }

  private func expectLimit(_ result: ExitTest.Result?) {
    for sentence in [
      "257 children were begun within one another, of which at most 256 are possible.",
      "declare it for an optional or a collection that is empty at the end.",
      "If the states are nested that deeply, keep them side by side in a dictionary of one parent",
    ] {
      expectError(sentence, from: result)
    }
  }

  @Test("C4 32 children may be begun within one another")
  func nestedChildren() {
    let store = Store(state: Shaft(depth: 32), interactor: Digger())
    #expect(store.id == 32)
  }

  /// A state within which there is one with less depth.
  private struct Shaft: Identifiable {
    let id: Int
    var next: [Shaft] = []

    init(depth: Int) {
      id = depth
      if depth > 0 { next = [Shaft(depth: depth - 1)] }
    }
  }

  private struct Digger: Interactor {
    func children(of store: MutatingStore<Shaft, Int>) -> Children<Shaft> {
      Each(\.next) { _ in Digger() }
    }

    func onAction(_ action: Int, store: MutatingStore<Shaft, Int>) {}
  }
}
