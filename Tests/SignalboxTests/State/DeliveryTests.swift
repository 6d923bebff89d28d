import Signalbox
import Testing

@MainActor struct DeliveryTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  @Test("S2 inside a sink the state is never older than the value received")
  func neverOlder() {
    var seen: [(received: Int, read: Int)] = []
    let first = rig.store.publisher.count.sink { [store] in
      if $0 < 5 { store.count = $0 + 1 }
    }
    let second = rig.store.publisher.count.sink { [store] in
      seen.append((received: $0, read: store.count))
    }
    store.count = 1
    #expect(seen.map(\.received) == [1, 2, 3, 4, 5])
    #expect(seen.allSatisfy { $0.read >= $0.received })
    #expect(seen.first?.read == 2)
    withExtendedLifetime([first, second]) {}
  }

  @Test("S2 the value is stored before any observer is notified, for every kind of commit")
  func stored() {
    var reads: [Int] = []
    let subscription = rig.store.publisher.count.sink { [rig] _ in
      reads.append(rig.store.count)
      reads.append(rig.write.count)
      reads.append(rig.write.state.count)
    }
    store.count = 1
    store.count += 1
    store.update { $0.count = 3 }
    store.batch { store.count = 4 }
    #expect(reads == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 a write in a sink is delivered after the current value has reached all subscribers")
  func reentrancy() {
    let told = StateRecorder<String>()
    let a = rig.store.publisher.count.sink { [store] in
      told.note("A\($0)")
      if $0 == 1 {
        store.count = 2
        store.items.append(Item(text: "\(store.count)"))
        store.update { $0.count = 3 }
      }
    }
    let b = rig.store.publisher.count.sink { told.note("B\($0)") }
    let c = rig.store.publisher.items.sink { told.note("C\($0.count)") }
    store.count = 1
    #expect(told.values == ["A1", "B1", "A2", "B2", "C3", "A3", "B3"])
    withExtendedLifetime([a, b, c]) {}
  }

  @Test("S10 each of several queued commits is delivered with its own values, in order")
  func queuedValues() {
    let counts = StateRecorder(rig.store.publisher.count)
    let headlines = StateRecorder(rig.store.publisher.headline)
    let whole = StateRecorder(rig.store.publisher)
    let subscription = rig.store.publisher.note.sink { [store] _ in
      for count in 1...3 { store.count = count }
      store.title = "loft"
      store.count = 0
    }
    store.note = "go"
    #expect(counts.values == [1, 2, 3, 0])
    #expect(headlines.values == ["hall (1)", "hall (2)", "hall (3)", "loft (3)", "loft (0)"])
    #expect(whole.values.map(\.count) == [0, 1, 2, 3, 3, 0])
    #expect(whole.values.map(\.title).suffix(2) == ["loft", "loft"])
    withExtendedLifetime(subscription) {}
  }

  @Test("S9 a publisher delivers changes only, and includingCurrent starts with the current value")
  func current() {
    let changes = StateRecorder(rig.store.publisher.count)
    let all = StateRecorder(rig.store.publisher.count.includingCurrent())
    #expect(changes.values == [])
    #expect(all.values == [0])
    store.count = 1
    let late = StateRecorder(rig.store.publisher.count.includingCurrent())
    store.count = 2
    #expect(changes.values == [1, 2])
    #expect(all.values == [0, 1, 2])
    #expect(late.values == [1, 2])
  }

  @Test("S9 includingCurrent inside a delivery starts with the current value and no older one")
  func currentInDelivery() {
    let late = StateRecorder<Int>()
    let subscription = rig.store.publisher.note.sink { [rig] _ in
      rig.write.count = 1
      rig.write.count = 2
      late.listen(to: rig.store.publisher.count.includingCurrent())
      rig.write.count = 3
    }
    store.note = "go"
    #expect(late.values == [2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S9 includingCurrent works for map, removeDuplicates and combineLatest of state")
  func currentOfDerived() {
    let count = rig.store.publisher.count
    let mapped = StateRecorder(count.map { $0 / 2 }.includingCurrent())
    let distinct = StateRecorder(count.map { $0 / 2 }.removeDuplicates().includingCurrent())
    let both = StateRecorder(
      combineLatest(count, rig.store.publisher.title).map { "\($1)\($0)" }.includingCurrent())
    store.count = 1
    store.count = 2
    #expect(mapped.values == [0, 0, 1])
    #expect(distinct.values == [0, 1])
    #expect(both.values == ["hall0", "hall1", "hall2"])
  }

  @Test("S3 a subscriber that subscribes in a delivery does not receive earlier writes")
  func lateSubscriber() {
    let late = StateRecorder<Int>()
    let subscription = rig.store.publisher.note.sink { [rig] _ in
      rig.write.count = 1
      late.listen(to: rig.store.publisher.count)
      rig.write.count = 2
    }
    store.note = "go"
    #expect(late.values == [2])
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 subscribers that are cancelled before their turn receive no further commit")
  func cancelledBeforeTheirTurn() {
    let counts = StateRecorder<Int>()
    let whole = StateRecorder<Room>()
    let killer = rig.store.publisher.count.sink { [store] in
      guard $0 == 1 else { return }
      store.count = 2
      counts.cancel()
      whole.cancel()
    }
    counts.listen(to: rig.store.publisher.count)
    whole.listen(to: rig.store.publisher)
    store.count = 1
    #expect(rig.store.count == 2)
    #expect(counts.count + whole.count == 0)
    withExtendedLifetime(killer) {}
  }

  @Test("S4 a cancel in a delivery drops the commits that are queued for the subscriber")
  func cancelledWithQueuedCommit() {
    let counts = StateRecorder(rig.store.publisher.count)
    let whole = StateRecorder(rig.store.publisher)
    let killer = rig.store.publisher.note.sink { [store] _ in
      store.count = 1
      counts.cancel()
      whole.cancel()
    }
    store.note = "go"
    #expect(rig.store.count == 1)
    #expect(counts.values == [])
    #expect(whole.values.map(\.count) == [0])  // of `note`, because it subscribed before the killer
    withExtendedLifetime(killer) {}
  }

  @Test("S7 a map of a state signal receives the value of its commit, not the current state")
  func mapSeesItsCommit() {
    let mapped = StateRecorder(rig.store.publisher.count.map { $0 * 10 })
    let subscription = rig.store.publisher.note.sink { [store] _ in
      store.count = 1
      store.count = 2
    }
    store.note = "go"
    #expect(mapped.values == [10, 20])
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 a recorded change starts from the state before it, whenever recording was enabled")
  func eventsStartAfresh() {
    let capture = StateRig(Room())
    var changes: [String] = []
    let first = capture.store.events.sink { _ in }
    capture.write.batch {
      capture.write.count = 1
      first.cancel()
    }
    capture.write.count = 2
    let second = capture.store.events.sink {
      if case .stateChanged(let old, let new) = $0.kind {
        changes.append("\(old.count) to \(new.count)")
      }
    }
    capture.write.count = 3
    #expect(changes == ["2 to 3"])
    withExtendedLifetime(second) {}
  }
}
