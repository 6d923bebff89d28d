import Signalbox
import Testing

/// Tests the log.
///
/// There is only one, so these tests run serially, each with its own stores.
@MainActor @Suite(.opensGates, .serialized) struct DebugStoreTests {
  private struct Page: Equatable {
    var text = ""
    var count = 0
    var password = "s3cret"
    @Redacted var token = "t0ken"
  }

  private enum Edit: CancellableAction {
    case write(String)
    case count(String)
    case fail

    var cancelIdentifier: String? { if case .count = self { "count" } else { nil } }
  }

  private enum Watch: CaseIterable { case text, password }

  private struct Editor: Interactor {
    let gate: StoreGate
    let returned: StoreMoment

    func onAction(_ edit: Edit, store: MutatingStore<Page, Edit>) async throws {
      switch edit {
      case .write(let text): store.text = text
      case .count(let door):
        defer { if door == "late" { returned.happen() } }
        try await gate.pass(door)
        store.count += 1
      case .fail: throw Refusal(reason: "no")
      }
    }

    func subscription(for hook: Watch, store: MutatingStore<Page, Edit>) -> Subscription {
      switch hook {
      case .text:
        store.publisher.text.map(\.count).assign(to: \.count, using: store)
      case .password: store.publisher.password.sink { _ in }
      }
    }
  }

  let gate = StoreGate()
  private let returned = StoreMoment()

  /// The lines that are printed while a body runs.
  func logged(
    _ filter: DebugStore.Filter? = .include([Page.self]),
    _ body: @MainActor () async -> Void
  ) async -> [String] {
    var lines: [String] = []
    let print = DebugStore.print
    DebugStore.print = { lines.append($0) }
    DebugStore.enableLogging(filter)
    await body()
    DebugStore.disableLogging()
    DebugStore.print = print
    return lines.map(timeless)
  }

  /// Masks durations, which differ from run to run.
  private func timeless(_ text: String) -> String {
    text.replacing(/after [0-9.]+ ms/, with: "after … ms")
  }

  private func makeStore() -> Store<Page, Edit> {
    Store(state: Page(), interactor: Editor(gate: gate, returned: returned))
  }

