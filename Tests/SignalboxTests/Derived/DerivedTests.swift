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

  @Test("V1 in a batch, a read after a write of an input computes once more")
  func batch() {
    let totals = StateRecorder(rig.store.publisher[values.total])
    _ = values.counter.take()
    store.batch {
      store.note = "x"
      #expect(store[values.total] == 6)
      #expect(values.counter.take() == 0)
      store.lines[0].price = 2
      #expect(store[values.total] == 7)
      store.note = "y"
      #expect(store[values.total] == 7)
      #expect(values.counter.take() == 1)
      store.lines[0].price = 3
      #expect(store[values.total] == 8)
      #expect(values.counter.take() == 1)
    }
    #expect(store[values.total] == 8)
    #expect(values.counter.take() <= 1)
    #expect(totals.values == [8])
  }

  @Test("V1 V3 a batch that takes everything back computes nothing afterwards")
  func batchTakenBack() {
    let totals = StateRecorder(rig.store.publisher[values.total])
    _ = values.counter.take()
    store.batch {
      store.usesCoupon = true
      store.set(\.lines, [])
      #expect(store[values.total] == 0)
      store.set(\.lines, Cart().lines)
    }
    #expect(values.counter.take() == 1)
    #expect(store[values.total] == 6)
    #expect(values.counter.take() == 0)
    #expect(totals.values == [])
  }

  @Test("V1 V3 a batch notices writes after the last observer was cancelled in it")
  func batchWithoutObservers() {
    let notes = StateRecorder(rig.store.publisher.note)
    store.batch {
      store.note = "x"
      #expect(store[values.total] == 6)
      notes.cancel()
      store.lines[0].price = 2
      #expect(store[values.total] == 7)
      store.lines = []
      #expect(store[values.total] == 0)
    }
    #expect(store[values.total] == 0)
  }

  // Asking each input once for each way to it would take 2^60 questions.
  @Test("V1 in a batch, values that are reached in many ways are asked once")
  func diamondsInABatch() {
    var top = values.total
    for _ in 0..<60 {
      let lower = top
      let sides = [0, 1].map { side in Derived<Cart, Int> { $0[lower] % 7 + side } }
      top = Derived { [values] cart in
        values.upperCounter.count += 1
        return sides.reduce(0) { $0 + cart[$1] }
      }
    }
    let tops = StateRecorder(rig.store.publisher[top])
    #expect(values.upperCounter.take() == 60)
    store.batch {
      store.lines[0].price = 2
      let first = store[top]
      store.note = "x"
      #expect(store[top] == first)
      #expect(values.upperCounter.take() <= 60)
    }
    #expect(tops.count <= 1)
  }

  @Test("V3 a value of a batch that equals the one before wakes nobody")
  func batchBackByOtherInputs() {
    let totals = StateRecorder(rig.store.publisher[values.total])
    store.batch {
      store.lines[0].price = 2
      #expect(store[values.total] == 7)
      store.lines[1].price = 1
      #expect(store[values.total] == 6)
    }
    #expect(totals.values == [])
  }

  @Test("V3 S2 in a delivery, a derived value is never older than the value that woke the observer")
  func delivery() {
    var seen: [[Int]] = []
    let rig = rig
    let values = values
    let writer = rig.store.publisher.note.sink { _ in rig.write.lines[0].price += 1 }
    let reader = rig.store.publisher.lines.sink { lines in
      seen.append([lines[0].price + 5, rig.store[values.total]])
    }
    let late = rig.store.publisher.note.sink { _ in seen.append([rig.store[values.total]]) }
    store.note = "x"
    store.note = "y"
    #expect(seen == [[7], [7, 7], [8], [8, 8]])
    withExtendedLifetime((writer, reader, late)) {}
  }

  @Test(
    "V3 S7 combineLatest with derived values gives one output for each commit, without glitches")
  func glitches() {
    let rig = rig
    let publisher = rig.store.publisher
    let both = StateRecorder(
      combineLatest(publisher[values.total], publisher.lines, publisher[values.isExpensive])
        .map { "\($0) \($1.reduce(0) { $0 + $1.price }) \($2)" })
    let writer = publisher.lines.sink { if $0[0].price == 30 { rig.write.lines[0].price = 1 } }
    store.lines[1].price = 3
    store.lines[0].price = 30
    #expect(both.values == ["7 7 false", "36 36 true", "7 7 false"])
    withExtendedLifetime(writer) {}
  }

  @Test("V3 an action that a hook sends reads what follows from the action before")
  func afterAHook() {
    struct Till: Interactor {
      let remote: Emitter<Int>
      let total: Derived<Cart, Int>
      enum Action {
        case add(Int)
        case pay
      }
      func onAction(_ action: Action, store: MutatingStore<Cart, Action>) {
        switch action {
        case .add(let price): store.lines.append(Cart.Line(id: 9, title: "", price: price))
        case .pay: store.coupon = store[total]
        }
      }
      func subscription(
        for hook: OneHook, store: MutatingStore<Cart, Action>
      ) -> Subscription {
        remote.sink {
          store.send(.add($0))
          store.send(.pay)
        }
      }
    }
    let remote = Emitter<Int>()
    let store = Store(state: Cart(), interactor: Till(remote: remote, total: values.total))
    let sink = store.publisher[values.total].sink { _ in }
    remote.send(3)
    #expect(store.coupon == 9)
    sink.cancel()
    remote.send(4)
    #expect(store.coupon == 13)
  }

  @Test("V3 S9 includingCurrent starts with the value, and values can be mapped and combined")
  func operators() {
    let texts = StateRecorder(rig.store.publisher[values.total].map { "\($0)" }.includingCurrent())
    store.lines[0].price = 2
    #expect(texts.values == ["6", "7"])
  }

  @Test("V3 S11 the signal finishes with the store, and the last value stays readable")
  func end() {
    var rig: StateRig? = StateRig(Cart())
    var isFinished = false
    let subscription = rig?.store.publisher[values.total]
      .sink(receiveCompletion: { isFinished = true }, receiveValue: { _ in })
    let store = rig?.write
    rig = nil
    #expect(isFinished)
    #expect(store?[values.total] == 6)
    store?.lines[0].price = 2
    #expect(store?[values.total] == 7)
    withExtendedLifetime(subscription) {}
  }

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

  @Test("V1 M4 a result that cannot be compared counts as a change each time")
  func incomparable() {
    let closures = Derived<Cart, () -> Int> { cart in { [lines = cart.lines.count] in lines } }
    let results = StateRecorder(rig.store.publisher[closures].map { $0() })
    store.lines[0].price = 1
    store.lines.removeLast()
    store.note = "x"
    #expect(results.values.count >= 1)
    #expect(results.values.last == 2)
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
