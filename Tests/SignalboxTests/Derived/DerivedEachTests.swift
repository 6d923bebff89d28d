import Signalbox
import Testing

/// Derived values of the elements of collections, and of parts.
@MainActor struct DerivedEachTests {
  private let rig = StateRig(Cart())
  private let values = CartValues()
  private var store: MutatingStore<Cart, Never> { rig.write }

  @Test("V7 each reads one property of each element")
  func each() {
    let sums = StateRecorder(rig.store.publisher[values.prices])
    #expect(values.counter.take() == 1)
    store.lines[0].title = "x"
    store.set(\.lines[1].title, "y")
    store.update { for index in $0.lines.indices { $0.lines[index].id += 10 } }
    #expect(values.counter.take() == 0)
    store.lines[0].price = 5
    store.lines.append(Cart.Line(id: 4, title: "", price: 7))
    store.lines.remove(at: 1)
    #expect(values.counter.take() == 3)
    #expect(sums.values == [10, 17, 15])
    #expect(store[values.prices] == 15)
    #expect(values.counter.take() == 0)
  }

  @Test("V7 each costs no computation of the value, if only reads ask for it")
  func eachUnobserved() {
    #expect(store[values.prices] == 6)
    store.lines[0].title = "x"
    #expect(store[values.prices] == 6)
    #expect(values.counter.take() == 1)
    store.lines.swapAt(0, 1)
    #expect(store[values.prices] == 6)
    #expect(values.counter.take() == 1)
  }

  @Test("V7 each works with collections of any kind, and with properties of any kind")
  func kinds() {
    struct Item: Hashable {
      var name = "a"
      var size = (1, 2).0
      var label: String { name + "!" }
      var pair = Pair()
      struct Pair: Hashable { var x: UInt8 = 1, y: UInt8 = 2 }
    }
    struct Shop: Equatable {
      var array = [Item(), Item(name: "b", size: 3)]
      var slice = [Item(), Item(name: "c", size: 4)][1...]
      var contiguous: ContiguousArray = [Item(name: "d", size: 5)]
      var set: Set = [Item(name: "e", size: 6)]
      var empty: [Item] = []
      var texts = ["xy", "z"]
    }
    let rig = StateRig(Shop())
    let all = Derived<Shop, [String]> { shop in
      [
        "\(shop.each(\.array, \.size))", "\(shop.each(\.array, \.label))",
        "\(shop.each(\.array, \.name))", "\(shop.each(\.array, \.pair.y))",
        "\(shop.each(\.array, \.self).count)",
        "\(shop.each(\.slice, \.name))", "\(shop.each(\.contiguous, \.size))",
        "\(shop.each(\.set, \.name))", "\(shop.each(\.empty, \.name))",
        "\(shop.each(\.texts, \.count))",
      ]
    }
    #expect(
      rig.store[all] == [
        "[1, 3]", #"["a!", "b!"]"#, #"["a", "b"]"#, "[2, 2]", "2", #"["c"]"#, "[5]", #"["e"]"#,
        "[]", "[2, 1]",
      ])
    rig.write.array[1].pair.y = 7
    rig.write.texts[0] = "abc"
    #expect(rig.store[all][3] == "[2, 7]")
    #expect(rig.store[all][9] == "[3, 1]")
  }

  @Test("V7 V4 an append to a collection of which each was read copies nothing")
  func eachKeepsNoInput() {
    struct Numbers: Equatable { var entries = Archive.large() }
    let rig = StateRig(Numbers())
    let counter = StateCounter()
    let sum = Derived<Numbers, Int> { numbers in
      counter.count += 1
      return numbers.each(\.entries, \.trailingZeroBitCount).reduce(0, +)
    }
    let sums = StateRecorder(rig.store.publisher[sum])
    #expect(rig.keeps(\.entries) { rig.write.entries.append(1) })
    #expect(counter.count == 2)
    withExtendedLifetime(sums) {}
  }

  @Test("V7 a derived value of a part depends on that part alone")
  func part() {
    let charges = StateRecorder(rig.store.publisher[values.charge])
    let rates = StateRecorder(rig.store.publisher.settings[values.rate])
    #expect(store[values.charge] == 21)
    #expect(values.counter.take() == 1)
    _ = values.upperCounter.take()
    store.settings.currency = "CHF"
    store.note = "x"
    #expect(values.counter.take() == 0)
    store.settings.rate = 3
    store.settings = Cart.Settings(rate: 4, currency: "USD")
    store.update { $0.settings.rate = 5 }
    #expect(values.counter.take() == 3)
    #expect(values.upperCounter.take() == 3)
    #expect(charges.values == [31, 41, 51])
    #expect(rates.values == [30, 40, 50])
  }

  @Test("V7 properties and elements of a part are read alone")
  func partOfPart() {
    struct Outer: Equatable {
      var inner = Inner()
      var other = 0
      struct Inner: Equatable {
        var deep = Deep()
        var list = [1, 2]
      }
      struct Deep: Equatable { var x = 1, y = 2 }
    }
    let counter = StateCounter()
    let sum = Derived<Outer, Int> { outer in
      counter.count += 1
      let inner = outer.part(\.inner)
      return inner.part(\.deep).x + outer.part(\.inner.deep).x
        + inner.each(\.list, \.magnitude).reduce(0) { $0 + Int($1) }
    }
    let rig = StateRig(Outer())
    let sums = StateRecorder(rig.store.publisher[sum])
    rig.write.inner.deep.y = 9
    rig.write.other = 1
    #expect(counter.take() == 1)
    rig.write.inner.deep.x = 2
    rig.write.inner.list.append(-3)
    rig.write.inner = Outer.Inner()
    #expect(sums.values == [7, 10, 5])
    #expect(counter.take() == 3)
  }
}
