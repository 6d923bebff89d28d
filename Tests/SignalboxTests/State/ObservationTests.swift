import Observation
import Signalbox
import Testing

@MainActor struct ObservationTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  /// Counts how often a tracked read is notified of a change.
  private func track(_ read: () -> Void) -> SharedCount {
    let tally = SharedCount()
    withObservationTracking(read) { tally.increase() }
    return tally
  }

  @Test("M5 reading a property tracks only that property, and notifies once")
  func alone() {
    let count = track { _ = rig.store.count }
    let title = track { _ = rig.store.title }
    store.title = "x"
    #expect(count.value == 0)
    #expect(title.value == 1)
    store.count = 1
    store.count = 2
    store.title = "y"
    #expect(count.value == 1)
    #expect(title.value == 1)
  }

  @Test("M5 a tracker that reads again is notified again")
  func again() {
    for round in 1...3 {
      let count = track { _ = rig.store.count }
      store.title = "\(round)"
      #expect(count.value == 0)
      store.count = round
      #expect(count.value == 1)
    }
  }

  @Test("M5 all trackers of the same property are notified")
  func several() {
    let tallies = (0..<3).map { _ in track { _ = rig.store.count } }
    store.count = 1
    #expect(tallies.map(\.value) == [1, 1, 1])
  }

  @Test("M5 a tracker of several properties is notified of the first one that changes")
  func firstOfSeveral() {
    let tally = track {
      _ = rig.store.count
      _ = rig.store.title
    }
    store.note = "x"
    #expect(tally.value == 0)
    store.title = "x"
    store.count = 1
    #expect(tally.value == 1)
  }

  @Test("M5 an equal assignment notifies no tracker, and the trackers stay")
  func equal() {
    let tally = track { _ = rig.store.count }
    store.count = 0
    store.count += 0
    store.update { $0.title = "x" }
    #expect(tally.value == 0)
    store.count = 1
    #expect(tally.value == 1)
  }

  @Test("M5 nested, computed and didSet properties are tracked individually", .readsKeyPaths)
  func others() {
    let name = track { _ = rig.store[dynamicMember: \.person.name] }
    let headline = track { _ = rig.store.headline }
    let level = track { _ = rig.store.level }
    let done = track { _ = rig.store.doneCount }
    store.person.age = 1
    store.level = 3
    #expect([name, headline, level, done].map(\.value) == [0, 0, 1, 0])
    store.title = "loft"
    store.person.name = "Bob"
    store.items[0].isDone = true
    #expect([name, headline, level, done].map(\.value) == [1, 1, 1, 1])
  }

  @Test("M5 reading the whole state tracks all of it")
  func whole() {
    for change in [{ store.count = 1 }, { store.level = 2 }, { store.person.name = "Bob" }] {
      let tally = track { _ = rig.store.state.title }
      change()
      #expect(tally.value == 1)
    }
  }

  @Test("M5 a tracker that reads the changed property sees the new value")
  func readsAsChanged() {
    let seen = StateRecorder<Int>()
    withObservationTracking {
      _ = rig.store.count
    } onChange: { [store = rig.store] in
      MainActor.assumeIsolated { seen.note(store.count) }
    }
    store.count = 7
    #expect(seen.values == [7])
  }

  @Test("M5 a tracker that reads again while it is notified misses nothing")
  func rearming() {
    let reader = RearmingReader(rig.store)
    reader.read()
    for count in 1...3 { store.count = count }
    store.batch {
      store.count = 4
      store.count = 5
    }
    #expect(reader.seen == [0, 1, 2, 3, 5])
  }

  @Test("M5 a tracker that reads again after each of several queued commits sees the last value")
  func queued() {
    let reader = RearmingReader(rig.store)
    reader.read()
    let subscription = rig.store.publisher.note.sink { [store] _ in
      store.count = 1
      store.count = 2
    }
    store.note = "go"
    #expect(reader.seen.last == 2)
    store.count = 3
    #expect(reader.seen.last == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("M5 a tracker is notified before the writer continues, even during a delivery")
  func atOnce() {
    let tally = track { _ = rig.store.count }
    var told: [Int] = []
    let subscription = rig.store.publisher.note.sink { [store] _ in
      store.count = 1
      told.append(tally.value)
    }
    store.note = "go"
    #expect(told == [1])
    #expect(tally.value == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("M5 a write of a tracker is delivered after the change that the tracker was notified of")
  func order() {
    let store = store
    let counts = StateRecorder(rig.store.publisher.count)
    withObservationTracking {
      _ = rig.store.count
    } onChange: {
      MainActor.assumeIsolated { store.count = 2 }
    }
    let subscription = rig.store.publisher.note.sink { _ in store.count = 1 }
    store.note = "go"
    #expect(counts.values == [1, 2])
    #expect(rig.store.count == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test("S17 a tracker that reads again and writes at every notification is stopped")
  func loop() {
    let reports = LoopReports(rig.store)
    // A loop that nothing stops would never end, so the tracker stops by itself in the end.
    let reader = RearmingReader(rig.store) { [store] in if store.count < 500 { store.count += 1 } }
    reader.read()
    store.count = 1
    #expect(rig.store.count == 101)
    #expect(reader.seen == Array(0...100))
    #expect(reports.chains.count == 1)
  }

  @Test("S17 a tracker is notified of the last write of a loop that was stopped")
  func stoppedLoop() {
    let reports = LoopReports(rig.store)
    let reader = RearmingReader(rig.store)
    reader.read()
    let ping = rig.store.publisher.count.sink { [store] in store.level = $0 + 1 }
    let pong = rig.store.publisher.level.sink { [store] in store.count = $0 + 1 }
    store.count = 1
    #expect(rig.store.count == 101)
    #expect(reader.seen.last == 101)
    #expect(reports.chains.count == 1)
    withExtendedLifetime((ping, pong)) {}
  }

  @Test("M5 a binding(get:action:) of a key path tracks only that property")
  func bindingOfKeyPath() {
    let store = Store(state: Room(), actionable: Retitler())
    let title = store.binder.binding(get: \.title, action: { $0 })
    let tally = track { _ = title.wrappedValue }
    store.binder.count.wrappedValue = 1
    #expect(tally.value == 0)
    title.wrappedValue = "loft"
    #expect(store.title == "loft")
    #expect(tally.value == 1)
  }

  @Test("M5 reads through a binder are tracked")
  func binder() {
    let draft = rig.store.binder.title
    let tally = track { _ = draft.wrappedValue }
    store.count = 1
    #expect(tally.value == 0)
    draft.wrappedValue = "x"
    #expect(tally.value == 1)
  }

  @Test("M5 a MutatingStore reads without tracking")
  func mutatingStore() {
    let tally = track { _ = rig.write.count }
    store.count = 1
    #expect(tally.value == 0)
  }

  @Test("M5 a tracked property whose tracker was notified is no longer observed")
  func costsNothingLater() {
    struct Costly {
      let getter = StateCounter()
      var count = 0
      var computed: Int {
        getter.count += 1
        return count
      }
    }
    let rig = StateRig(Costly())
    let tally = track { _ = rig.store.computed }
    rig.write.count = 1
    #expect(tally.value == 1)
    let getter = rig.write.getter
    _ = getter.take()
    rig.write.count = 2
    rig.write.count += 1
    #expect(getter.count == 0)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("V5 M5 Observations gives the changes of a derived value", .timeLimit(.minutes(60)))
  func derivedObservations() async {
    let (rig, value) = (StateRig(Cart()), CartValues().isExpensive)
    let store = rig.store
    let changes = Observations { store[value] }
    var seen: [Bool] = []
    for await isExpensive in changes {
      seen.append(isExpensive)
      if seen.count == 2 { break }
      rig.write.lines[0].price = 2
      rig.write.lines[0].price = 20
    }
    #expect(seen == [false, true])
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test("M5 Observations gives each value that its reader sees", .timeLimit(.minutes(60)))
  func observations() async {
    let store = rig.store
    let counts = Observations { store.count }
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      if count == 3 { break }
      rig.write.title = "\(count)"
      rig.write.count = count + 1
    }
    #expect(seen == [0, 1, 2, 3])
  }
}

/// Reads again whenever it is notified of a change.
@MainActor private final class RearmingReader {
  private let store: Store<Room, Never>
  private let whenTold: () -> Void
  private(set) var seen: [Int] = []

  init(_ store: Store<Room, Never>, whenTold: @escaping () -> Void = {}) {
    self.store = store
    self.whenTold = whenTold
  }

  func read() {
    withObservationTracking {
      seen.append(store.count)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.isTold() }
    }
  }

  private func isTold() {
    read()
    whenTold()
  }
}

private struct Retitler: Actionable {
  func onAction(_ title: String, store: MutatingStore<Room, String>) { store.title = title }
}
