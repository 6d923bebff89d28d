import Signalbox
import Testing

/// In which order children begin, and which of them do.
@MainActor struct ChildBeginningTests {
  struct LeafState: Identifiable { var id = 0 }

  struct BranchState: Identifiable {
    var id = 0
    var leaf = LeafState()
  }

  struct TreeState {
    var crown = BranchState()
    var branches = [BranchState(id: 1), BranchState(id: 2)]
    var leaves: [LeafState] = []
  }

  /// A part of the tree that notes when its hook is connected.
  struct Leaf: Interactor {
    let name: String
    let journal: StationJournal

    func onAction(_ action: Never, store: MutatingStore<LeafState, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<LeafState, Never>) -> Subscription {
      journal.add(name)
      return .empty
    }
  }

  struct Branch: Interactor {
    let name: String
    let journal: StationJournal

    func children(of store: MutatingStore<BranchState, Never>) -> Children<BranchState> {
      Child(\.leaf) { Leaf(name: "leaf of \(name)", journal: journal) }
    }

    func onAction(_ action: Never, store: MutatingStore<BranchState, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<BranchState, Never>) -> Subscription
    {
      journal.add(name)
      return .empty
    }
  }

  @Test("C4 After a hook that removes the state of its own child, no further hook is connected")
  func endsInItsHook() {
    enum Step: CaseIterable { case first, second }
    struct Guest: Interactor {
      let leave: @MainActor () -> Void
      let journal: StationJournal

      func onAction(_ action: Never, store: MutatingStore<LeafState, Never>) {}

      func subscription(for step: Step, store: MutatingStore<LeafState, Never>) -> Subscription {
        journal.add("\(step)")
        leave()
        return .empty
      }
    }
    struct InnState { var guest: LeafState? = LeafState() }
    struct Inn: Interactor {
      let journal: StationJournal

      func children(of store: MutatingStore<InnState, Never>) -> Children<InnState> {
        Child(\.guest) { Guest(leave: { store.guest = nil }, journal: journal) }
      }

      func onAction(_ action: Never, store: MutatingStore<InnState, Never>) {}
    }
    let journal = StationJournal()
    let store = Store(state: InnState(), interactor: Inn(journal: journal))
    #expect(store.state.guest == nil && journal.lines == ["first"])
  }

  struct Tree: Interactor {
    let journal: StationJournal

    func children(of store: MutatingStore<TreeState, Never>) -> Children<TreeState> {
      Each(\.branches) { Branch(name: "branch \($0)", journal: journal) }
      Child(\.crown) { Branch(name: "crown", journal: journal) }
      Each(\.leaves) { Bare(id: $0, journal: journal) }
    }

    func onAction(_ action: Never, store: MutatingStore<TreeState, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<TreeState, Never>) -> Subscription {
      journal.add("tree")
      return .empty
    }
  }

  /// A leaf without hooks and children.
  struct Bare: Interactor {
    init(id: Int, journal: StationJournal) { journal.add("leaf \(id) is made") }

    func onAction(_ action: Never, store: MutatingStore<LeafState, Never>) {}
  }

  private let journal = StationJournal()

  @Test("H1 C4 Hooks are connected before those of children, which begin as they are declared")
  func order() {
    let store = Store(state: TreeState(), interactor: Tree(journal: journal))
    #expect(
      journal.lines == [
        "tree", "branch 1", "leaf of branch 1", "branch 2", "leaf of branch 2", "crown",
        "leaf of crown",
      ])
    withExtendedLifetime(store) {}
  }

  @Test("C7 A child without hooks that was asked for lives until its state goes")
  func asked() {
    let store = Store(
      state: TreeState(branches: [], leaves: [LeafState(id: 1)]),
      interactor: Tree(journal: journal))
    journal.lines = []
    for _ in 1...3 { _ = store.child(\.leaves, id: 1, Bare.self) }
    #expect(journal.lines == ["leaf 1 is made"])
    store.instruments.arranging.leaves = []
    store.instruments.arranging.leaves = [LeafState(id: 1)]
    #expect(journal.lines == ["leaf 1 is made"])
    _ = store.child(\.leaves, id: 1, Bare.self)
    #expect(journal.lines == ["leaf 1 is made", "leaf 1 is made"])
  }

  @Test(
    "H1 C4 A state that a hook adds begins after all hooks of the parent, or when it is asked for",
    arguments: [false, true])
  func addedByHook(asks: Bool) {
    struct Planting: Interactor {
      enum Hook: CaseIterable { case plant, watch }
      let asks: Bool
      let journal: StationJournal

      func children(of store: MutatingStore<TreeState, Never>) -> Children<TreeState> {
        Child(\.crown) { Branch(name: "crown", journal: journal) }
        Each(\.branches) { Branch(name: "branch \($0)", journal: journal) }
      }

      func onAction(_ action: Never, store: MutatingStore<TreeState, Never>) {}

      func subscription(for hook: Hook, store: MutatingStore<TreeState, Never>) -> Subscription {
        journal.add("\(hook)")
        guard hook == .plant else { return .empty }
        store.branches = [BranchState(id: 5)]
        if asks { _ = store.child(\.branches, id: 5, Branch.self) }
        return .empty
      }
    }
    let store = Store(state: TreeState(), interactor: Planting(asks: asks, journal: journal))
    let branch = ["branch 5", "leaf of branch 5"]
    let others = ["watch", "crown", "leaf of crown"]
    #expect(journal.lines == ["plant"] + (asks ? branch + others : others + branch))
    withExtendedLifetime(store) {}
  }

  /// A branch without hooks, whose leaf calls a closure when it begins.
  struct Twig: Interactor {
    let onBegin: @MainActor () -> Void

    init(name: String, journal: StationJournal, onBegin: @escaping @MainActor () -> Void) {
      journal.add("\(name) is made")
      self.onBegin = onBegin
    }

    func children(of store: MutatingStore<BranchState, Never>) -> Children<BranchState> {
      Child(\.leaf) { Calling(onBegin: onBegin) }
    }

    func onAction(_ action: Never, store: MutatingStore<BranchState, Never>) {}
  }

  struct Calling: Interactor {
    let onBegin: @MainActor () -> Void

    func onAction(_ action: Never, store: MutatingStore<LeafState, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<LeafState, Never>) -> Subscription {
      onBegin()
      return .empty
    }
  }

  @Test("C7 A child that begins while it is found out whether its kind has children is made once")
  func foundOutMeanwhile() {
    struct Hedge: Interactor {
      let journal: StationJournal

      func children(of store: MutatingStore<TreeState, Never>) -> Children<TreeState> {
        // It begins first, and asks for a branch that has come in the same commit.
        Each(\.leaves) { _ in
          Calling { _ = store.child(\.branches, id: 1, Twig.self) }
        }
        Each(\.branches) { id in
          Twig(name: "branch \(id)", journal: journal) {
            if store.branches.count == 1 { store.branches.append(BranchState(id: 9)) }
          }
        }
      }

      func onAction(_ action: Never, store: MutatingStore<TreeState, Never>) {}
    }
    let store = Store(state: TreeState(branches: []), interactor: Hedge(journal: journal))
    store.instruments.arranging.state = TreeState(
      branches: [BranchState(id: 1)], leaves: [LeafState(id: 1)])
    #expect(journal.lines == ["branch 1 is made", "branch 9 is made"])
  }
}