  @Test("D1 the log has the first state, actions, changes as diffs, hooks with values, and causes")
  func session() async {
    let log = await logged {
      let store = makeStore()
      store.send(.write("hi"))
    }
    #expect(
      log == [
        """
        Page: started
          Page(text: "", count: 0, password: "s3cret", token: <redacted>)
        """,
        "Page: Edit.write(\"hi\")",
        """
        Page: changed ← Edit.write("hi")
          Page(
        -   text: ""
        +   text: "hi"
            … 3 unchanged
          )
        """,
        "Page: hook text: 2 ← change ← Edit.write(\"hi\")",
        """
        Page: changed ← hook text
          Page(
        -   count: 0
        +   count: 2
            … 3 unchanged
          )
        """,
        "Page: Edit.write(\"hi\") finished after … ms",
      ])
  }

  @Test("O7 D1 the log shows pending changes, and those that were confirmed or taken back")
  func pendingChanges() async {
    let log = await logged {
      let store = Store<Page, Int>(
        state: Page(),
        actionable: HandlingErrors(
          handle: { number, store in
            let pending = store.optimistic { $0.count = number }
            if number == 1 { throw Refusal(reason: "no") }
            pending.confirm()
          }, recover: { _, _, _ in }))
      store.send(1)
      store.send(2)
    }
    let headlines = log.compactMap { $0.split(separator: "\n").first.map(String.init) }
    #expect(
      headlines == [
        "Page: started", "Page: 1", "Page: pending change of 1 ← 1",
        "Page: changed ← pending change", "Page: 1 failed: Refusal(reason: \"no\")",
        "Page: change taken back of 1 ← error of 1", "Page: changed ← change taken back",
        "Page: 2", "Page: pending change of 2 ← 2", "Page: changed ← pending change",
        "Page: confirmed change of 2 ← 2", "Page: 2 finished after … ms",
      ])
  }

  @Test("D1 the log names superseded and dropped work and the work that caused it")
  func staleWork() async {
    let log = await logged {
      let store = makeStore()
      store.send(.count("late"))
      store.send(.count("new"))
      gate.open("late")
      await returned.arrival
      store.cancelAll()
      gate.open("new")
    }
    let lines = log.dropFirst().map { String($0.prefix { $0 != "\n" }) }
    #expect(
      lines == [
        "Page: Edit.count(\"late\")", "Page: Edit.count(\"new\")",
        "Page: Edit.count(\"late\") superseded by Edit.count(\"new\")",
        "Page: dropped change of stale Edit.count(\"late\")",
        "Page: Edit.count(\"new\") cancelled",
      ])
  }

  @Test("D1 A8 errors are logged, and an unhandled error once as unhandled")
  func errors() async {
    let log = await logged {
      let store = makeStore()
      store.send(.fail)
    }
    #expect(
      log.dropFirst() == [
        "Page: Edit.fail", "Page: Edit.fail failed: Refusal(reason: \"no\")",
        "Page: unhandled error of Edit.fail: Refusal(reason: \"no\")",
      ])
  }

  @Test("D1 a store that already exists is logged from the next thing that happens in it")
  func laterOn() async {
    let store = makeStore()
    store.send(.write("before"))
    let log = await logged { store.send(.write("after")) }
    #expect(log.count == 6)
    #expect(log.first?.contains("text: \"before\"") == true)
    #expect(log.dropFirst().first == "Page: Edit.write(\"after\")")
  }

  @Test("D1 filters choose the stores that are logged")
  func filters() async {
    struct Other: Equatable { var count = 0 }
    let none = await logged(.include([Other.self])) {
      let store = makeStore()
      store.send(.write("x"))
    }
    #expect(none.isEmpty)
    // Other tests may run at the same time, and their stores are logged as well.
    let others = await logged(.exclude([Page.self])) {
      let store = makeStore()
      store.send(.write("x"))
    }
    #expect(!others.contains { $0.hasPrefix("Page:") })
  }

  @Test("D5 while logging is disabled nothing is printed, and no event is made for it")
  func off() async {
    let store = makeStore()
    _ = await logged { store.send(.write("x")) }
    var lines = 0
    let print = DebugStore.print
    DebugStore.print = { _ in lines += 1 }
    store.send(.write("y"))
    store.send(.write("z"))
    DebugStore.print = print
    #expect(lines == 0)
    var ids: [Int] = []
    let one = store.events.sink { ids.append($0.id) }
    one.cancel()
    store.send(.write("unheard"))
    let two = store.events.sink { ids.append($0.id) }
    two.cancel()
    #expect(ids.count == 2 && ids[1] == ids[0] + 1)
  }

  @Test("D4 redacted values are in no state, no diff and no hook value of the log")
  func redaction() async {
    struct Login: Equatable {
      var name = "ann"
      var password = "s3cret"
      @Redacted var token = "t0ken"
    }
    enum Hook: CaseIterable { case password, token, whole }
    DebugStore.redact(\Login.password)
    let log = await logged(.include([Login.self])) {
      let store = Store(
        state: Login(),
        interactor: Hooking<Login, String, Hook>(
          connect: { hook, store in
            switch hook {
            case .password: store.publisher.password.sink { _ in }
            case .token: store.publisher.token.sink { _ in }
            case .whole: store.publisher.sink { _ in }
            }
          },
          handle: { text, store in
            store.password = text
            store.token = text
            store.name = "bob"
          }))
      store.binder.password.wrappedValue = "hidden1"
      store.binder.token.wrappedValue = "hidden2"
      store.binder.name.wrappedValue = "eve"
    }
    let text = log.joined(separator: "\n")
    #expect(text.contains("eve") && text.contains("<redacted>"))
    for secret in ["s3cret", "t0ken", "hidden1", "hidden2"] {
      #expect(!text.contains(secret), "\(text)")
    }
  }

  @Test("D1 a subscriber that logs and one that acts do not change the order of the lines")
  func order() async {
    let log = await logged {
      let store = makeStore()
      let eager = store.publisher.text.sink { [weak store] text in
        if text.count < 3 { store?.send(.write(text + "x")) }
      }
      store.send(.write("a"))
      eager.cancel()
    }
    let heads = log.dropFirst().map { $0.split(separator: "\n").first.map(String.init) ?? "" }
    #expect(heads.count { $0.contains("changed ← Edit.write") } == 3)
    let begun = heads.firstIndex { $0.hasPrefix("Page: Edit.write(\"ax\") ←") }
    let changed = heads.firstIndex { $0 == "Page: changed ← Edit.write(\"ax\")" }
    #expect(begun != nil && changed != nil && (begun ?? 0) < (changed ?? 0))
  }

  @Test("D1 superseded and dropped work is named however much happened meanwhile")
  func longWork() async {
    let log = await logged {
      let store = makeStore()
      store.send(.count("late"))
      for number in 0..<1_500 { store.send(.write("\(number)")) }
      store.send(.count("new"))
      for number in 0..<1_500 { store.send(.write("\(number)")) }
      gate.open("late")
      await returned.arrival
      store.cancelAll()
      gate.open("new")
    }
    let heads = log.map { $0.split(separator: "\n").first.map(String.init) ?? "" }
    #expect(heads.contains(#"Page: Edit.count("late") superseded by Edit.count("new")"#))
    #expect(heads.contains(#"Page: dropped change of stale Edit.count("late")"#))
    #expect(!log.contains { $0.contains("#") })
  }
}
