import Testing

@testable import Signalbox

/// What changes cost in a path with many live screens, in calls of user code.
@MainActor struct ScreenCostTests {
  /// Counts the calls on the main actor.
  final class Calls { var count = 0 }

  struct Page: Identifiable, Equatable {
    let calls: Calls
    let number: Int
    var words = 0

    var id: Int {
      calls.count += 1
      return number
    }

    static func == (l: Page, r: Page) -> Bool {
      l.calls.count += 1
      return l.number == r.number && l.words == r.words
    }
  }

  enum Sheet {
    case page(Page)
    case about
  }

  struct Stack {
    var other = 0
    var path: [Sheet] = []
  }

  /// A screen with a hook, so all of them are live.
  struct PageFeature: Interactor {
    func onAction(_ action: Int, store: MutatingStore<Page, Int>) { store.words = action }

    func subscription(for hook: OnlyHook, store: MutatingStore<Page, Int>) -> Subscription {
      store.publisher.words.sink { _ in }
    }
  }

  struct StackFeature: Interactor {
    func children(of store: MutatingStore<Stack, Never>) -> Children<Stack> {
      Each(\.path) { Case(Sheet.page) { PageFeature() } }
    }

    func onAction(_ action: Never, store: MutatingStore<Stack, Never>) {}
  }

  private typealias Change =
    @MainActor (MutatingStore<Stack, Never>, Store<Stack, Never>, Calls) -> Void

  private func cost(_ count: Int, _ change: Change) -> Int {
    let calls = Calls()
    let path = (0..<count).map { Sheet.page(Page(calls: calls, number: $0)) }
    let store = Store(state: Stack(path: path), interactor: StackFeature())
    #expect(store.engine.liveChildren.count == count)
    calls.count = 0
    change(store.instruments.arranging, store, calls)
    let cost = calls.count
    let pages = store.path.count { if case .page = $0 { true } else { false } }
    #expect(store.engine.liveChildren.count == pages)
    return cost
  }

  @Test("C17 N2 A change of a path, or beside it, asks only the live screens that it concerns")
  func single() {
    let changes: [Change] = [
      { store, _, _ in store.update { $0.other += 1 } },
      { store, _, _ in store.path.append(.about) },
      { store, _, calls in store.path.append(.page(Page(calls: calls, number: 9_000))) },
      { store, _, _ in store.path.removeLast() },
      { store, _, _ in store.path[5] = .about },
      { store, _, calls in store.path[5] = .page(Page(calls: calls, number: 5, words: 1)) },
      { store, _, calls in store.path[5] = .page(Page(calls: calls, number: 9_000)) },
    ]
    for change in changes { #expect(cost(1_000, change) <= cost(10, change)) }
  }

  @Test("C17 N2 The writes of one batch in screens cost as many looks as there are writes")
  func batch() {
    let inChildren: (Int) -> Change = { count in
      { store, handle, _ in
        store.batch {
          for index in 0..<count { handle.child(\.path, at: index, PageFeature.self)?.dispatch(1) }
        }
      }
    }
    let byParent: (Int) -> Change = { count in
      { store, _, calls in
        store.batch {
          for index in 0..<count {
            store.path[index] = .page(Page(calls: calls, number: index, words: 1))
          }
        }
      }
    }
    for change in [inChildren, byParent] {
      #expect(cost(1_000, change(1_000)) <= 12 * cost(100, change(100)))
    }
  }
}
