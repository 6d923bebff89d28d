import Testing

@testable import Signalbox

/// Elements that give themselves another id, with which they end.
@MainActor struct OwnIDTests {
  typealias Write = @MainActor (MutatingStore<OwnBranch, String>) -> Void

  @Test("C4 An element that changes its own id ends with its children, which keep their values")
  func children() throws {
    let writes: [Write] = [
      { $0.id = 5 }, { $0.id.key += 5 }, { $0.set(\.id, 5, forceUpdate: true) },
      { $0.state.id = 5 },
      { store in store.update { $0.id = 5 } }, { store in store.batch { store.id = 5 } },
    ]
    for write in writes {
      let root = Store(state: OwnState(), interactor: OwnParent())
      let branch = try #require(root.child(\.branches, id: 0, OwnBranches.self))
      let leaves = [
        branch.child(\.leaves, id: 0, OwnLeaves.self),
        branch.child(\.named, id: "a", OwnLeaves.self),
        branch.child(\.single, OwnLeaves.self), branch.child(\.fixed, OwnLeaves.self),
      ]
      write(branch.instruments.arranging)
      #expect(root.branches.map(\.id) == [5])
      #expect(branch.id == 5)
      #expect(leaves.map { $0?.text } == Array(repeating: "leaf", count: 4))
      for leaf in leaves { leaf?.dispatch("late") }
      #expect(leaves.map { $0?.text } == Array(repeating: "leaf", count: 4))
    }
  }

  @Test("C4 A child that changes the id of the element around it ends with it")
  func part() throws {
    let root = Store(state: OwnState(), interactor: OwnParent())
    let branch = try #require(root.child(\.branches, id: 0, OwnBranches.self))
    let leaf = try #require(branch.child(\.leaves, id: 0, OwnLeaves.self))
    branch.child(\.id, OwnIDs.self).dispatch(4)
    #expect(branch.id == 4)
    #expect(leaf.text == "leaf")
  }

  @Test("C4 C14 S6 An observed element that changes its own id with update ends, also in a batch")
  func observed() throws {
    typealias Observe = @MainActor (Store<OwnItems, Never>, Store<OwnItem, Int>) -> Subscription
    let observations: [Observe] = [
      { root, _ in root.publisher.items.map(\.count).sink { _ in } },
      { _, item in item.publisher.count.sink { _ in } }, { root, _ in root.events.sink { _ in } },
      { _, item in item.publisher.id.sink { _ in } }, { _, _ in .empty },
    ]
    let writes: [@MainActor (MutatingStore<OwnItem, Int>) -> Void] = [
      { store in store.update { $0.id = 9 } },
      { store in
        store.batch {
          store.count = 3
          store.update { $0.id = 9 }
          store.count = 4
        }
      },
      { store in
        store.batch {
          store.update { $0.id = 9 }
          store.update { $0.id = 1 }
        }
      },
    ]
    for observe in observations {
      for write in writes {
        let live = LiveChildren()
        let root = Store(state: OwnItems(), interactor: OwnList(live: live))
        let item = try #require(root.child(\.items, id: 1, OwnItemFeature.self))
        let subscription = observe(root, item)
        write(item.instruments.arranging)
        #expect(root.items.map(\.id) == [9, 2, 3])
        #expect(live.names == ["9", "2", "3"])
        #expect(item.id == 9)
        withExtendedLifetime(subscription) {}
      }
    }
  }

