import Signalbox
import Testing

/// When derived values are computed, and what they give.
@MainActor struct DerivedTests {
  private let rig = StateRig(Cart())
  private let values = CartValues()
  private var store: MutatingStore<Cart, Never> { rig.write }

  @Test("V1 a derived value is computed once, until something that it has read changes")
  func once() {
    for _ in 0..<3 { #expect(rig.store[values.total] == 6) }
    #expect(values.counter.take() == 1)
    store.note = "x"
    store.note += "y"
    store.settings.rate = 9
    #expect(store[values.total] == 6)
    #expect(values.counter.take() == 0)
    store.lines[0].price = 2
    #expect(values.counter.take() == 0)
    #expect(store[values.total] == 7)
    #expect(rig.store[values.total] == 7)
    #expect(values.counter.take() == 1)
  }

  @Test("V1 nothing is computed while nothing reads or observes")
  func lazy() {
    _ = store[values.total]
    _ = values.counter.take()
    for price in 1...10 { store.lines[0].price = price }
    store.update { $0.lines.removeLast() }
    #expect(values.counter.take() == 0)
    #expect(store[values.total] == 12)
    #expect(values.counter.take() == 1)
  }

  @Test("V1 V5 an observed value is computed once for each commit that changes an input")
  func observed() {
    let totals = StateRecorder(rig.store.publisher[values.total])
    let others = StateRecorder(rig.store.publisher[values.total])
    #expect(values.counter.take() == 1)
    store.note = "x"
    #expect(values.counter.take() == 0)
    store.lines[0].price = 5
    #expect(store[values.total] == 10)
    #expect(values.counter.take() == 1)
    store.update {
      $0.lines[0].price = 6
      $0.lines[1].price = 6
    }
    #expect(values.counter.take() == 1)
    store.batch {
      store.lines[0].price = 7
      store.lines[1].price = 7
    }
    #expect(values.counter.take() == 1)
    #expect(totals.values == [10, 15, 17])
    #expect(others.values == [10, 15, 17])
    totals.cancel()
    others.cancel()
    store.lines[0].price = 8
    #expect(values.counter.take() == 0)
    #expect(store[values.total] == 18)
  }

  @Test("V2 it depends on what its last computation has read, branches included")
  func branches() {
    let discounts = StateRecorder(rig.store.publisher[values.discount])
    _ = values.counter.take()
    store.coupon = 1
    #expect(values.counter.take() == 0)
    store.usesCoupon = true
    store.coupon = 2
    #expect(values.counter.take() == 2)
    store.usesCoupon = false
    store.coupon = 3
    #expect(values.counter.take() == 1)
    #expect(discounts.values == [1, 2, 0])
  }

  @Test("V3 an equal result wakes no observer, and recomputes nothing above it")
  func equalResult() {
    let expensive = StateRecorder(rig.store.publisher[values.isExpensive])
    let totals = StateRecorder(rig.store.publisher[values.total])
    _ = (values.counter.take(), values.upperCounter.take())
    store.lines.swapAt(0, 1)
    #expect(values.counter.take() == 1)
    #expect(values.upperCounter.take() == 0)
    #expect(totals.values == [])
    store.lines[0].price = 3
    #expect(values.upperCounter.take() == 1)
    #expect(expensive.values == [])
    store.lines[0].price = 30
    #expect(expensive.values == [true])
    #expect(totals.values == [7, 34])
  }

  @Test("V3 an equal result recomputes nothing above it, if only reads ask for it")
  func equalResultUnobserved() {
    #expect(!store[values.isExpensive])
    _ = (values.counter.take(), values.upperCounter.take())
    store.lines.swapAt(0, 1)
    #expect(!store[values.isExpensive])
    #expect(values.counter.take() == 1)
    #expect(values.upperCounter.take() == 0)
    store.lines[0].price = 30
    #expect(store[values.isExpensive])
    #expect(values.upperCounter.take() == 1)
  }

  @Test("V1 M4 a result that cannot be compared counts as a change each time")
  func incomparable() {
    let closures = Derived<Cart, () -> Int> { cart in { [lines = cart.lines.count] in lines } }
    let results = StateRecorder(rig.store.publisher[closures].map { $0() })
    store.lines[0].price = 1
    store.lines.removeLast()
    store.note = "x"
    #expect(results.values == [3, 2])
  }

  @Test("V2 computed properties are read, and compared after every commit")
  func computedProperty() {
    struct Sizes: Equatable {
      var width = 2
      var height = 3
      var color = 0
      var area: Int { width * height }
    }
    let rig = StateRig(Sizes())
    let counter = StateCounter()
    let text = Derived<Sizes, String> { sizes in
      counter.count += 1
      return "\(sizes.area)"
    }
    let texts = StateRecorder(rig.store.publisher[text])
    rig.write.color = 1
    rig.write.update { ($0.width, $0.height) = (3, 2) }
    #expect(counter.take() == 1)
    rig.write.width = 4
    #expect(texts.values == ["8"])
    #expect(counter.take() == 1)
  }

  @Test("V1 a state that is a class is read, too")
  func classState() {
    final class Box { var count = 1 }
    let rig = StateRig(Box())
    let double = Derived<Box, Int> { $0.count * 2 }
    let doubles = StateRecorder(rig.store.publisher[double])
    rig.write.count = 2
    #expect(rig.store[double] == 4)
    #expect(doubles.values == [4])
  }
}
