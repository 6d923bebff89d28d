import Signalbox
import Testing

/// What derived values give in batches, in deliveries and in signals.
@MainActor struct DerivedDeliveryTests {
  private let rig = StateRig(Cart())
  private let values = CartValues()
  private var store: MutatingStore<Cart, Never> { rig.write }

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
    #expect(values.counter.take() == 1)
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
}
