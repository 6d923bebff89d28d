import Observation
import SignalboxTesting
import Testing

@testable import Signalbox

/// Writes in children in the cases of an enum, and what is said of these children.
@MainActor final class CaseAccessTests: FoyerTests {
  @Test("C12 S6 A batch with writes of parent and child is one commit")
  func batch() throws {
    parent.route = .room(FoyerRoom())
    let room = try #require(room)
    var seen: [String] = []
    let subscriptions = [
      store.publisher.route.sink { _ in seen.append("route") },
      room.publisher.name.sink { seen.append("name \($0)") },
      room.publisher.size.sink { seen.append("size \($0)") },
    ]
    parent.batch {
      room.binder.name.wrappedValue = "a"
      parent.route = .room(FoyerRoom(name: "b", length: 1, numbers: [1]))
      room.binder.size.wrappedValue = 3
      room.binder.size.wrappedValue = 0
    }
    #expect(seen == ["route", "name b"])
    seen = []
    parent.batch {
      room.binder.size.wrappedValue = 8
      parent.route = .lobby
    }
    #expect(seen == ["route"])
    #expect(room.size == 8)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C12 M2 A write in a payload copies no array, observed or not, however deep it is")
  func noCopy() throws {
    var numbers = Array(0..<10_000)
    numbers.reserveCapacity(20_000)
    func address(_ array: [Int]) -> UInt {
      unsafe array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    var before: UInt = 0
    func isInPlace(_ read: (Foyer) -> [Int]?, _ body: () -> Void) -> Bool {
      // Not through the store itself, because such a read observes what it reads (M5).
      before = address(read(parent.state) ?? [])
      body()
      body()
      return before == address(read(parent.state) ?? [])
    }
    let ofRoom: (Foyer) -> [Int]? = {
      if case .room(let state) = $0.route { state.numbers } else { nil }
    }
    parent.route = .room(FoyerRoom(numbers: numbers))
    numbers = []
    let room = try #require(room)
    #expect(isInPlace(ofRoom) { room.dispatch(.append) })
    let subscriptions = [
      room.publisher.size.sink { _ in }, room.publisher.numbers.map(\.count).sink { _ in },
    ]
    #expect(isInPlace(ofRoom) { room.dispatch(.append) })
    #expect(isInPlace(ofRoom) { room.dispatch(.grow) })
    withExtendedLifetime(subscriptions) {}
    numbers = Array(0..<10_000)
    numbers.reserveCapacity(20_000)
    parent.route = .deeper(FoyerNook(route: .deeper(FoyerNook(numbers: numbers))))
    numbers = []
    let nook = try #require(nook?.child(case: \.route, FoyerRoute.deeper, NookFeature.self))
    let ofNook: (Foyer) -> [Int]? = {
      guard case .deeper(let outer) = $0.route, case .deeper(let inner) = outer.route else {
        return nil
      }
      return inner.numbers
    }
    #expect(isInPlace(ofNook) { nook.dispatch(2) })
  }

  @Test("C12 A comparison in the middle of a write in a payload finds the state complete")
  func comparison() throws {
    struct Level: Equatable {
      var number = 0
      static func == (l: Level, r: Level) -> Bool {
        MainActor.assumeIsolated { Self.onCompare() }
        return l.number == r.number
      }
      @MainActor static var onCompare: () -> Void = {}
    }
    struct Tank {
      var level = Level()
      var text = "a text with more than fifteen letters"
    }
    enum Vessel {
      case tank(Tank)
      case empty
    }
    struct Works { var vessel = Vessel.tank(Tank()) }
    struct TankFeature: Interactor {
      func onAction(_ action: Int, store: MutatingStore<Tank, Int>) { store.level.number = action }
    }
    struct Plant: Interactor {
      func children(of store: MutatingStore<Works, Never>) -> Children<Works> {
        Child(case: \.vessel, Vessel.tank) { TankFeature() }
      }
      func onAction(_ action: Never, store: MutatingStore<Works, Never>) {}
    }
    let store = Store(state: Works(), interactor: Plant())
    let tank = try #require(store.child(case: \.vessel, Vessel.tank, TankFeature.self))
    var seen: [Int] = []
    Level.onCompare = {
      if case .tank(let tank) = store.vessel { seen.append(tank.level.number) }
    }
    let subscription = tank.publisher.level.sink { _ in }
    tank.dispatch(4)
    #expect(!seen.isEmpty && seen.allSatisfy { $0 == 4 })
    #expect(tank.level.number == 4)
    Level.onCompare = {}
    withExtendedLifetime(subscription) {}
  }

  @Test("C12 M5 M6 A binding to a child in a case tracks which child it is, and nil removes it")
  func binding() throws {
    let sheet = store.binder.child(case: \.sheet, FoyerRoute.room, RoomFeature.self)
    #expect(sheet.wrappedValue == nil)
    parent.sheet = .room(FoyerRoom())
    let room = try #require(sheet.wrappedValue)
    var changes = 0
    func track() {
      withObservationTracking {
        _ = sheet.wrappedValue
      } onChange: {
        MainActor.assumeIsolated { changes += 1 }
      }
    }
    track()
    room.dispatch(.grow)
    #expect(changes == 0)
    parent.sheet = .attic(FoyerRoom())
    #expect(changes == 1)
    sheet.wrappedValue = nil
    #expect(store.sheet == .attic(FoyerRoom()))
    parent.sheet = .room(FoyerRoom())
    track()
    sheet.wrappedValue = nil
    #expect(store.sheet == nil)
    #expect(changes == 2)
  }

  @Test("C12 M5 Bindings to children in two cases with payloads of two types notice another id")
  func twoPayloads() {
    struct Atrium { var sheet: FoyerRoute? }
    struct AtriumFeature: Interactor {
      func children(of store: MutatingStore<Atrium, Never>) -> Children<Atrium> {
        Child(case: \.sheet, FoyerRoute.room) { RoomFeature() }
        Child(case: \.sheet, FoyerRoute.named) { GuestFeature() }
      }
      func onAction(_ action: Never, store: MutatingStore<Atrium, Never>) {}
    }
    let store = Store(state: Atrium(), interactor: AtriumFeature())
    let room = store.binder.child(case: \.sheet, FoyerRoute.room, RoomFeature.self)
    let guest = store.binder.child(case: \.sheet, FoyerRoute.named, GuestFeature.self)
    store.binder.sheet.wrappedValue = .named(guest: FoyerGuest(id: 1))
    var received: [Int?] = []
    var rooms = 0
    let subscriptions = [
      room.signal.sink { _ in rooms += 1 }, guest.signal.sink { received.append($0?.id) },
    ]
    var changes = 0
    withObservationTracking {
      _ = (room.wrappedValue, guest.wrappedValue)
    } onChange: {
      MainActor.assumeIsolated { changes += 1 }
    }
    store.binder.sheet.wrappedValue = .named(guest: FoyerGuest(id: 2))
    #expect(changes == 1)
    #expect(received == [2])
    store.binder.sheet.wrappedValue = .named(guest: FoyerGuest(id: 3))
    #expect(rooms <= 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C8 C12 The path of a child in a case has the names of the property and of the case")
  func path() throws {
    parent.route = .named(guest: FoyerGuest(id: 9))
    let guest = try #require(store.child(case: \.route, FoyerRoute.named, GuestFeature.self))
    #expect(guest.eventLog.path == #"\.route.named"#)
    parent.route = .attic(FoyerRoom(corner: .shelf(FoyerShelf())))
    let shelf = try #require(
      attic?.child(case: \.corner, FoyerCorner.shelf, ShelfFeature.self))
    #expect(shelf.eventLog.fullPath == #"\.route.attic.corner.shelf"#)
  }

  @Test("D4 C12 A child in a case of a redacted property is hidden")
  func redaction() throws {
    struct Safe: Equatable {
      var foyerVault = FoyerRoute.room(FoyerRoom())
    }
    struct Guard: Interactor {
      func children(of store: MutatingStore<Safe, Never>) -> Children<Safe> {
        Child(case: \.foyerVault, FoyerRoute.room) { RoomFeature() }
      }
      func onAction(_ action: Never, store: MutatingStore<Safe, Never>) {}
    }
    let store = Store(state: Safe(), interactor: Guard())
    let vault = try #require(store.child(case: \.foyerVault, FoyerRoute.room, RoomFeature.self))
    #expect(!vault.eventLog.isHidden)
    _ = Redaction.hide(\Safe.foyerVault)
    #expect(vault.eventLog.isHidden)
  }
}
