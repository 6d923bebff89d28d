import Testing

@testable import Signalbox

/// Children that are asked for in a getter of their parent's state.
@MainActor struct GetterChildTests {
  @Test("S6 C4 A getter that begins a child traps with a message")
  func endsInGetter() async {
    expectError(
      "The store was used while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let spring = GetterSpring()
          let store = Store(state: GetterState(spring: spring), interactor: GetterParent())
          let subscription = store.publisher.computed.sink { _ in }
          spring.body = {
            _ = store.child(\.rows, id: 1, GetterRows.self)
          }
          store.dispatch(1)
          withExtendedLifetime(subscription) {}
        }
      })
  }
}

/// Runs its body once, when a value is computed.
@MainActor private final class GetterSpring {
  var body: (@MainActor () -> Void)?

  nonisolated func release() { MainActor.assumeIsolated { body.take()?() } }
}

private struct GetterLeaf: Identifiable { var id = 0 }

private struct GetterRow: Identifiable {
  var id = 0
  var leaves = [GetterLeaf()]
}

private struct GetterState {
  let spring: GetterSpring
  var rows = [GetterRow()]
  var number = 0
  var computed: Int {
    spring.release()
    return number
  }
}

private struct GetterLeaves: Interactor {
  func onAction(_ action: Int, store: MutatingStore<GetterLeaf, Int>) {}
}

private struct GetterRows: Interactor {
  func onAction(_ action: Int, store: MutatingStore<GetterRow, Int>) {}

  func children(of store: MutatingStore<GetterRow, Int>) -> Children<GetterRow> {
    Each(\.leaves) { _ in GetterLeaves() }
  }
}

private struct GetterParent: Interactor {
  func onAction(_ action: Int, store: MutatingStore<GetterState, Int>) {
    store.rows.append(GetterRow(id: 1))
    store.number += action
  }

  func children(of store: MutatingStore<GetterState, Int>) -> Children<GetterState> {
    Each(\.rows) { _ in GetterRows() }
  }
}
