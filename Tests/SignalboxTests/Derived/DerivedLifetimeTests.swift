import Signalbox
import Testing

/// What a store keeps of derived values, and for how long.
@MainActor struct DerivedLifetimeTests {
  private let rig = StateRig(Cart())
  private let values = CartValues()
  private var store: MutatingStore<Cart, Never> { rig.write }

  @Test("V4 M2 a derived value keeps nothing that it has read")
  func keepsNoInput() {
    let count = Derived<Cart, Int> { $0.archive.count + $0.archive[0] }
    let counts = StateRecorder(rig.store.publisher[count])
    #expect(
      rig.keeps(\.archive) {
        store.archive.append(1)
        _ = store[count]
        store.archive.append(2)
      })
    #expect(counts.values == [100_001, 100_002])
    counts.cancel()
    #expect(
      rig.keeps(\.archive) {
        _ = store[count]
        store.archive.append(3)
        store.archive.append(4)
      })
  }

  @Test("V1 S13 a store and what a derived value has captured are released")
  func lifetime() {
    weak var token: SignalToken?
    weak var released: Store<Cart, Never>?
    do {
      let rig = StateRig(Cart())
      let captured = SignalToken()
      (token, released) = (captured, rig.store)
      let value = Derived<Cart, Int> { [captured] in
        $0.lines.count + $0.part(\.settings).rate + captured.number
      }
      let counts = StateRecorder(rig.store.publisher[value])
      #expect(rig.store[value] == 5)
      rig.write.lines = []
      #expect(rig.store[value] == 2)
      #expect(counts.values == [2])
    }
    #expect(released == nil)
    #expect(token == nil)
  }

  @Test("V1 a store drops what was read once, when an input changes")
  func dropped() {
    weak var token: SignalToken?
    do {
      let captured = SignalToken()
      token = captured
      _ = store[Derived<Cart, Int> { [captured] in $0.lines.count + captured.number }]
    }
    #expect(token != nil)
    store.lines = []
    #expect(token == nil)
    #expect(store[values.total] == 0)
  }

  @Test("V1 a store drops a result that was read once, if nothing can ask for it again")
  func droppedWithDerivedInputs() {
    weak var token: SignalToken?
    do {
      let captured = SignalToken()
      token = captured
      let once = Derived<Cart, Int> { [captured] cart in
        cart.each(\.lines, \.price).count + captured.number
      }
      _ = store[once]
    }
    #expect(token != nil)
    store.lines = []
    #expect(token == nil)
  }

  @Test("V4 a change in place counts, even if the same batch changes it back")
  func changedBack() {
    let totals = StateRecorder(rig.store.publisher[values.total])
    _ = values.counter.take()
    store.batch {
      store.lines[0].price += 1
      store.lines[0].price -= 1
    }
    #expect(values.counter.take() == 1)
    #expect(totals.values == [])
  }
}
