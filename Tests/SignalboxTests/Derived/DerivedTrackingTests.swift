import Observation
import Signalbox
import Testing

/// Derived values in the Observation framework.
@MainActor struct DerivedTrackingTests {
  private let rig = StateRig(Cart())
  private let values = CartValues()
  private var store: MutatingStore<Cart, Never> { rig.write }

  private func track(_ read: () -> Void) -> SharedCount {
    let tally = SharedCount()
    withObservationTracking(read) { tally.increase() }
    return tally
  }

  @Test("V5 M5 a read tracks the derived value alone")
  func alone() {
    let tally = track { _ = rig.store[values.total] }
    store.note = "x"
    store.lines.swapAt(0, 1)
    store.lines[0].title = "x"
    #expect(tally.value == 0)
    store.lines[0].price = 9
    #expect(tally.value == 1)
    store.lines[0].price = 10
    #expect(tally.value == 1)
  }

  @Test("V5 M5 a tracker is notified before the writer continues, also during a delivery")
  func duringDelivery() {
    let rig = rig
    let tally = track { _ = rig.store[values.total] }
    var told: Int?
    let sink = rig.store.publisher.note.sink { _ in
      rig.write.lines = []
      told = tally.value
    }
    store.note = "x"
    #expect(told == 1)
    withExtendedLifetime(sink) {}
  }

  @Test("V5 M5 a tracker that reads again is notified again, also of a value of a batch")
  func again() {
    for price in 5...7 {
      let tally = track { _ = rig.store[values.isExpensive] }
      store.batch { store.lines[0].price = price }
      #expect(tally.value == (price == 6 ? 1 : 0))
    }
    var tally: SharedCount?
    store.batch {
      store.lines[0].price = 100
      tally = track { _ = rig.store[values.total] }
      store.lines[0].price = 101
    }
    #expect(tally?.value == 1)
  }

  @Test("S3 M5 a tracker of a value that a batch takes back is notified")
  func takenBack() {
    var tallies: [SharedCount] = []
    store.batch {
      tallies.append(track { _ = rig.store[values.total] })
      store.lines[0].price = 100
      tallies.append(track { _ = rig.store[values.total] })
      store.lines[0].price = 1
    }
    #expect(tallies.last?.value == 1)
  }

  @Test("V5 M5 a tracker that begins in a batch is not notified of what has changed before")
  func beginsInABatch() {
    let (rig, values) = (rig, values)
    // Keeps the stale total.
    _ = rig.store[values.isExpensive]
    store.lines[0].price = 2
    var tally: SharedCount?
    let sink = rig.store.publisher.note.sink { _ in
      rig.write.batch {
        rig.write.lines[1].price = 5
        tally = track { _ = rig.store[values.total] }
        rig.write.usesCoupon = true
      }
    }
    store.note = "x"
    #expect(tally?.value == 0)
    store.lines[0].price = 3
    #expect(tally?.value == 1)
    withExtendedLifetime(sink) {}
  }

  @Test("V1 M5 a read that nothing tracks observes nothing")
  func untracked() {
    _ = rig.store[values.total]
    _ = values.counter.take()
    store.lines[0].price = 2
    #expect(values.counter.take() == 0)
    let tally = track { _ = (rig.store[values.total], rig.store[values.total]) }
    store.lines[0].price = 3
    #expect(values.counter.take() == 2)
    #expect(tally.value == 1)
  }

  @Test("V5 what a computation reads is not tracked by the code that asked for it")
  func inputsAreNotTracked() {
    let tally = track { _ = rig.store[values.isExpensive] }
    store.lines[0].price = 2
    #expect(tally.value == 0)
  }
}
