import Observation
import Signalbox
import Testing

@MainActor struct StateBindingTests {
  private let rig = StateRig(Room())

  @Test("M6 binder.x reads and writes a property")
  func property() {
    let titles = StateRecorder(rig.store.publisher.title)
    let title = rig.store.binder.title
    #expect(title.wrappedValue == "hall")
    title.wrappedValue = "loft"
    title.wrappedValue = "loft"
    #expect(rig.store.title == "loft")
    rig.write.title = "attic"
    #expect(title.wrappedValue == "attic")
    #expect(titles.values == ["loft", "attic"])
  }

  @Test("M6 binder.x works with computed, didSet, optional and nested properties")
  func kinds() {
    let binder = rig.store.binder
    binder.headline.wrappedValue = "loft"
    binder.level.wrappedValue = 3
    binder.note.wrappedValue = "n"
    binder[dynamicMember: \.person.name].wrappedValue = "Bob"
    #expect(rig.store.title == "loft")
    #expect(rig.store.levelChanges == 1)
    #expect(rig.store.note == "n")
    #expect(rig.store.person.name == "Bob")
  }

  @Test("M6 binder.x works with a value that cannot be compared, whose writes are all changes")
  func notEquatable() {
    struct Shape { var draw: () -> String = { "circle" } }
    let store = Store(state: Shape())
    let draw = store.binder.draw
    let drawn = StateRecorder(draw.map { $0() })
    draw.wrappedValue = { "square" }
    draw.wrappedValue = { "square" }
    #expect(draw.wrappedValue() == "square")
    #expect(drawn.values == ["square", "square"])
  }

  @Test("M6 a binding is a state signal that delivers only changes")
  func signal() {
    let title = rig.store.binder.title
    let titles = StateRecorder(title)
    let current = StateRecorder(title.includingCurrent())
    title.wrappedValue = "loft"
    rig.write.count = 1
    #expect(titles.values == ["loft"])
    #expect(current.values == ["hall", "loft"])
  }

  @Test("M6 binding(get:action:) reads the state and turns a write into an action")
  func action() {
    let store = Store(state: Room(), actionable: Renamer())
    let shouted = store.binder.binding(get: { $0.title.uppercased() }, action: { .rename($0) })
    #expect(shouted.wrappedValue == "HALL")
    shouted.wrappedValue = "loft"
    #expect(store.title == "loft")
    #expect(shouted.wrappedValue == "LOFT")
    shouted.wrappedValue = "refused"
    #expect(store.title == "loft")
  }

  @Test("M6 binding(get:action:) is a signal of the value that it reads")
  func actionSignal() {
    let store = Store(state: Room(), actionable: Renamer())
    let title = store.binder.binding(get: \.title, action: { .rename($0) })
    let titles = StateRecorder(title)
    title.wrappedValue = "loft"
    #expect(titles.values == ["loft"])
  }

  @Test("M6 a binding(get:action:) delivers only changes of the value that it reads")
  func actionSignalIsQuiet() {
    let titles = StateRecorder(
      rig.store.binder.binding(get: \.title, action: { (_: String) -> Never in fatalError() }))
    rig.write.count = 1
    #expect(titles.values == [])
  }

  @Test("M6 M5 the binding of a member reads, writes and tracks that part alone")
  func member() {
    let city = rig.store.binder.person.home.city
    let cities = StateRecorder(city)
    let people = StateRecorder(rig.store.publisher.person.name)
    let changed = SharedCount()
    withObservationTracking {
      _ = city.wrappedValue
    } onChange: {
      changed.increase()
    }
    rig.write.person.home.rooms = 4
    #expect(changed.value == 0)
    city.wrappedValue = "Paris"
    #expect(rig.store.person.home == Home(city: "Paris", rooms: 4))
    #expect(changed.value == 1)
    #expect(cities.values == ["Paris"])
    #expect(people.values == [])
  }

  @Test("M6 writing a member of a binding(get:action:) makes an action of the whole value")
  func memberOfAction() {
    struct Guests: Actionable {
      func onAction(_ guest: Person, store: MutatingStore<Room, Person>) { store.person = guest }
    }
    let store = Store(state: Room(), actionable: Guests())
    let name = store.binder.binding(get: \.person, action: { $0 }).name
    let names = StateRecorder(name)
    name.wrappedValue = "Bob"
    store.send(Person(name: "Bob", age: 3))
    #expect(store.person == Person(name: "Bob", age: 3))
    #expect(name.wrappedValue == "Bob")
    #expect(names.values == ["Bob"])
  }

  @Test("M6 a binding to an element that is gone gives its last value, and a write does nothing")
  func goneElement() {
    struct Shelf: Equatable { var books = [Person(), Person(name: "Bob", age: 3)] }
    struct Shelves: Actionable {
      func onAction(_ books: [Person], store: MutatingStore<Shelf, [Person]>) {
        store.books = books
      }
    }
    let store = Store(state: Shelf(), actionable: Shelves())
    let own = store.binder.books[1].name
    let ofAction = store.binder.binding(get: \.books, action: { $0 })[1].name
    let (names, others) = (StateRecorder(own), StateRecorder(ofAction))
    own.wrappedValue = "Cid"
    store.send([])
    for binding in [own, ofAction] {
      #expect(binding.wrappedValue == "Cid")
      binding.wrappedValue = "late"
      #expect(binding.wrappedValue == "Cid")
    }
    #expect(store.books.isEmpty)
    store.send([Person(), Person(name: "Dan", age: 4)])
    #expect(own.wrappedValue == "Dan")
    #expect(ofAction.wrappedValue == "Dan")
    #expect(names.values == ["Cid", "Dan"])
    #expect(others.values == ["Cid", "Dan"])
  }

  @Test("M2 M6 a member of a binding keeps no copy of what it has read")
  func keptCopy() {
    final class Token {}
    struct Drawer { var token: Token? = Token() }
    struct Desk { var drawer = Drawer() }
    struct Desks: Actionable {
      func onAction(_ drawer: Drawer, store: MutatingStore<Desk, Drawer>) { store.drawer = drawer }
    }
    let store = Store(state: Desk(), actionable: Desks())
    let token = store.binder.binding(get: \.drawer, action: { $0 }).token
    weak let read = token.wrappedValue
    #expect(read != nil)
    token.wrappedValue = nil
    #expect(read == nil)
  }

  @Test("M6 a binder does not keep its store alive, and its writes after the release do nothing")
  func lifetime() {
    var store: Store<Room, Never>? = Store(state: Room())
    weak let released = store
    let title = store?.binder.title
    title?.wrappedValue = "loft"
    store = nil
    #expect(released == nil)
    title?.wrappedValue = "attic"
    #expect(title?.wrappedValue == "loft")
  }

  @Test("M6 a binding that computes its value is a signal that delivers only changes")
  func computedSignal() {
    let store = Store(state: Room(), actionable: Renamer())
    let size = store.binder.binding(get: { $0.title.count }, action: { .rename("\($0)") })
    let sizes = StateRecorder(size)
    store.send(.rename("loft"))
    store.send(.rename("attic"))
    #expect(sizes.values == [5])
  }
}

private struct Renamer: Actionable {
  enum Action { case rename(String) }

  func onAction(_ action: Action, store: MutatingStore<Room, Action>) {
    if case .rename(let title) = action, title != "refused" { store.title = title }
  }
}
