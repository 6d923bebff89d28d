import Signalbox
import Testing

/// Tests that `assign(to:on:)` in a hook behaves as every other sink of that hook.
@MainActor struct AssignOnTests {
  private final class Label {
    var text = "" { didSet { writes += 1 } }
    private(set) var writes = 0
  }

  private struct Labelling: Hookable {
    typealias State = Desk
    typealias Action = Never

    let connect: @MainActor (MutatingStore<Desk, Never>) -> Subscription

    func subscription(for hook: OneHook, store: MutatingStore<Desk, Never>) -> Subscription {
      connect(store)
    }
  }

  @Test("H2 H4 writes of assign(to:on:) are attributed to the hook that made it")
  func attributed() {
    let label = Label()
    let store = Store(
      state: Desk(),
      hookable: Labelling { $0.publisher.title.assign(to: \.text, on: label) })
    var fired: [String] = []
    let watching = store.events.sink {
      if case .hookFired(let name, let value) = $0.kind { fired.append("\(name) \(value)") }
    }
    store.binder.title.wrappedValue = "a"
    #expect(label.text == "a")
    #expect(fired == ["only a"])
    watching.cancel()
  }

  @Test("H3 assign(to:on:) writes nothing after deactivateHooks, even if its subscription is kept")
  func withheld() {
    let label = Label()
    var kept: Subscription?
    let store = Store(
      state: Desk(),
      hookable: Labelling { store in
        kept = store.publisher.title.assign(to: \.text, on: label)
        return .empty
      })
    store.binder.title.wrappedValue = "a"
    store.deactivateHooks()
    store.binder.title.wrappedValue = "b"
    #expect(label.text == "a" && label.writes == 1)
    withExtendedLifetime(kept) {}
  }

  @Test("S13 assign(to:on:) ends with the next value after its object was released")
  func objectGone() {
    let emitter = Emitter<String>()
    var cancels = 0
    var label: Label? = Label()
    let subscription = label.map {
      emitter.handleEvents(receiveCancel: { cancels += 1 }).assign(to: \.text, on: $0)
    }
    emitter.send("a")
    #expect(label?.text == "a" && cancels == 0)
    label = nil
    emitter.send("b")
    #expect(cancels == 1)
    withExtendedLifetime(subscription) {}
  }
}
