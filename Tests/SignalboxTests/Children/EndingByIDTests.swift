import Testing

@testable import Signalbox

/// Children whose ids release the root, or ask it for a child, when they are compared or hashed.
@MainActor struct EndingByIDTests {
  /// Runs a body at the next comparison or hash.
  @MainActor private final class Fuse {
    var body: (@MainActor () -> Void)?

    nonisolated func touch() { MainActor.assumeIsolated { body.take()?() } }
  }

  private struct Key: Hashable {
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

  private struct LeafState: Identifiable {
    let id: Key
    var text = ""
  }

  private struct TreeState {
    var leaves: [LeafState] = []
    var named: [Key: LeafState] = [:]
  }

  private struct Leaf: Interactor {
    func onAction(_ action: String, store: MutatingStore<LeafState, String>) { store.text = action }
  }

  private struct Tree: Interactor {
    func children(of store: MutatingStore<TreeState, Never>) -> Children<TreeState> {
      Each(\.leaves) { _ in Leaf() }
      Each(\.named) { _ in Leaf() }
    }

    func onAction(_ action: Never, store: MutatingStore<TreeState, Never>) {}
  }

  /// Writes in a child whose id releases the store, which ends the process.
  private static func trap(inDictionary: Bool) {
    let fuse = Fuse()
    let key = Key(number: 1, fuse: fuse)
    var store: Store<TreeState, Never>? = Store(
      state: TreeState(leaves: [LeafState(id: key)], named: [key: LeafState(id: key)]),
      interactor: Tree())
    let leaf =
      inDictionary
      ? store?.child(\.named, id: key, Leaf.self) : store?.child(\.leaves, id: key, Leaf.self)
    fuse.body = { store = nil }
    leaf?.dispatch("leaf")
  }

  @Test("S6 C6 An id that releases the parent when it is compared or hashed traps with a message")
  func ids() async {
    for result in [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Self.trap(inDictionary: false) }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Self.trap(inDictionary: true) }
      },
    ] {
      expectError("while its state was being compared or computed", from: result)
    }
  }

  /// Ends a child whose id asks for its sibling when it is hashed, which ends the process.
  private static func ask() {
    let fuse = Fuse()
    let keys = [Key(number: 1, fuse: fuse), Key(number: 2, fuse: Fuse())]
    let store = Store(
      state: TreeState(leaves: keys.map { LeafState(id: $0) }), interactor: Tree())
    let leaves = keys.map { store.child(\.leaves, id: $0, Leaf.self) }
    func arm() {
      fuse.body = {
        _ = store.child(\.leaves, id: keys[1], Leaf.self)
        arm()
      }
    }
    arm()
    store.instruments.arranging.leaves.removeFirst()
    withExtendedLifetime(leaves) {}
  }

  @Test("S6 C6 An id that asks for a child while one is removed traps with a message")
  func asking() async {
    expectError(
      "while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { Self.ask() }
      })
  }
}
