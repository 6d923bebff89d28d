import Testing

@testable import Signalbox

/// Children that share the whole state of their parent.
@MainActor struct WholeChildTests {
  @Test("S10 A child at the whole of a state with one property compares that property")
  func onlyProperty() {
    let store = Store(state: WholeBox(), interactor: WholeParent())
    let child = store.child(\.self, WholeParts.self)
    var told: [String] = []
    let subscriptions = [
      store.publisher.number.sink { told.append("parent \($0)") },
      child.publisher.number.sink { told.append("child \($0)") },
    ]
    for writer in [store.instruments.arranging, child.instruments.arranging] {
      writer.state = WholeBox(number: 0)
      writer.update { $0 = WholeBox(number: 0) }
      #expect(told == [])
      writer.state = WholeBox(number: 1)
      #expect(told == ["parent 1", "child 1"])
      writer.state = WholeBox(number: 0)
      told = []
    }
    withExtendedLifetime(subscriptions) {}
  }
}

/// Not `Equatable`, so that only the property can be compared.
private struct WholeBox { var number = 0 }

private struct WholeParts: Interactor {
  func onAction(_ action: Never, store: MutatingStore<WholeBox, Never>) {}
}

private struct WholeParent: Interactor {
  func onAction(_ action: Never, store: MutatingStore<WholeBox, Never>) {}

  func children(of store: MutatingStore<WholeBox, Never>) -> Children<WholeBox> {
    Child(\.self) { WholeParts() }
  }
}
