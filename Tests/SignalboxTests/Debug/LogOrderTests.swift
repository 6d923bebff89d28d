import Signalbox
import Testing

private struct Booth: Equatable {
  var count = 0
  var row = BoothRow()
}

private struct BoothRow: Equatable { var answer = 0 }

private struct BoothRowFeature: Interactor {
  let gate: StoreGate

  func onAction(_ action: String, store: MutatingStore<BoothRow, String>) async throws {
    try await gate.pass("row")
    store.answer = 1
  }
}

private struct BoothFeature: Interactor {
  let gate: StoreGate

  func onAction(_ action: String, store: MutatingStore<Booth, String>) { store.count += 1 }

  func children(of store: MutatingStore<Booth, String>) -> Children<Booth> {
    Child(\.row) { BoothRowFeature(gate: gate) }
  }
}

// There is only one log. These tests filter it by the type of the state, and run serially.
extension DebugStoreTests {
  /// The first line of each entry.
  func heads(_ log: [String]) -> [String] {
    log.map { $0.split(separator: "\n").first.map(String.init) ?? "" }
  }

  /// Runs a body after each printed line.
  private func afterEachLine(_ body: @escaping @MainActor (String) -> Void) {
    let print = DebugStore.print
    DebugStore.print = { line in
      print(line)
      body(line)
    }
  }