  @Test("C4 C14 S6 So does one around a child that changes its id with update")
  func observedPart() throws {
    let root = Store(state: OwnState(), interactor: OwnParent())
    let branch = try #require(root.child(\.branches, id: 0, OwnBranches.self))
    let key = branch.child(\.id, OwnIDs.self)
    let subscriptions = [
      key.publisher.key.sink { _ in }, root.events.sink { _ in }, branch.publisher.id.sink { _ in },
    ]
    key.instruments.arranging.update { $0.key = 4 }
    #expect(root.branches.map(\.id) == [4])
    #expect(branch.id == 4)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "C4 C17 An element that changes its own id ends, also if its parent then writes in the batch")
  func batch() throws {
    let changes: [@MainActor (inout [OwnItem]) -> Void] = [
      { $0[1].count = 5 }, { $0[1].id = 8 }, { $0.append(OwnItem(id: 4)) }, { $0.removeLast() },
      { $0[0].count = 5 }, { $0.swapAt(1, 2) },
    ]
    for change in changes {
      let live = LiveChildren()
      let root = Store(state: OwnItems(), interactor: OwnList(live: live))
      let parent = root.instruments.arranging
      let item = try #require(root.child(\.items, id: 1, OwnItemFeature.self))
      parent.batch {
        item.dispatch(9)
        change(&parent.items)
      }
      #expect(live.names == Set(root.items.map { "\($0.id)" }))
      item.dispatch(10)
      #expect(item.state == OwnItem(id: 9))
    }
  }

  @Test(
    "C6 An element that changes its id in the change that releases the store keeps that value",
    arguments: [true, false])
  func release(isObserved: Bool) throws {
    let changes: [@MainActor (MutatingStore<OwnBranch, String>, () -> Void) -> Void] = [
      { store, release in
        store.update {
          $0.id = 9
          release()
        }
      },
      { store, release in change(&store.id, release) },
      { store, release in change(&store.state.id, release) },
    ]
    for change in changes {
      var root: Store<OwnState, Never>? = Store(state: OwnState(), interactor: OwnParent())
      let branch = try #require(root?.child(\.branches, id: 0, OwnBranches.self))
      let leaf = try #require(branch.child(\.leaves, id: 0, OwnLeaves.self))
      let subscription = isObserved ? branch.publisher.leaves.sink { _ in } : nil
      change(branch.instruments.arranging) { root = nil }
      #expect(branch.id == 9)
      #expect(leaf.text == "leaf")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("C4 The observers of an element are not notified of its own write that ends it")
  func observers() throws {
    let writes: [Write] = [
      { $0.state = OwnBranch(id: 5, text: "new") },
      { store in
        store.update {
          $0.id = 5
          $0.text = "new"
        }
      },
      { store in
        store.batch {
          store.text = "new"
          store.id = 5
        }
      },
    ]
    for write in writes {
      let root = Store(state: OwnState(), interactor: OwnParent())
      let branch = try #require(root.child(\.branches, id: 0, OwnBranches.self))
      var told: [String] = []
      let subscriptions = [
        root.publisher.branches.sink { told.append("root \($0[0].id.key)") },
        branch.publisher.text.sink { told.append($0) },
        branch.publisher.length.sink { told.append("\($0)") },
      ]
      write(branch.instruments.arranging)
      #expect(told == ["root 5"])
      withExtendedLifetime(subscriptions) {}
    }
  }
}

/// Changes an id, and runs a body before it is done.
@MainActor private func change(_ id: inout OwnID, _ body: () -> Void) {
  id = 9
  body()
}

private struct OwnLeaf: Identifiable { var id = 0, text = "leaf" }

struct OwnID: Hashable, ExpressibleByIntegerLiteral {
  fileprivate var key: Int
  init(integerLiteral value: Int) { key = value }
}

struct OwnBranch: Identifiable {
  var id: OwnID = 0
  fileprivate var text = ""
  fileprivate var leaves = [OwnLeaf()]
  fileprivate var named = ["a": OwnLeaf()]
  fileprivate var single: OwnLeaf? = OwnLeaf()
  fileprivate var fixed = OwnLeaf()
  fileprivate var length: Int { text.count }
}

private struct OwnItem: Identifiable, Equatable {
  var id: Int
  var count = 0
}

private struct OwnItems { var items = [OwnItem(id: 1), OwnItem(id: 2), OwnItem(id: 3)] }

private struct OwnItemFeature: Interactor {
  let live: LiveChildren
  let id: Int

  func onAction(_ action: Int, store: MutatingStore<OwnItem, Int>) { store.id = action }

  func subscription(for hook: OnlyHook, store: MutatingStore<OwnItem, Int>) -> Subscription {
    live.track("\(id)")
  }
}

private struct OwnList: Interactor {
  let live: LiveChildren

  func children(of store: MutatingStore<OwnItems, Never>) -> Children<OwnItems> {
    Each(\.items) { OwnItemFeature(live: live, id: $0) }
  }

  func onAction(_ action: Never, store: MutatingStore<OwnItems, Never>) {}
}

private struct OwnState { var branches = [OwnBranch()] }

private struct OwnIDs: Interactor {
  func onAction(_ action: Int, store: MutatingStore<OwnID, Int>) { store.key = action }
}

private struct OwnLeaves: Interactor {
  func onAction(_ action: String, store: MutatingStore<OwnLeaf, String>) { store.text = action }
}

private struct OwnBranches: Interactor {
  func onAction(_ action: String, store: MutatingStore<OwnBranch, String>) {}

  func children(of store: MutatingStore<OwnBranch, String>) -> Children<OwnBranch> {
    Child(\.id) { OwnIDs() }
    Each(\.leaves) { _ in OwnLeaves() }
    Each(\.named) { _ in OwnLeaves() }
    Child(\.single) { OwnLeaves() }
    Child(\.fixed) { OwnLeaves() }
  }
}

private struct OwnParent: Interactor {
  func onAction(_ action: Never, store: MutatingStore<OwnState, Never>) {}

  func children(of store: MutatingStore<OwnState, Never>) -> Children<OwnState> {
    Each(\.branches) { _ in OwnBranches() }
  }
}
