import Signalbox
import Testing

@MainActor struct ObservedPartTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  @Test("S10 an observer of a key path is notified of changes at any other depth if it differs")
  func depths() {
    let told = StateRecorder<String>()
    let person = rig.store.publisher.person
    let subscriptions = [
      person.home.city.sink { told.note("city \($0)") },
      person.home.rooms.sink { told.note("rooms \($0)") },
      person.home.sink { _ in told.note("home") },
      person.name.sink { told.note("name \($0)") },
      person.sink { _ in told.note("person") },
      rig.store.publisher.sink { _ in told.note("whole") },
    ]
    store.set(\.person.home.city, "Turin")
    #expect(told.take() == ["city Turin", "home", "person", "whole"])
    store.set(\.person.home, Home(city: "Turin", rooms: 4))
    #expect(told.take() == ["rooms 4", "home", "person", "whole"])
    store.person = Person(name: "Bob", home: Home(city: "Rome", rooms: 4))
    #expect(told.take() == ["city Rome", "home", "name Bob", "person", "whole"])
    store.count = 1
    #expect(told.take() == ["whole"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S10 a part of an optional is observed by its name, and is nil while there is no value")
  func partOfOptional() {
    let names = StateRecorder<String>()
    let subscription = rig.store.publisher.guest.name.sink { names.note($0 ?? "none") }
    store.guest = Person()
    store.guest?.age = 3
    store.guest?.name = "Bob"
    store.count = 1
    store.guest = nil
    #expect(names.values == ["Ada", "Bob", "none"])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "S10 an element in an optional is nil while it is missing, and one that may hide traps",
    .readsKeyPaths)
  func elementInOptional() async {
    struct Shelf: Equatable { var books: [String]? = ["a"] }
    let shelf = StateRig(Shelf())
    let titles = StateRecorder<String?>()
    let subscription = shelf.store.publisher.books[0].sink { titles.note($0) }
    shelf.write.books = []
    shelf.write.books = nil
    shelf.write.books = ["b", "c"]
    #expect(titles.values == [nil, "b"])
    withExtendedLifetime(subscription) {}
    expectError(
      "Observe the part before that, and use map.",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          struct Shelf { var books: [String]? = [] }
          let store = Store(state: Shelf())
          _ = store.publisher.books[0..<1].sink { _ in }
        }
      })
  }

  @Test("S10 an optional part of an optional is one optional")
  func optionalPartOfOptional() {
    struct Hotel: Equatable { var best: Room? = Room() }
    let hotel = StateRig(Hotel())
    let notes = StateRecorder<String?>()
    let subscription = hotel.store.publisher.best.note.sink { notes.note($0) }
    hotel.write.best?.note = "quiet"
    hotel.write.best = nil
    #expect(notes.values == ["quiet", nil])
    withExtendedLifetime(subscription) {}
  }

  @Test("M3 a computed property is compared with its value after the previous commit")
  func computed() {
    let headlines = StateRecorder(rig.store.publisher.headline)
    let done = StateRecorder(rig.store.publisher.doneCount)
    store.count = 1
    store.note = "x"
    store.title = "loft"
    store.headline = "attic"
    store.items[0].isDone = true
    store.items[0].isDone = true
    #expect(headlines.values == ["hall (1)", "loft (1)", "attic (1)"])
    #expect(done.values == [1])
  }

  @Test("M3 writing a computed property notifies the observers of the stored properties it changed")
  func writingComputed() {
    let titles = StateRecorder(rig.store.publisher.title)
    let counts = StateRecorder(rig.store.publisher.count)
    let whole = StateRecorder(rig.store.publisher)
    store.headline = "attic"
    store.headline += "!"
    #expect(titles.values == ["attic", "attic (0)!"])
    #expect(counts.values == [])
    #expect(whole.count == 2)
  }

  @Test("M3 observers of didSet and wrapped properties are notified when the values differ")
  func withoutPlace() {
    let levels = StateRecorder(rig.store.publisher.level)
    let volumes = StateRecorder(rig.store.publisher.volume)
    store.level = 1
    store.volume = 8
    store.volume = 12
    store.update {
      $0.level = 2
      $0.volume = -1
    }
    #expect(levels.values == [1, 2])
    store.volume += 1
    #expect(volumes.values == [8, 10, 0, 1])
  }

  @Test("S10 a setter that restores the previous value notifies no observer")
  func clampedToTheSame() {
    store.volume = 10
    let volumes = StateRecorder(rig.store.publisher.volume)
    store.volume = 99
    store.volume += 1
    #expect(volumes.values == [])
  }

  @Test("M3 an observer of an array element is notified when that element differs, not another")
  func elements() {
    let first = StateRecorder(rig.store.publisher.items[0].text)
    let second = StateRecorder(rig.store.publisher.items[1])
    let count = StateRecorder(rig.store.publisher.items.count)
    store.items[0].text = "x"
    store.items[0].isDone = true
    store.items.append(Item(text: "c"))
    store.items[1].isDone = true
    store.items.swapAt(0, 1)
    #expect(first.values == ["x", "b"])
    #expect(second.values.map(\.text) == ["b", "x"])
    #expect(count.values == [3])
  }

  @Test("S10 an observer of an optional is notified when it appears, changes or disappears")
  func optionals() {
    let notes = StateRecorder(rig.store.publisher.note)
    let guests = StateRecorder(rig.store.publisher.guest)
    let names = StateRecorder(rig.store.publisher[dynamicMember: \.guest?.name])
    store.note = "x"
    store.note = "x"
    store.note = nil
    store.guest = Person(name: "Bob")
    store.guest?.age = 1
    store.guest?.name = "Eve"
    store.guest = nil
    #expect(notes.values == ["x", nil])
    #expect(guests.count == 4)
    #expect(names.values == ["Bob", "Eve", nil])
  }

  @Test("S10 a part that holds nested optionals tells an inner nil from an outer nil")
  func nestedOptionals() {
    struct Deep { var value: Int?? }
    let rig = StateRig(Deep(value: .some(.some(1))))
    let values = StateRecorder(rig.store.publisher.value)
    rig.write.value = .some(nil)
    rig.write.value = nil
    rig.write.update { $0.value = .some(nil) }
    #expect(values.values == [.some(nil), nil, .some(nil)])
  }

  @Test("S10 properties of different types at the same offset do not interfere")
  func samePlace() {
    struct Inner: Equatable { var name = "a" }
    struct Middle: Equatable { var inner = Inner() }
    struct Outer {
      var middle = Middle()
      var count = 0
    }
    let rig = StateRig(Outer())
    let middles = StateRecorder(rig.store.publisher.middle)
    let inners = StateRecorder(rig.store.publisher.middle.inner)
    let names = StateRecorder(rig.store.publisher.middle.inner.name)
    rig.write.set(\.middle.inner.name, "b")
    rig.write.set(\.middle.inner, Inner(name: "c"))
    rig.write.middle = Middle(inner: Inner(name: "d"))
    rig.write.middle.inner.name = "e"
    rig.write.update { $0.middle.inner.name = "f" }
    #expect(names.values == ["b", "c", "d", "e", "f"])
    #expect(inners.values.map(\.name) == names.values)
    #expect(middles.values.map(\.inner.name) == names.values)
  }

  @Test("S10 observers of two key paths to the same property are notified alike")
  func twoSpellings() {
    let a = StateRecorder(rig.store.publisher.person.name)
    let b = StateRecorder(rig.store.publisher[dynamicMember: \.person.name])
    store.person.name = "Bob"
    #expect(a.values == ["Bob"])
    #expect(b.values == ["Bob"])
  }

  @Test(
    "M3 observers of values that are neither comparable nor at a known offset are always notified")
  func incomparableComputed() {
    struct Vault {
      var token = Token()
      var count = 0
      var computed: Token { token }
    }
    let rig = StateRig(Vault())
    let computed = StateRecorder(rig.store.publisher.computed)
    let stored = StateRecorder(rig.store.publisher.token)
    rig.write.count = 1
    rig.write.token = Token()
    rig.write.batch {
      rig.write.count = 2
      rig.write.token = Token()
    }
    #expect(computed.count == 3)
    #expect(stored.count == 2)
  }

  @Test("S10 each of many adjacent properties notifies its own observers only")
  func neighbours() {
    struct Row { var (a, b, c, d) = (UInt8(0), UInt8(0), UInt8(0), Int16(0)) }
    let rig = StateRig(Row())
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    let subscriptions = [
      publisher.d.sink { _ in told.note("d") }, publisher.b.sink { _ in told.note("b") },
      publisher.a.sink { _ in told.note("a") }, publisher.c.sink { _ in told.note("c") },
    ]
    rig.write.c = 1
    rig.write.a = 1
    rig.write.d = 1
    rig.write.b = 1
    #expect(told.take() == ["c", "a", "d", "b"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S10 a part that is observed after a write to its container is compared in the next write")
  func observedAfterAWrite() {
    let people = StateRecorder(rig.store.publisher.person)
    store.person.age += 1
    let ages = StateRecorder(rig.store.publisher.person.age)
    let names = StateRecorder(rig.store.publisher.person.name)
    store.person.age += 1
    #expect(people.values.map(\.age) == [37, 38])
    #expect(ages.values == [38])
    #expect(names.values == [])
  }

  @Test("S10 adding or removing an observer keeps the order of the others")
  func comingAndGoing() {
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    let name = publisher.person.name.sink { _ in told.note("name") }
    let person = publisher.person.sink { _ in told.note("person") }
    let city = publisher.person.home.city.sink { _ in told.note("city") }
    person.cancel()
    store.person.name = "Bob"
    #expect(told.take() == ["name"])
    let whole = publisher.sink { _ in told.note("whole") }
    name.cancel()
    store.person = Person()
    #expect(told.take() == ["whole"])
    let home = publisher.person.home.sink { _ in told.note("home") }
    store.person.home.city = "Turin"
    #expect(told.take() == ["city", "whole", "home"])
    withExtendedLifetime([city, whole, home]) {}
  }
}
