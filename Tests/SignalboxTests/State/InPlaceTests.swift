import Signalbox
import Testing

@MainActor struct InPlaceTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  @Test("S6 a trivially copyable property that stays equal notifies no observer")
  func trivialIsCompared() {
    let counts = StateRecorder(rig.store.publisher.count)
    let points = StateRecorder(rig.store.publisher.point)
    let x = StateRecorder(rig.store.publisher.point.x)
    let whole = StateRecorder(rig.store.publisher)
    store.count += 0
    store.point.x += 0
    #expect(whole.count + counts.count + points.count + x.count == 0)
    store.point.y += 1
    #expect(points.values == [Point(x: 0, y: 1)])
    #expect(x.count == 0)
    #expect(whole.count == 1)
  }

  @Test("S6 any other property counts as changed without a comparison")
  func othersAreNot() {
    let titles = StateRecorder(rig.store.publisher.title)
    let items = StateRecorder(rig.store.publisher.items)
    store.title += ""
    store.items.sort { $0.text < $1.text }
    #expect(titles.values == ["hall"])
    #expect(items.count == 1)
  }

  @Test("S6 for observers of parts of an in-place change, those parts are compared")
  func partsAreCompared() {
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    let subscriptions = [
      publisher.person.sink { _ in told.note("person") },
      publisher.person.name.sink { told.note("name \($0)") },
      publisher.person.age.sink { told.note("age \($0)") },
      publisher.person.home.sink { _ in told.note("home") },
      publisher.person.home.city.sink { told.note("city \($0)") },
      publisher.title.sink { _ in told.note("title") },
    ]
    store.person.name = "Bob"
    #expect(told.take() == ["person", "name Bob"])
    store.person.name = "Bob"
    #expect(told.take() == ["person"])
    store.person.home.city = "Turin"
    #expect(told.take() == ["person", "home", "city Turin"])
    store.person.age += 1
    #expect(told.take() == ["person", "age 37"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S6 after changes of its only property, an in-place change of a value is noticed as well")
  func onlyPropertyFirst() {
    struct Box { var items = [1] }
    struct Shelf {
      var box = Box()
      var count = 0
    }
    let rig = StateRig(Shelf())
    let items = StateRecorder(rig.store.publisher.box.items)
    rig.write[dynamicMember: \.box.items].append(2)
    rig.write[dynamicMember: \.box.items].append(3)
    rig.write.box.items.append(4)
    #expect(items.values == [[1, 2], [1, 2, 3], [1, 2, 3, 4]])
  }

  @Test("S10 the only property of a state is compared when the state is assigned")
  func solePropertyIsCompared() {
    struct Only { var name = "a" }
    let rig = StateRig(Only())
    let names = StateRecorder(rig.store.publisher.name)
    rig.write.state = Only()
    #expect(names.values == [])
    rig.write.state = Only(name: "b")
    #expect(names.values == ["b"])
  }

  private struct Shelf: Equatable {
    struct Drawer: Equatable { var box = Box() }
    struct Box: Equatable { var label = "a" }

    var drawer = Drawer()
    var count = 0
  }

  @Test(
    "S6 S10 the only property of a property is a part of it with observers of its own",
    .readsKeyPaths)
  func solePropertyOfAProperty() {
    let rig = StateRig(Shelf())
    let told = StateRecorder<String>()
    let drawer = rig.store.publisher.drawer
    let subscriptions = [
      drawer.sink { _ in told.note("drawer") },
      drawer.box.sink { _ in told.note("box") },
      drawer.box.label.sink { told.note("label \($0)") },
    ]
    rig.write.drawer.box.label = "a"
    #expect(told.take() == ["drawer"])
    rig.write.drawer.box.label = "b"
    #expect(told.take() == ["drawer", "box", "label b"])
    rig.write.set(\.drawer.box, rig.store.drawer.box, forceUpdate: true)
    #expect(told.take() == ["drawer", "box"])
    rig.write.set(\.drawer.box.label, "b", forceUpdate: true)
    #expect(told.take() == ["drawer", "box", "label b"])
    rig.write[dynamicMember: \.drawer.box].label.append("")
    #expect(told.take() == ["drawer", "box"])
    rig.write.batch {
      rig.write.drawer.box.label = "c"
      rig.write.drawer.box.label = "b"
    }
    #expect(told.take() == ["drawer"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "S6 the only property of an in-place change is compared if only it is observed", .readsKeyPaths)
  func solePropertyAlone() {
    let rig = StateRig(Shelf())
    let labels = StateRecorder(rig.store.publisher.drawer.box.label)
    rig.write.drawer.box.label = "a"
    rig.write.set(\.drawer, Shelf.Drawer(), forceUpdate: true)
    #expect(labels.values == [])
    rig.write.drawer.box.label = "b"
    rig.write.drawer.box.label = "b"
    #expect(labels.values == ["b"])
  }

  @Test("S6 a whole state that is trivially copyable is compared")
  func trivialState() {
    let rig = StateRig(5)
    let values = StateRecorder(rig.store.publisher)
    rig.write.state += 0
    #expect(values.values == [])
    rig.write.state += 1
    #expect(values.values == [6])
  }

  @Test("S6 observers of a part that a trivially copyable property's == ignores are notified")
  func ignoredPart() {
    struct Stand {
      var counted = Counted()
      var hits: Int { counted.hits }
    }
    let rig = StateRig(Stand())
    let hits = StateRecorder(rig.store.publisher.counted.hits)
    let computed = StateRecorder(rig.store.publisher.hits)
    rig.write.counted.hits += 1
    #expect(hits.values == [1])
    #expect(computed.values == [1])
  }

  @Test("S10 an in-place change of a didSet property that changes nothing leaves no trace")
  func nothingLeftOver() {
    let people = StateRecorder(rig.store.publisher.person)
    store.level += 0
    store.set(\.person.name, "Bob")
    #expect(people.take().map(\.name) == ["Bob"])
    store.update { $0.person.name = "Ada" }
    #expect(people.take().map(\.name) == ["Ada"])
    store.level += 0
    store.set(\.person.name, "Bob")
    #expect(people.take().map(\.name) == ["Bob"])
    store.level = 7
    #expect(people.take() == [])
  }

  @Test("S6 an in-place change of a didSet property runs didSet once and notifies its observers")
  func didSetRuns() {
    let levels = StateRecorder(rig.store.publisher.level)
    let changes = StateRecorder(rig.store.publisher.levelChanges)
    store.level += 3
    #expect(levels.values == [3])
    #expect(changes.values == [1])
    store.level = 3
    #expect(levels.values == [3])
  }

  @Test("S6 optional chaining changes an existing value in place")
  func optionalChaining() {
    let guests = StateRecorder(rig.store.publisher.guest)
    store.guest = Person()
    store.guest?.name = "Bob"
    #expect(guests.values.map { $0?.name } == ["Ada", "Bob"])
    store.guest = nil
    #expect(guests.values.last == .some(nil))
  }

  @Test("S6 an argument of a mutating call is read before the change begins")
  func arguments() {
    store.items.append(Item(text: store.title))
    store.count += store.items.count
    #expect(store.items.last?.text == "hall")
    #expect(store.count == 3)
  }
}
