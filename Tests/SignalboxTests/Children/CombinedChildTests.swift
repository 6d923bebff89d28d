import Signalbox
import Testing

private struct Duo: Equatable, Identifiable {
  var id = 1
  var left = 5
  var right = 5
}

private struct DuoHall: Equatable {
  var calls = 0
  var rows = [Duo()]
  var named = ["a": Duo()]
}

private struct DuoFeature: Interactor {
  func onAction(_ action: Never, store: MutatingStore<Duo, Never>) {}
}

private struct DuoHallFeature: Interactor {
  enum Action { case call, writeRow, writeNamed }

  func children(of store: MutatingStore<DuoHall, Action>) -> Children<DuoHall> {
    Each(\.rows) { _ in DuoFeature() }
    Each(\.named) { _ in DuoFeature() }
  }

  func onAction(_ action: Action, store: MutatingStore<DuoHall, Action>) {
    switch action {
    case .call: store.calls += 1
    case .writeRow:
      store.rows[0].left = 6
      store.rows[0].right = 6
    case .writeNamed:
      store.named["a"]?.left = 6
      store.named["a"]?.right = 6
    }
  }
}

/// Signals of several parts of children that are written in the middle of a delivery.
@MainActor struct CombinedChildTests {
  @Test("S7 C1 parts of a child are combined as each commit left them, also from within a delivery")
  func withinDelivery() {
    for action in [DuoHallFeature.Action.writeRow, .writeNamed] {
      let store = Store(state: DuoHall(), interactor: DuoHallFeature())
      let child =
        action == .writeRow
        ? store.child(\.rows, id: 1, DuoFeature.self)
        : store.child(\.named, id: "a", DuoFeature.self)
      guard let child else { return #expect(Bool(false), "There is no child.") }
      let writing = store.publisher.calls.sink { _ in store.send(action) }
      var seen: [[Int]] = []
      let combined = combineLatest(child.publisher.left, child.publisher.right).sink {
        seen.append([$0, $1])
      }
      store.send(.call)
      #expect(seen == [[6, 5], [6, 6]], "\(action)")
      withExtendedLifetime((writing, combined)) {}
    }
  }
}