  @Test("D1 the log is in order with what actions and hooks print themselves")
  func ownOutput() async {
    struct Mail: Equatable {
      var to = ""
      var sent = 0
    }
    let log = await logged(.include([Mail.self])) {
      let store = Store(
        state: Mail(),
        interactor: Hooking<Mail, String, OneHook>(
          connect: { _, store in
            store.publisher.to.sink { to in
              DebugStore.print("the hook got \(to)")
              store.sent += 1
              DebugStore.print("the hook wrote")
            }
          },
          handle: { to, store in
            DebugStore.print("the action begins")
            store.to = to
            DebugStore.print("the action wrote")
          }))
      let counter = store.publisher.sent.sink { DebugStore.print("sent \($0)") }
      store.send("ann")
      counter.cancel()
    }
    #expect(
      heads(log) == [
        "Mail: started", "Mail: \"ann\"", "the action begins", "Mail: changed ← \"ann\"",
        "Mail: hook only: \"ann\" ← change ← \"ann\"", "the hook got ann",
        "Mail: changed ← hook only", "the hook wrote", "sent 1", "the action wrote",
        "Mail: \"ann\" finished after … ms",
      ])
  }

  @Test("D1 what printing a line does to the store is logged in order, after that line")
  func callsBack() async {
    struct Echo: Equatable {
      var count = 0
      var heard = 0
    }
    var ids: [Int] = []
    let log = await logged(.include([Echo.self])) {
      let store = Store(
        state: Echo(),
        interactor: Hooking<Echo, String, OneHook>(
          connect: { _, store in store.publisher.count.sink { store.heard = $0 } },
          handle: { action, store in
            if action == "wait" { try await gate.pass("door") }
            store.count += 1
          }))
      let events = store.events.sink { ids.append($0.id) }
      afterEachLine { [weak store] line in
        switch line {
        case "Echo: \"one\"":
          store?.binder.count.wrappedValue = 10
          store?.send("wait")
        case "Echo: \"wait\" ← \"one\"": store?.cancelAll()
        default: break
        }
      }
      store.send("one")
      #expect(store.state == Echo(count: 10, heard: 10))
      events.cancel()
      gate.open("door")
    }
    #expect(
      heads(log) == [
        "Echo: started", "Echo: \"one\"", "Echo: changed ← \"one\"", "Echo: \"wait\" ← \"one\"",
        "Echo: \"one\" cancelled by \"wait\"", "Echo: \"wait\" cancelled by \"wait\"",
        "Echo: hook only: 10 ← change ← \"one\"", "Echo: changed ← hook only",
      ], "\(log)")
    #expect(ids == ids.sorted(), "subscribers get the events in order as well")
  }

  @Test("D1 S17 a print closure that writes at each change is stopped as a loop")
  func endless() async {
    struct Tick: Equatable { var count = 0 }
    let log = await logged(.include([Tick.self])) {
      let store = Store(state: Tick())
      afterEachLine { [weak store] _ in store?.binder.count.wrappedValue += 1 }
      store.binder.count.wrappedValue = 1
      #expect(store.count > 100)
    }
    let loops = heads(log).filter { $0.hasPrefix("Tick: stopped a loop") }
    #expect(loops.count == 1, "\(log.count)")
  }

  @Test("D1 the print closure may end logging, restart it, or release the store")
  func ends() async {
    struct Door: Equatable { var count = 0 }
    var store: Store<Door, String>?
    // This reference lets the store be released while an action is being dispatched.
    var handle: MutatingStore<Door, String>?
    func make() -> Store<Door, String> {
      Store(
        state: Door(),
        actionable: Handling { action, store in
          handle = store
          if action == "off" { store.count += 1 }
        })
    }
    let ended = await logged(.include([Door.self])) {
      store = make()
      afterEachLine { if $0 == "Door: \"off\"" { DebugStore.disableLogging() } }
      store?.send("off")
      store?.send("unheard")
    }
    #expect(heads(ended) == ["Door: started", "Door: \"off\""])
    let anew = await logged(.include([Door.self])) {
      store = make()
      afterEachLine { if $0 == "Door: \"on\"" { DebugStore.enableLogging(.include([Door.self])) } }
      store?.send("on")
      store?.send("off")
    }
    #expect(
      heads(anew) == [
        "Door: started", "Door: \"on\"", "Door: started", "Door: \"on\" finished after … ms",
        "Door: \"off\"", "Door: changed ← \"off\"", "Door: \"off\" finished after … ms",
      ])
    let released = await logged(.include([Door.self])) {
      store = make()
      store?.send("hello")
      afterEachLine { if $0.hasPrefix("Door: \"bye\"") { store = nil } }
      handle?.send("bye")
      #expect(store == nil)
    }
    #expect(
      heads(released).dropFirst(3) == [
        "Door: \"bye\" ← \"hello\"", "Door: \"bye\" ended: the store is gone",
      ])
  }

  @Test("D1 the first line may release the store or end logging")
  func endsAtOnce() async {
    struct Spark: Equatable { var count = 0 }
    let ended = await logged(.include([Spark.self])) {
      afterEachLine { _ in DebugStore.disableLogging() }
      let store = Store(state: Spark())
      store.binder.count.wrappedValue = 1
    }
    #expect(heads(ended) == ["Spark: started"])
    var store: Store<Spark, String>?
    var handle: MutatingStore<Spark, String>?
    store = Store(state: Spark(), actionable: Handling { _, store in handle = store })
    store?.send("hello")
    let released = await logged(.include([Spark.self])) {
      afterEachLine { _ in store = nil }
      handle?.send("go")
      #expect(store == nil)
    }
    #expect(
      heads(released) == ["Spark: started", "Spark: \"go\" ended: the store is gone"])
  }

  @Test("D1 H3 S4 a sink that is cancelled by the line about its value does not receive that value")
  func cancelledByItsLine() async {
    struct Bell: Equatable { var count = 0 }
    for endsAll in [false, true] {
      var rung = 0
      var sink: Subscription?
      _ = await logged(.include([Bell.self])) {
        let store = Store(
          state: Bell(),
          interactor: Hooking<Bell, Int, OneHook>(
            connect: { _, store in
              sink = store.publisher.count.sink { _ in rung += 1 }
              return .empty
            }, handle: { number, store in store.count = number }))
        afterEachLine { [weak store] line in
          guard line.hasPrefix("Bell: hook only") else { return }
          if endsAll { store?.deactivateHooks() } else { sink?.cancel() }
        }
        store.send(1)
        store.send(2)
      }
      #expect(rung == 0)
    }
  }

  @Test("D1 the log names the action of a child that writes, however much has happened meanwhile")
  func longWorkOfChild() async {
    let log = await logged(.include([Booth.self])) {
      let store = Store(state: Booth(), interactor: BoothFeature(gate: gate))
      let row = store.child(\.row, BoothRowFeature.self)
      let waiting = row.send("wait")
      for _ in 0..<1_500 { store.send("tick") }
      gate.open("row")
      await waiting.settled
    }
    #expect(
      heads(log).suffix(2) == [
        "Booth: changed ← \\.row: \"wait\"", "Booth: \\.row: \"wait\" finished after … ms",
      ])
  }

  @Test("D1 the log names the end that removes a mark")
  func removedMarks() async {
    struct Lamp: Equatable { var isBusy = false }
    let log = await logged(.include([Lamp.self])) {
      let store = Store(
        state: Lamp(),
        actionable: Handling<Lamp, String> { _, store in store.mark(\.isBusy) })
      store.send("on")
    }
    #expect(
      heads(log) == [
        "Lamp: started", "Lamp: \"on\"", "Lamp: changed ← \"on\"",
        "Lamp: \"on\" finished after … ms", "Lamp: changed ← end of \"on\"",
      ])
  }
}
