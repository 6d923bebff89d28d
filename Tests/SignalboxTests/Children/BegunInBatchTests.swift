import Signalbox
import Testing

private struct BatchLeaf: Equatable { var text = "" }

private struct BatchTwig: Equatable {
  var fixed = BatchFixed()
  var leaf: BatchLeaf?
}

private struct BatchFixed: Equatable { var leaf: BatchLeaf? }

private struct BatchTree: Equatable {
  var twigs: [Int: BatchTwig] = [1: BatchTwig()]
  var title = ""
}

private struct BatchLeafFeature: Interactor {
  func onAction(_ action: Never, store: MutatingStore<BatchLeaf, Never>) {}
}

private struct BatchFixedFeature: Interactor {
  func children(of store: MutatingStore<BatchFixed, Never>) -> Children<BatchFixed> {
    Child(\.leaf) { BatchLeafFeature() }
  }
}

private struct BatchTwigFeature: Interactor {
  func children(of store: MutatingStore<BatchTwig, Never>) -> Children<BatchTwig> {
    Child(\.leaf) { BatchLeafFeature() }
    Child(\.fixed) { BatchFixedFeature() }
  }
}

private typealias BatchTreeStore = MutatingStore<BatchTree, BatchTreeAction>
private struct BatchTreeAction { let body: @MainActor (BatchTreeStore) -> Void }

private struct BatchTreeFeature: Interactor {
  func children(of store: BatchTreeStore) -> Children<BatchTree> {
    Each(\.twigs) { _ in BatchTwigFeature() }
  }

  func onAction(_ action: BatchTreeAction, store: BatchTreeStore) { action.body(store) }
}

/// Children within children that begin in a batch, and whose states go in the same one.
@MainActor struct BegunInBatchTests {
  private func run(isPending: Bool, _ body: (BatchTreeStore, Store<BatchTwig, Never>?) -> Void) {
    let store = Store(state: BatchTree(), interactor: BatchTreeFeature())
    withoutActuallyEscaping(body) { body in
      _ = store.send(
        BatchTreeAction { tree in
          if isPending { tree.optimistic { $0.title = "shown" } }
          tree.batch { body(tree, store.child(\.twigs, id: 1, BatchTwigFeature.self)) }
        })
    }
  }

  @Test(
    "C6 a child that begins in a batch has its last value when the batch takes it away",
    arguments: [false, true])
  func lastValue(isPending: Bool) {
    run(isPending: isPending) { tree, twig in
      tree.twigs[1]?.leaf = BatchLeaf(text: "new")
      let leaf = twig?.child(\.leaf, BatchLeafFeature.self)
      tree.twigs[1]?.leaf = nil
      #expect(leaf?.text == "new")
    }
    // With a child at a stored property between.
    run(isPending: isPending) { tree, twig in
      tree.twigs[1]?.fixed.leaf = BatchLeaf(text: "new")
      let leaf = twig?.child(\.fixed, BatchFixedFeature.self).child(\.leaf, BatchLeafFeature.self)
      tree.twigs[1]?.fixed.leaf = nil
      #expect(leaf?.text == "new")
    }
  }
}
