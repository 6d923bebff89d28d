import Testing

@testable import Signalbox

/// Children whose parent is released in the middle of their own changes.
@MainActor struct EndingChildTests {
  /// Runs its bodies once, when a value is compared or computed, and in the hook of a child.
  @MainActor final class Trap {
    var body: (@MainActor () -> Void)?
    var hook: (@MainActor (MutatingStore<PartState, PartAction>) -> Void)?

    nonisolated func spring() { MainActor.assumeIsolated { body.take()?() } }
  }

  struct Sly: Equatable {
    var number = 0
    let trap: Trap

    static func == (l: Sly, r: Sly) -> Bool {
      l.trap.spring()
      return l.number == r.number
    }
  }

  struct PartState: Identifiable {
    var id = 0
    var sly: Sly
    var count = 0
    var names = ["a name that is too long to be stored in place"]
    var double: Int {
      sly.trap.spring()
      return count * 2
    }
  }

  enum PartAction { case release, grow }

  struct Part: Interactor {
    func onAction(_ action: PartAction, store: MutatingStore<PartState, PartAction>) {
      let trap = store.sly.trap
      switch action {
      case .release: change(&store.count) { trap.spring() }
      case .grow: change(&store.names) { trap.spring() }
      }
      store.names.append("late")
      store.names.append("later")
      store.update { $0.count = 100 }
    }

    func subscription(for hook: OnlyHook, store: MutatingStore<PartState, PartAction>)
      -> Subscription
    {
      store.publisher.sly.sink { $0.trap.hook.take()?(store) }
    }
  }

  struct WholeState {
    var title = "a title that is too long to be stored in place"
    var fixed: PartState
    var parts: [PartState]
  }

  struct Whole: Interactor {
    func children(of store: MutatingStore<WholeState, Never>) -> Children<WholeState> {
      Child(\.fixed) { Part() }
      Each(\.parts) { _ in Part() }
    }

    func onAction(_ action: Never, store: MutatingStore<WholeState, Never>) {}
  }

  /// A child, and what releases its parent.
  private func child(isFixed: Bool) throws -> (
    child: Store<PartState, PartAction>, trap: Trap, release: @MainActor () -> Void
  ) {
    let trap = Trap()
    let part = PartState(sly: Sly(trap: trap))
    var whole: Store<WholeState, Never>? = Store(
      state: WholeState(fixed: part, parts: [part]), interactor: Whole())
    let child =
      isFixed
      ? whole?.child(\.fixed, Part.self) : whole?.child(\.parts, id: 0, Part.self)
    return (try #require(child), trap, { whole = nil })
  }

  @Test("S6 C6 A comparison that releases the parent traps with a message")
  func comparison() async {
    expectError(
      "while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          guard let (child, trap, release) = try? EndingChildTests().child(isFixed: false) else {
            return
          }
          trap.body = release
          child.binder.sly.wrappedValue = Sly(number: 1, trap: trap)
        }
      })
  }

  @Test("C6 A change in place that releases the parent harms nothing", arguments: [true, false])
  func inPlace(isFixed: Bool) throws {
    for (action, isObserved) in [
      (PartAction.release, true), (.release, false), (.grow, true), (.grow, false),
    ] {
      let (child, trap, release) = try child(isFixed: isFixed)
      trap.body = release
      var seen = 0
      let subscription =
        isObserved ? child.publisher.sink { _ in seen += 1 } : child.publisher.id.sink { _ in }
      child.dispatch(action)
      #expect(trap.body == nil)
      #expect(child.count == (action == .release ? 1 : 0))
      #expect(child.names.count == (action == .grow ? 2 : 1))
      #expect(seen == 0)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(
    "C6 What a hook writes after it has released the parent is dropped",
    arguments: [
      true, false,
    ])
  func inHook(isFixed: Bool) throws {
    let (child, trap, release) = try child(isFixed: isFixed)
    trap.hook = { store in
      trap.body = release
      change(&store.names) { trap.spring() }
      store.names.append("late")
      store.names.append("later")
      store.count += 1
      store.update { $0.count += 1 }
    }
    child.binder.sly.wrappedValue = Sly(number: 1, trap: trap)
    #expect(trap.body == nil)
    #expect(child.names.count == 2)
    #expect(child.count == 0)
  }

  /// An id whose `==` writes to the store.
  struct MeddlingID: Hashable {
    @MainActor final class Meddler { var write: (@MainActor () -> Void)? }
    let meddler: Meddler

    static func == (l: MeddlingID, r: MeddlingID) -> Bool {
      MainActor.assumeIsolated { l.meddler.write?() }
      return true
    }

    func hash(into hasher: inout Hasher) {}
  }

  struct MeddlingState { var title = "", items: [MeddlingItem] = [] }
  struct MeddlingItem: Identifiable { let id: MeddlingID }

  struct Meddling: Interactor {
    func children(of store: MutatingStore<MeddlingState, Never>) -> Children<MeddlingState> {
      Each(\.items) { _ in MeddlingPart() }
    }
    func onAction(_ action: Never, store: MutatingStore<MeddlingState, Never>) {}
  }

  struct MeddlingPart: Interactor {
    func onAction(_ action: Never, store: MutatingStore<MeddlingItem, Never>) {}
  }

  @Test("C4 An id that writes while a change looks for the children traps with a message")
  func meddlingID() async {
    expectError(
      "The store was used while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let id = MeddlingID(meddler: .init())
          let store = Store(
            state: MeddlingState(items: [MeddlingItem(id: id)]), interactor: Meddling())
          let child = store.child(\.items, id: id, MeddlingPart.self)
          let parent = store.instruments.arranging
          id.meddler.write = {
            id.meddler.write = nil
            parent.title = "written"
          }
          parent.items = []
          withExtendedLifetime(child) {}
        }
      })
  }
}

/// Changes a value in place, and runs a body before it is done.
@MainActor private func change(_ value: inout Int, _ body: () -> Void) {
  value += 1
  body()
}

@MainActor private func change(_ value: inout [String], _ body: () -> Void) {
  value.append("in place")
  body()
}
