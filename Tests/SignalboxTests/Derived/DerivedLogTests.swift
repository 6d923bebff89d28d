import Signalbox
import SignalboxTesting
import Testing

// There is only one log. These tests filter it by the type of the state, and run serially.
extension DebugStoreTests {
  private struct Till: Equatable {
    var prices = [1, 2]
    var note = ""
  }

  private struct Vault: Equatable {
    @Redacted var code = [1, 2, 3]
    var door = [7]
  }

  @Test("V3 D1 the log shows a change of an observed derived value, as derived")
  func derived() async {
    let total = Derived<Till, Int>("total") { $0.prices.reduce(0, +) }
    let log = await logged(.include([Till.self])) {
      let store = Store(
        state: Till(),
        interactor: Hooking<Till, Int, OneHook>(
          connect: { _, store in store.publisher[total].sink { _ in } },
          handle: { price, store in store.prices[1] = price }))
      store.send(5)
      store.binder.note.wrappedValue = "x"
      store.binder.prices.wrappedValue = [5, 1]
    }
    #expect(
      heads(log).filter { !$0.contains("finished") } == [
        "Till: started", "Till: 5", "Till: changed ← 5", "Till: derived total: 3 → 6 ← change ← 5",
        "Till: hook only: 6 ← change ← 5", "Till: changed", "Till: changed",
      ])
  }

  @Test("V3 D1 nothing is computed for the log")
  func derivedUnobserved() async {
    var computations = 0
    let total = Derived<Till, Int>("total") {
      computations += 1
      return $0.prices.reduce(0, +)
    }
    let log = await logged(.include([Till.self])) {
      let store = Store(state: Till())
      _ = store[total]
      store.binder.prices.wrappedValue = []
    }
    #expect(heads(log) == ["Till: started", "Till: changed"])
    #expect(computations == 1)
  }

  @Test("D6 a derived value that has read a redacted place is hidden in all texts")
  func derivedRedacted() async {
    let sum = Derived<Vault, Int>("sum") { $0.code.reduce(0, +) }
    let upper = Derived<Vault, Int>("upper") { $0[sum] + 1 }
    let width = Derived<Vault, Int>("width") { $0.door.reduce(0, +) }
    let log = await logged(.include([Vault.self])) {
      let store = Store(
        state: Vault(),
        interactor: Hooking<Vault, Int, OneHook>(
          connect: { _, store in
            combineLatest(store.publisher[upper], store.publisher[width]).map { $0 + $1 }
              .sink { _ in }
          },
          handle: { _, store in
            store.code = [400]
            store.door = [500]
          }))
      store.send(1)
    }
    let text = log.joined(separator: "\n")
    #expect(text.contains("derived upper: <redacted>"), "\(text)")
    #expect(text.contains("derived width: 7 → 500"), "\(text)")
    #expect(text.contains("hook only: <redacted>"), "\(text)")
    #expect(!text.contains("40") && !text.contains("derived sum"), "\(text)")
  }

  @Test("D6 the old value of a derived value is hidden if it was made of something redacted")
  func derivedFromRedacted() async {
    struct Card: Equatable { @Redacted var number = 4711 }
    struct Purse: Equatable {
      var card: Card? = Card()
      @Redacted var pin = 8642
      var showsPin = true
    }
    let digits = Derived<Purse, Int>("digits") { $0.card.map { $0.number + 1 } ?? 0 }
    let pin = Derived<Purse, Int>("pin") { $0.showsPin ? $0.pin + 1 : 0 }
    let upper = Derived<Purse, Int>("upper") { $0[pin] + 1 }
    let log = await logged(.include([Purse.self])) {
      let store = Store(state: Purse())
      let sinks = [
        store.publisher[digits].sink { _ in }, store.publisher[pin].sink { _ in },
        store.publisher[upper].sink { _ in },
      ]
      store.binder.card.wrappedValue = nil
      store.binder.showsPin.wrappedValue = false
      withExtendedLifetime(sinks) {}
    }
    let text = log.joined(separator: "\n")
    for name in ["digits", "pin", "upper"] {
      #expect(text.contains("derived \(name): <redacted>"), "\(text)")
    }
    #expect(!text.contains("4712") && !text.contains("864"), "\(text)")
  }

  @Test("V3 H4 a child's derived value is an event of the child")
  func derivedOfChild() async throws {
    struct Seat: Equatable, Identifiable {
      var id = 1
      var row = 2
    }
    struct Hall: Equatable { var seats = [Seat()] }
    struct Halls: Interactor {
      func children(of store: MutatingStore<Hall, Never>) -> Children<Hall> {
        Each(\.seats) { _ in Seats() }
      }
      func onAction(_ action: Never, store: MutatingStore<Hall, Never>) {}
    }
    struct Seats: Interactor {
      func onAction(_ action: Int, store: MutatingStore<Seat, Int>) { store.row = action }
    }
    let double = Derived<Seat, Int>("double") { $0.row * 2 }
    let log = await logged(.include([Hall.self])) {
      let store = Store(state: Hall(), interactor: Halls())
      let child = store.child(\.seats, id: 1, Seats.self)
      let doubles = child?.publisher[double].sink { _ in }
      child?.send(3)
      withExtendedLifetime(doubles) {}
    }
    #expect(
      heads(log).contains {
        $0.hasPrefix(#"Hall: \.seats[id: 1]: derived double: 4 → 6 ← change"#)
      },
      "\(log)")
  }
}

/// Derived values in test stores.
@MainActor struct DerivedTestStoreTests {
  @Test("V1 a test store reads derived values, and an expectation does not contain them")
  func testStore() async {
    let values = CartValues()
    let store = TestStore(
      state: Cart(),
      interactor: Hooking<Cart, Int, OneHook>(
        connect: { _, store in store.publisher[values.total].sink { _ in } },
        handle: { price, store in store.lines[0].price = price }))
    #expect(store[values.total] == 6)
    await store.dispatch(4) { $0.lines[0].price = 4 }
    #expect(store[values.total] == 9)
  }
}
