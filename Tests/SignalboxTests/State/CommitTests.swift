import Signalbox
import Testing

@MainActor struct CommitTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  @Test("S6 an assignment is one commit that notifies its observers before it returns")
  func assignment() {
    let counts = StateRecorder(rig.store.publisher.count)
    store.count = 1
    #expect(counts.values == [1])
    store.count = 2
    #expect(counts.values == [1, 2])
  }

  @Test("S6 an assignment of an equal value notifies no observer")
  func equalAssignment() {
    let whole = StateRecorder(rig.store.publisher)
    let person = StateRecorder(rig.store.publisher.person)
    store.count = 0
    store.title = "hall"
    store.person = Person()
    store.note = nil
    store.items = [Item(text: "a"), Item(text: "b")]
    store.set(\.person.home, Home())
    store.state = store.state
    #expect(whole.count == 0)
    #expect(person.count == 0)
  }

  @Test("S6 an equal assignment that runs a setter notifies only if something else has changed")
  func equalAssignmentThroughSetter() {
    let whole = StateRecorder(rig.store.publisher)
    let level = StateRecorder(rig.store.publisher.level)
    let changes = StateRecorder(rig.store.publisher.levelChanges)
    store.level = 0
    #expect(whole.values.map(\.levelChanges) == [1])
    #expect(changes.values == [1])
    #expect(level.count == 0)
    store.headline = "hall"
    store.volume = 5
    #expect(whole.count == 1)
  }

  @Test("S6 an in-place mutation is one commit")
  func inPlace() {
    let items = StateRecorder(rig.store.publisher.items)
    let whole = StateRecorder(rig.store.publisher)
    store.items.append(Item(text: "c"))
    #expect(items.values.map(\.count) == [3])
    store.items[1].isDone = true
    #expect(items.values.map { $0[1].isDone } == [false, true])
    #expect(whole.count == 2)
  }

  @Test("S6 what a throwing mutating method has changed stays and is delivered once")
  func throwingInPlace() {
    let items = StateRecorder(rig.store.publisher.items)
    let counts = StateRecorder(rig.store.publisher.count)
    #expect(throws: Refused.self) { try store.items.appendAndRefuse("c") }
    #expect(throws: Refused.self) { try store.count.addAndRefuse() }
    #expect(items.values.map(\.count) == [3])
    #expect(counts.values == [1])
    store.count += 1
    #expect(counts.values == [1, 2])
  }

  @Test("S6 update is one commit and returns what its body returns")
  func update() {
    let whole = StateRecorder(rig.store.publisher)
    let counts = StateRecorder(rig.store.publisher.count)
    let result = store.update {
      $0.count = 1
      $0.title = "x"
      $0.count = 2
      return "done"
    }
    #expect(result == "done")
    #expect(counts.values == [2])
    #expect(whole.values.map(\.title) == ["x"])
  }

  @Test("S6 update notifies only the observers of what it changed")
  func updateCompares() {
    let told = StateRecorder<String>()
    let subscriptions = [
      rig.store.publisher.sink { _ in told.note("whole") },
      rig.store.publisher.count.sink { _ in told.note("count") },
      rig.store.publisher.person.sink { _ in told.note("person") },
      rig.store.publisher.person.name.sink { _ in told.note("name") },
      rig.store.publisher.headline.sink { _ in told.note("headline") },
    ]
    store.update { $0.person.age = 40 }
    #expect(told.take() == ["whole", "person"])
    store.update { $0.title = "x" }
    #expect(told.take() == ["whole", "headline"])
    store.update { _ in }
    store.update {
      $0.count = 9
      $0.count = 0
    }
    #expect(told.take() == [])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S6 the changes of a throwing update stay, are delivered once, and the error is rethrown")
  func throwingUpdate() {
    let counts = StateRecorder(rig.store.publisher.count)
    #expect(throws: Refused.self) {
      try store.update {
        $0.count = 1
        $0.count = 2
        throw Refused()
      }
    }
    #expect(counts.values == [2])
    store.count = 3
    #expect(counts.values == [2, 3])
  }

  @Test("S6 assigning the whole state is one commit that notifies the observers of what differs")
  func wholeState() {
    let told = StateRecorder<String>()
    let subscriptions = [
      rig.store.publisher.title.sink { _ in told.note("title") },
      rig.store.publisher.sink { _ in told.note("whole") },
      rig.store.publisher.person.home.city.sink { _ in told.note("city") },
      rig.store.publisher.count.sink { _ in told.note("count") },
    ]
    var state = Room(count: 4)
    state.person.home.city = "Turin"
    store.state = state
    #expect(told.take() == ["whole", "city", "count"])
    #expect(rig.store.state == state)
    store.state = state
    #expect(told.take() == [])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S6 an in-place change through the whole state notifies its observers and those of parts")
  func wholeStateInPlace() {
    let whole = StateRecorder(rig.store.publisher)
    let counts = StateRecorder(rig.store.publisher.count)
    let items = StateRecorder(rig.store.publisher.items)
    store.state.items.append(Item(text: "c"))
    store.state.person.age += 1
    #expect(whole.count == 2)
    #expect(items.values.map(\.count) == [3])
    #expect(counts.values == [])
  }

  @Test("S6 observers are notified in the order of subscription, whatever they observe")
  func order() {
    let told = StateRecorder<Int>()
    let publisher = rig.store.publisher
    let subscriptions = [
      publisher.headline.sink { _ in told.note(1) },
      publisher.count.sink { _ in told.note(2) },
      publisher.sink { _ in told.note(3) },
      publisher.count.sink { _ in told.note(4) },
      combineLatest(publisher.title, publisher.count).sink { _ in told.note(5) },
      publisher.headline.sink { _ in told.note(6) },
      publisher.sink { _ in told.note(7) },
    ]
    store.count = 1
    #expect(told.take() == [1, 2, 3, 4, 5, 6, 7])
    store.update { $0.count = 2 }
    #expect(told.take() == [1, 2, 3, 4, 5, 6, 7])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("M1 a MutatingStore reads, assigns and mutates in place as a struct does")
  func reads() {
    store.count = 4
    store.count += 1
    store.person.home.rooms *= 2
    store.guest = Person(name: "Bob")
    store.guest?.age = 1
    store.items.swapAt(0, 1)
    store[dynamicMember: \.point.x] = 7
    #expect(store.count == 5)
    #expect(store.state.count == 5)
    #expect(rig.store.count == 5)
    #expect(store.person.home.rooms == 6)
    #expect(store.guest == Person(name: "Bob", age: 1))
    #expect(store.items.map(\.text) == ["b", "a"])
    #expect(store.doneCount == 0)
    #expect(store.point == Point(x: 7))
  }
}
