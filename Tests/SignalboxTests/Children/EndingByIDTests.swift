import Testing

@testable import Signalbox

/// Children whose ids release the root when they are compared or hashed.
@MainActor struct EndingByIDTests {
  /// Runs a body at one of the next comparisons or hashes.
  @MainActor final class Fuse {
    private var left = 0
    private var body: (@MainActor () -> Void)?

    func light(after left: Int, _ body: @escaping @MainActor () -> Void) {
      (self.left, self.body) = (left, body)
    }

    /// Tells whether the body has not run, and forgets it.
    func putOut() -> Bool { body.take() != nil }

    nonisolated func touch() {
      MainActor.assumeIsolated {
        left -= 1
        if left < 0 { body.take()?() }
      }
    }
  }

  struct Key: Hashable {
    let number: Int
    let fuse: Fuse

    static func == (l: Key, r: Key) -> Bool {
      l.fuse.touch()
      return l.number == r.number
    }

    func hash(into hasher: inout Hasher) {
      fuse.touch()
      hasher.combine(number)
    }
  }

  struct LeafState: Identifiable {
    let id: Key
    var text = ""
  }

  struct BranchState: Identifiable {
    let id: Key
    var text = ""
    var leaves: [LeafState] = []
    var named: [Key: LeafState] = [:]
    var single: LeafState?
  }

  struct TreeState {
    var branches: [BranchState] = []
    var named: [Key: BranchState] = [:]
    var single: BranchState?
  }

  struct Leaf: Interactor {
    func onAction(_ action: String, store: MutatingStore<LeafState, String>) { store.text = action }

    func subscription(for hook: OnlyHook, store: MutatingStore<LeafState, String>) -> Subscription {
      store.publisher.text.sink { _ in }
    }
  }

  struct Branch: Interactor {
    func children(of store: MutatingStore<BranchState, String>) -> Children<BranchState> {
      Each(\.leaves) { _ in Leaf() }
      Each(\.named) { _ in Leaf() }
      Child(\.single) { Leaf() }
    }

    func onAction(_ action: String, store: MutatingStore<BranchState, String>) {
      store.text = action
    }
  }

  struct Tree: Interactor {
    func children(of store: MutatingStore<TreeState, Never>) -> Children<TreeState> {
      Each(\.branches) { _ in Branch() }
      Each(\.named) { _ in Branch() }
      Child(\.single) { Branch() }
    }

    func onAction(_ action: Never, store: MutatingStore<TreeState, Never>) {}
  }

  /// Runs a test again and again, and releases the root at each comparison and hash in turn.
  private func atEachTouch(_ test: (Fuse, Int) throws -> Bool) rethrows {
    var count = 0
    while try !test(Fuse(), count) { count += 1 }
    #expect(count > 20)
  }

  @Test("C6 An id of an array that releases the parent when it is compared or hashed harms nothing")
  func elements() throws {
    try atEachTouch { fuse, count in
      let (one, two) = (Key(number: 1, fuse: fuse), Key(number: 2, fuse: fuse))
      var store: Store<TreeState, Never>? = Store(
        state: TreeState(branches: [BranchState(id: one, leaves: [LeafState(id: one)])]),
        interactor: Tree())
      let branch = try #require(store?.child(\.branches, id: one, Branch.self))
      let leaf = try #require(branch.child(\.leaves, id: one, Leaf.self))
      fuse.light(after: count) { store = nil }
      use(leaf, of: branch)
      branch.instruments.arranging.leaves = [LeafState(id: two), LeafState(id: one)]
      _ = branch.child(\.leaves, id: two, Leaf.self)?.text
      branch.instruments.arranging.leaves = []
      let isOver = fuse.putOut()
      store = nil
      useLate(leaf, of: branch)
      return isOver
    }
  }

  @Test(
    "C6 A key of a dictionary that releases the parent when it is compared or hashed harms nothing")
  func values() throws {
    try atEachTouch { fuse, count in
      let (one, two) = (Key(number: 1, fuse: fuse), Key(number: 2, fuse: fuse))
      var store: Store<TreeState, Never>? = Store(
        state: TreeState(named: [one: BranchState(id: one, named: [one: LeafState(id: one)])]),
        interactor: Tree())
      let branch = try #require(store?.child(\.named, id: one, Branch.self))
      let leaf = try #require(branch.child(\.named, id: one, Leaf.self))
      fuse.light(after: count) { store = nil }
      use(leaf, of: branch)
      branch.instruments.arranging.named = [two: LeafState(id: two), one: LeafState(id: one)]
      _ = branch.child(\.named, id: two, Leaf.self)?.text
      branch.instruments.arranging.named = [:]
      let isOver = fuse.putOut()
      store = nil
      useLate(leaf, of: branch)
      return isOver
    }
  }

  @Test(
    "C6 C14 An id of an optional that releases the parent when it is compared or hashed harms nothing"
  )
  func optionals() throws {
    try atEachTouch { fuse, count in
      let (one, two) = (Key(number: 1, fuse: fuse), Key(number: 2, fuse: fuse))
      var store: Store<TreeState, Never>? = Store(
        state: TreeState(single: BranchState(id: one, single: LeafState(id: one))),
        interactor: Tree())
      let branch = try #require(store?.child(\.single, Branch.self))
      let leaf = try #require(branch.child(\.single, Leaf.self))
      fuse.light(after: count) { store = nil }
      use(leaf, of: branch)
      branch.instruments.arranging.single = LeafState(id: two)
      _ = branch.child(\.single, Leaf.self)?.text
      branch.instruments.arranging.single = nil
      let isOver = fuse.putOut()
      store = nil
      useLate(leaf, of: branch)
      return isOver
    }
  }

  private func use(_ leaf: Store<LeafState, String>, of branch: Store<BranchState, String>) {
    _ = leaf.text
    leaf.dispatch("leaf")
    leaf.instruments.arranging.text += "."
    leaf.instruments.arranging.update { $0.text += "." }
    branch.dispatch("branch")
    branch.instruments.arranging.text += "."
  }

  /// Handles that were kept do nothing, and no write traps.
  private func useLate(_ leaf: Store<LeafState, String>, of branch: Store<BranchState, String>) {
    leaf.binder.text.wrappedValue = "late"
    branch.binder.text.wrappedValue = "late"
    branch.instruments.arranging.update { $0.text = "late" }
    #expect(leaf.text != "late")
    #expect(branch.text != "late")
  }
}
