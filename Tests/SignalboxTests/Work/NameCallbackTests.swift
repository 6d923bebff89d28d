import Signalbox
import Testing

/// Tests names whose `==` calls back while the store looks up their work.
@MainActor struct NameCallbackTests {
  @MainActor private enum Call {
    static var back: () -> Void = {}
  }

  private struct Name: Hashable, Sendable {
    var text: String

    static func == (l: Self, r: Self) -> Bool {
      MainActor.assumeIsolated {
        let body = Call.back
        Call.back = {}
        body()
      }
      return l.text == r.text
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private struct Step: CancellableAction {
    var text: String
    var overlap: Overlap
    var cancelIdentifier: Name? { Name(text: "name") }

    init(_ text: String, _ overlap: Overlap = .latest) {
      self.text = text
      self.overlap = overlap
    }
  }

  private let gate = StoreGate()

  private func makeStore() -> Store<[String], Step> {
    Store(
      state: [],
      actionable: Handling { [gate] step, store in
        store.state.append(step.text)
        if step.text.hasPrefix("waits") { try await gate.pass(step.text) }
      })
  }

  @Test(
    "A4 A7 work that a comparison of names dispatches comes first and leaves nothing behind",
    arguments: [Overlap.latest, .queue])
  func dispatching(overlap: Overlap) async {
    let store = makeStore()
    store.send(Step("waits"))
    Call.back = { store.send(Step("inner", overlap)) }
    store.send(Step("outer", overlap))
    #expect(store.state == (overlap == .queue ? ["waits"] : ["waits", "inner", "outer"]))
    gate.open("waits")
    await store.settle()
    #expect(store.state == ["waits", "inner", "outer"])
    #expect(store.runningCount == 0)
  }

  @Test("A9 an action does not start if a comparison of its name released the store")
  func releasing() async {
    var handle: MutatingStore<[String], Step>?
    var store: Store<[String], Step>? = Store(
      state: [],
      actionable: Handling { [gate] step, store in
        handle = store
        try await gate.pass(step.text)
      })
    store?.send(Step("waits"))
    Call.back = { store = nil }
    let task = handle?.send(Step("late"))
    #expect(store == nil && task?.isCancelled == true)
    await task?.value
    gate.open("waits")
  }

  @Test("A4 work of a name whose other work a comparison cancels starts and is known by its name")
  func cancelling() {
    let store = makeStore()
    store.send(Step("waits"))
    Call.back = { store.cancelAll() }
    store.send(Step("waits next", .queue))
    #expect(store.state == ["waits", "waits next"])
    #expect(store.isRunning(id: Name(text: "name")))
    store.cancelAll()
    for door in ["waits", "waits next"] { gate.open(door) }
  }
}
