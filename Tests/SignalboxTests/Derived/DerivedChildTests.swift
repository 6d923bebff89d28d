import Signalbox
import Testing

/// Derived values of children and parents.
@MainActor struct DerivedChildTests {
  struct Row: Equatable, Identifiable {
    var id: Int
    var count = 1
    var text = ""
  }
  struct House: Equatable {
    var settings = Cart.Settings()
    var rows = [Row(id: 1), Row(id: 2)]
    var editor: Row?
    var factor = 10
  }

  struct Rows: Interactor {
    func onAction(_ action: Int, store: MutatingStore<Row, Int>) { store.count = action }
  }
  struct SettingsFeature: Interactor {
    func onAction(_ action: Int, store: MutatingStore<Cart.Settings, Int>) { store.rate = action }
  }
  struct HouseFeature: Interactor {
    func children(of store: MutatingStore<House, Int>) -> Children<House> {
      Child(\.settings) { SettingsFeature() }
      Child(\.editor) { Rows() }
      Each(\.rows) { _ in Rows() }
    }
    func onAction(_ action: Int, store: MutatingStore<House, Int>) { store.factor = action }
  }

  private let store = Store(state: House(), interactor: HouseFeature())
  private let values = CartValues()
  private let counter = StateCounter()

  private var double: Derived<Row, Int> {
    Derived { [counter] row in
      counter.count += 1
      return row.count * 2
    }
  }

  @Test("V1 V7 a child at a stored property and its parent share a derived value")
  func fixed() {
    let child = store.child(\.settings, SettingsFeature.self)
    let charge = Derived<House, Int> { [values] in $0.part(\.settings)[values.rate] + $0.factor }
    let charges = StateRecorder(store.publisher[charge])
    let rates = StateRecorder(child.publisher[values.rate])
    #expect(child[values.rate] == 20)
    #expect(store[charge] == 30)
    #expect(values.counter.take() == 1)
    child.dispatch(3)
    store.dispatch(20)
    #expect(values.counter.take() == 1)
    #expect(charges.values == [40, 50])
    #expect(rates.values == [30])
  }

  @Test("V1 V3 a child in a collection has derived values, which writes of either store change")
  func element() throws {
    let double = double
    let row = try #require(store.child(\.rows, id: 2, Rows.self))
    let doubles = StateRecorder(row.publisher[double])
    #expect(row[double] == 2)
    #expect(counter.take() == 1)
    row.dispatch(3)
    #expect(row[double] == 6)
    store.binder.rows.wrappedValue[1].count = 4
    store.binder.rows.wrappedValue[0].count = 5
    store.binder.rows.wrappedValue.swapAt(0, 1)
    #expect(doubles.values == [6, 8])
    #expect(counter.take() == 2)
    #expect(row[double] == 8)
    #expect(counter.take() == 0)
    store.binder.rows.wrappedValue = []
    #expect(row[double] == 8)
    #expect(doubles.values == [6, 8])
  }

  @Test("V7 a parent's derived value reads one property of the rows, which rows write")
  func rowsOfParent() throws {
    let counter = counter
    let sum = Derived<House, Int> { house in
      counter.count += 1
      return house.each(\.rows, \.count).reduce(0, +)
    }
    let sums = StateRecorder(store.publisher[sum])
    let row = try #require(store.child(\.rows, id: 2, Rows.self))
    row.dispatch(5)
    row.binder.text.wrappedValue = "x"
    #expect(sums.values == [6])
    #expect(counter.take() == 2)
  }

  @Test("V3 a derived value reads those of children and of a parent through their stores")
  func throughStores() throws {
    let (double, store) = (double, store)
    let row = try #require(store.child(\.rows, id: 2, Rows.self))
    let factor = Derived<House, Int> { $0.factor }
    let upper = StateCounter()
    let ofChild = Derived<House, Int> { house in
      upper.count += 1
      return row[double] + house.factor
    }
    let ofParent = Derived<Row, Int> { $0.count * store[factor] }
    let downwards = StateRecorder(store.publisher[ofChild])
    let upwards = StateRecorder(row.publisher[ofParent])
    let both = StateRecorder(
      combineLatest(store.publisher[ofChild], row.publisher[ofParent]).map { "\($0) \($1)" })
    row.dispatch(2)
    store.dispatch(20)
    row.binder.text.wrappedValue = "x"
    #expect(downwards.values == [14, 24])
    #expect(upwards.values == [20, 40])
    #expect(both.values == ["14 20", "24 40"])
    #expect(upper.count == 3)
    // The child is gone, and its last value stays.
    store.binder.rows.wrappedValue = []
    store.dispatch(30)
    #expect(store[ofChild] == 34)
    #expect(upper.count == 4)
  }

  @Test("V3 a derived value of a child that has ended has the child's last value")
  func endedChild() throws {
    let (double, store) = (double, store)
    let row = try #require(store.child(\.rows, id: 2, Rows.self))
    let text = Derived<Row, String> { "\($0[double])" }
    let ofChild = Derived<House, String> { house in row[text] + "\(house.factor)" }
    #expect(store[ofChild] == "210")
    row.dispatch(4)
    store.binder.rows.wrappedValue = []
    #expect(store[ofChild] == "810")
    #expect(row[text] == "8")
  }

  @Test("V2 a derived value of a child that has ended counts as unchanged")
  func endedChildOfAParent() throws {
    let store = store
    let factor = Derived<House, Int> { $0.factor }
    let row = try #require(store.child(\.rows, id: 2, Rows.self))
    // Unowned, because the store keeps the row, which keeps this closure.
    let scaled = Derived<Row, Int> { [unowned store] in $0.count * store[factor] }
    let total = Derived<House, Int> { house in row[scaled] + (house.editor?.count ?? 0) }
    let totals = StateRecorder(store.publisher[total])
    store.binder.rows.wrappedValue = []
    store.dispatch(20)
    #expect(totals.values == [])
    #expect(row[scaled] == 20)
    store.binder.editor.wrappedValue = Row(id: 3)
    #expect(totals.values == [21])
  }

  @Test("V1 A6 stale work derives from its own copy")
  func stale() async {
    struct Slow: Interactor {
      let gate: Emitter<Void>
      let values: CartValues
      let note: @MainActor (Int) -> Void
      func onAction(_ action: Int, store: MutatingStore<Cart, Int>) async {
        await gate.first()
        store.lines = []
        note(store[values.total])
      }
      func overlap(of action: Int) -> Overlap { .latest }
    }
    var seen: [Int] = []
    let gate = Emitter<Void>()
    let store = Store(
      state: Cart(), interactor: Slow(gate: gate, values: values) { seen.append($0) })
    let task = store.send(1)
    task.cancel()
    gate.send(())
    await task.value
    #expect(store[values.total] == 6)
    #expect(seen.allSatisfy { $0 == 0 })
  }
}
