import Testing

@testable import Signalbox

/// Children in the cases of an enum.
@MainActor final class CaseChildTests: FoyerTests {
  @Test("C12 A child lives while the property has its case")
  func life() throws {
    #expect(room == nil)
    parent.route = .room(FoyerRoom(name: "hall"))
    let first = try #require(room)
    #expect(first === room)
    #expect(attic == nil)
    first.dispatch(.rename("cellar"))
    #expect(first.length == 6)
    parent.route = .room(FoyerRoom(name: "kitchen"))
    #expect(first.name == "kitchen")
    #expect(first === room)
    parent.route = .attic(FoyerRoom(name: "attic"))
    #expect(room == nil)
    #expect(first.name == "kitchen")
    first.dispatch(.rename("gone"))
    #expect(attic?.name == "attic")
    #expect(
      journal.lines == ["room begins", "room ends", "attic begins"])
    parent.route = .room(FoyerRoom())
    #expect(room !== first)
    parent.route = .lobby
    #expect(
      journal.lines.dropFirst(3) == ["attic ends", "room begins", "room ends"])
  }

  @Test("C12 C5 A child whose case is back in the same commit stays, and a later one is another")
  func comeBack() throws {
    parent.route = .room(FoyerRoom())
    let first = try #require(room)
    parent.batch {
      parent.route = .lobby
      parent.route = .room(FoyerRoom(name: "back"))
    }
    #expect(room === first)
    #expect(first.name == "back")
    parent.route = .lobby
    parent.route = .room(FoyerRoom())
    #expect(room !== first)
    #expect(first.name == "back")
  }

  @Test("C12 Parent and child see each other's writes at once")
  func oneState() throws {
    parent.route = .room(FoyerRoom())
    let room = try #require(room)
    room.dispatch(.grow)
    guard case .room(let state) = store.route else { throw ChildFailure() }
    #expect(state.size == 1)
    #expect(state == room.state)
    parent.update { foyer in
      if case .room(var state) = foyer.route {
        state.name = "from outside"
        foyer.route = .room(state)
      }
    }
    #expect(room.name == "from outside")
    #expect(room.length == 12)
    room.binder.size.wrappedValue += 5
    #expect(room.size == 6)
    room.instruments.arranging.update { $0.name = "updated" }
    #expect(store.route == .room(room.state))
    #expect(room.length == 7)
    room.dispatch(.leave)
    #expect(store.route == .lobby)
    #expect(room.name == "updated")
  }

  @Test("C12 A child may be in the case of an optional")
  func optional() throws {
    func sheet() -> Store<FoyerRoom, RoomAction>? {
      store.child(case: \.sheet, FoyerRoute.room, RoomFeature.self)
    }
    #expect(sheet() == nil)
    parent.sheet = .lobby
    #expect(sheet() == nil)
    parent.sheet = .room(FoyerRoom())
    let room = try #require(sheet())
    room.dispatch(.grow)
    #expect(store.sheet == .room(room.state))
    #expect(room.size == 1)
    parent.sheet = .attic(FoyerRoom())
    #expect(sheet() == nil)
    parent.sheet = .room(FoyerRoom())
    parent.sheet = nil
    #expect(sheet() == nil)
    #expect(journal.lines == ["sheet begins", "sheet ends", "sheet begins", "sheet ends"])
  }

  @Test("C12 The payload may have a label or no size, be an object or a text, or be indirect")
  func kinds() throws {
    parent.route = .named(guest: FoyerGuest())
    store.child(case: \.route, FoyerRoute.named, GuestFeature.self)?.dispatch("x")
    #expect(store.route == .named(guest: FoyerGuest(name: "x")))
    parent.route = .nothing(FoyerNothing())
    let nothing = try #require(store.child(case: \.route, FoyerRoute.nothing, NothingFeature.self))
    nothing.dispatch(1)
    #expect(store.route == .nothing(FoyerNothing()))
    let (key, other) = (FoyerKey(), FoyerKey())
    parent.route = .key(key)
    store.child(case: \.route, FoyerRoute.key, KeyFeature.self)?.dispatch(other)
    #expect(store.route == .key(other))
    parent.route = .text("a text with more than fifteen letters")
    store.child(case: \.route, FoyerRoute.text, TextFeature.self)?.dispatch("!")
    #expect(store.route == .text("a text with more than fifteen letters!"))
    parent.route = .deeper(FoyerNook())
    let copy = store.route
    nook?.dispatch(3)
    #expect(store.route == .deeper(FoyerNook(depth: 3, numbers: [3])))
    #expect(copy == .deeper(FoyerNook()))
  }

  @Test("C12 Cases, elements and cases in elements nest")
  func nesting() throws {
    parent.route = .room(
      FoyerRoom(guests: [FoyerGuest(id: 1), FoyerGuest(id: 2)], corner: .shelf(FoyerShelf())))
    let room = try #require(room)
    let inner = try #require(room.child(case: \.corner, FoyerCorner.shelf, ShelfFeature.self))
    let guest = try #require(room.child(\.guests, id: 2, GuestFeature.self))
    var seen: [String] = []
    let subscriptions = [
      store.publisher.route.sink { _ in seen.append("route") },
      guest.publisher.name.sink { seen.append("guest \($0)") },
      inner.publisher.name.sink { seen.append("inner \($0)") },
      room.publisher.name.sink { seen.append("room \($0)") },
      inner.publisher.books.sink { seen.append("books \($0)") },
    ]
    guest.dispatch("x")
    #expect(seen == ["route", "guest x"])
    seen = []
    inner.dispatch(.rename("nook"))
    #expect(seen == ["route", "inner nook"])
    seen = []
    inner.dispatch(.append)
    #expect(seen == ["route", "books [0]"])
    seen = []
    room.dispatch(.rename("hall"))
    #expect(seen == ["route", "room hall", "route"])
    guard case .room(let state) = store.route, case .shelf(let shelf) = state.corner else {
      throw ChildFailure()
    }
    #expect(state.guests[1].name == "x")
    #expect((state.name, state.length, shelf.name, shelf.books) == ("hall", 4, "nook", [0]))
    seen = []
    parent.route = .attic(state)
    #expect(seen == ["route"])
    #expect((guest.name, inner.name) == ("x", "nook"))
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C12 A payload in many cases within one another is changed in place")
  func deep() throws {
    var state = FoyerNook()
    for _ in 0..<64 { state = FoyerNook(route: .deeper(state)) }
    parent.route = .deeper(state)
    var leaf = try #require(nook)
    for _ in 0..<64 {
      leaf = try #require(leaf.child(case: \.route, FoyerRoute.deeper, NookFeature.self))
    }
    leaf.dispatch(7)
    #expect(leaf.depth == 7)
    var found = store.route
    var depth = 0
    while case .deeper(let state) = found {
      (found, depth) = (state.route, depth + state.depth)
    }
    #expect(depth == 7)
  }

  @Test("C12 C14 A payload with another id is another child")
  func identity() throws {
    func guest() -> Store<FoyerGuest, String>? {
      store.child(case: \.route, FoyerRoute.named, GuestFeature.self)
    }
    parent.route = .named(guest: FoyerGuest(id: 1))
    let first = try #require(guest())
    parent.route = .named(guest: FoyerGuest(id: 1, name: "same"))
    #expect(guest() === first)
    parent.route = .named(guest: FoyerGuest(id: 2, name: "other"))
    #expect(guest() !== first)
    #expect(first.name == "same")
    first.dispatch("late")
    #expect(guest()?.name == "other")
    #expect(journal.lines == ["guest 1 begins", "guest 1 ends", "guest 2 begins"])
    let second = try #require(guest())
    second.instruments.arranging.update { $0 = FoyerGuest(id: 3, name: "third") }
    #expect(second.name == "third")
    #expect(guest()?.id == 3)
    #expect(journal.lines.suffix(2) == ["guest 2 ends", "guest 3 begins"])
  }

  @Test("C12 A6 The work of a child ends with its case, and what it writes later is dropped")
  func lateWork() async throws {
    parent.route = .room(FoyerRoom(name: "hall"))
    let task = try #require(room).send(.wait)
    parent.route = .attic(FoyerRoom(name: "attic"))
    await task.value
    #expect(attic?.name == "attic")
    #expect(journal.lines == ["room begins", "room ends", "attic begins"])
  }

  @Test("C12 C10 A transducer may handle the events of a child in a case")
  func transducer() throws {
    enum Counter: Transducer {
      struct State: Equatable { var count = 1 }
      enum Event { case next }
      static func update(_ state: inout State, event: Event) -> Effect? {
        state.count += 1
        return nil
      }
    }
    enum Panel: Equatable {
      case counter(Counter.State)
      case hidden
    }
    struct Desk { var panel = Panel.counter(Counter.State()) }
    struct Keeper: Interactor {
      func children(of store: MutatingStore<Desk, Never>) -> Children<Desk> {
        Child(case: \.panel, Panel.counter) { Counter.feature() }
      }
      func onAction(_ action: Never, store: MutatingStore<Desk, Never>) {}
    }
    let store = Store(state: Desk(), interactor: Keeper())
    let counter = try #require(
      store.child(case: \.panel, Panel.counter, Counter.self))
    counter.dispatch(.next)
    #expect(store.panel == .counter(Counter.State(count: 2)))
    store.instruments.arranging.panel = .hidden
    #expect(store.child(case: \.panel, Panel.counter, Counter.self) == nil)
  }

  @Test("C12 The release of the parent ends a child in a case")
  func release() throws {
    var store: Store<Foyer, Never>? = Store(
      state: Foyer(route: .room(FoyerRoom(name: "hall"))),
      interactor: FoyerFeature(journal: journal))
    let room = try #require(store?.child(case: \.route, FoyerRoute.room, RoomFeature.self))
    store = nil
    #expect(journal.lines == ["room begins", "room ends"])
    #expect(room.name == "hall")
    room.dispatch(.grow)
    #expect(room.size == 0)
  }
}
