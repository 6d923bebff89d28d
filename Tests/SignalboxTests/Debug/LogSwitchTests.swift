import Signalbox
import Testing

/// Tests logging that is enabled in the middle of an action or a write.
extension DebugStoreTests {
  private struct Meter: Equatable {
    var count = 0
    var list: [Int] = []
  }

  @Test("D1 when logging starts during an action, the next write of that action is logged")
  func inFlight() async {
    for write in [
      { $0.count = 1 }, { $0.list.append(1) }, { $0.update { $0.count = 1 } },
      { store in store.batch { store.count = 1 } },
    ] as [@MainActor (MutatingStore<Meter, String>) -> Void] {
      let store = Store(
        state: Meter(),
        actionable: Handling<Meter, String> { [gate] _, store in
          try await gate.pass("door")
          write(store)
        })
      let task = store.send("go")
      let log = await logged(.include([Meter.self])) {
        gate.open("door")
        await task.settled
      }
      #expect(heads(log) == ["Meter: started", "Meter: changed"], "\(log)")
      #expect(log.first?.contains("Meter(count: 0, list: [])") == true)
    }
  }

  @Test("D1 a write through a binder is logged even if nothing has happened before it")
  func binder() async {
    let store = Store(state: Meter())
    let log = await logged(.include([Meter.self])) {
      store.binder.count.wrappedValue = 1
      store.binder.count.wrappedValue = 2
    }
    #expect(heads(log) == ["Meter: started", "Meter: changed", "Meter: changed"], "\(log)")
  }

  @Test("D1 logging that starts in an action before it writes has the write")
  func byItself() async {
    let store = Store(
      state: Meter(),
      actionable: Handling<Meter, String> { _, store in
        DebugStore.enableLogging(.include([Meter.self]))
        store.count = 1
      })
    let log = await logged(.exclude([Meter.self])) { store.send("go") }
    #expect(heads(log).prefix(2) == ["Meter: started", "Meter: changed"], "\(log)")
  }

  @Test("D1 A12 the log names a cancel as the cause of what `onCancel` does")
  func cancelAsCause() async {
    let store = Store(state: Meter(), actionable: Cleaning(gate: gate))
    let log = await logged(.include([Meter.self])) {
      store.send("go").cancel()
      gate.open("go")
    }
    #expect(
      heads(log) == [
        "Meter: started", #"Meter: "go""#, #"Meter: "go" cancelled"#,
        #"Meter: changed ← cancel of "go""#,
      ], "\(log)")
  }

  private struct Cleaning: Actionable {
    let gate: StoreGate

    func onAction(_ action: String, store: MutatingStore<Meter, String>) async throws {
      try await gate.pass(action)
    }

    func onCancel(_ action: String, store: MutatingStore<Meter, String>) { store.count += 1 }
  }

  @Test("D1 a print closure may write to the store when it is replaced")
  func replaced() async {
    let store = Store(state: Meter())
    let log = await logged(.include([Meter.self])) {
      let print = DebugStore.print
      do {
        let last = LastWrite { store.binder.count.wrappedValue = 2 }
        DebugStore.print = { line in withExtendedLifetime(last) { print(line) } }
      }
      store.binder.count.wrappedValue = 1
      DebugStore.print = print
    }
    #expect(heads(log) == ["Meter: started", "Meter: changed", "Meter: changed"], "\(log)")
    #expect(store.count == 2)
  }

  @MainActor private final class LastWrite {
    private let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    deinit { MainActor.assumeIsolated { [body] in body() } }
  }

  private struct Held {
    var count = 0
    var token: Token?
  }

  @MainActor private final class Owner { var store: Store<Held, Never>? }

  @Test("D1 A9 logging keeps nothing of a store that was released")
  func released() async {
    for isInFirstLine in [false, true] {
      let owner = Owner()
      weak var token: Token?
      func makeStore() {
        let own = Token()
        token = own
        owner.store = Store(state: Held(token: own))
      }
      if isInFirstLine { makeStore() }
      _ = await logged(.include([Held.self])) {
        let print = DebugStore.print
        if isInFirstLine {
          DebugStore.print = { line in
            print(line)
            owner.store = nil
          }
        } else {
          makeStore()
        }
        owner.store?.binder.count.wrappedValue = 1
        DebugStore.print = print
        owner.store = nil
        #expect(token == nil)
      }
    }
  }
}
