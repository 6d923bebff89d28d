import Signalbox
import SignalboxTesting
import Testing

/// Tests that a value is hidden when a hook receives it from a redacted part of the state.
///
/// No property here is named to `DebugStore.redact(_:)`.
@MainActor struct RedactedOriginTests {
  private struct House: Equatable {
    @Redacted var code = "s3cret"
    var rooms = ["hall"]
    var door = 0
  }

  @Test("D4 a hook value from flatMapLatest is hidden as if the hook had subscribed directly")
  func flatMapLatest() async {
    let knocks = Emitter<Int>()
    let store = TestStore(
      state: House(),
      interactor: Hooking<House, String, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first:
            knocks.flatMapLatest { _ in store.publisher.code.includingCurrent() }.sink { _ in }
          case .second:
            store.publisher.door
              .flatMapLatest { _ in
                knocks.flatMapLatest { _ in store.publisher.code.map { "\($0)!" } }
              }.sink { _ in }
          case .third:
            knocks.flatMapLatest { _ in store.publisher.door.includingCurrent() }.sink { _ in }
          }
        },
        handle: { text, store in
          store.door += 1
          knocks.send(1)
          store.code = "s3cret" + text
        }))
    let found = await failures {
      await store.dispatch("again") { $0.rooms = ["cellar"] }
    }
    let heard = found.only.split(separator: "\n").filter { $0.contains("hook") }
    #expect(heard.count == 4, "\(found)")
    expectHidden(heard.filter { !$0.contains("hook third") }.map(String.init))
    #expect(heard.contains { $0.contains("hook third received 1") })
    #expect(!found.only.contains("s3cret"))
  }

  @Test("D4 E1 a hook value from share is hidden as if the hook had subscribed directly")
  func share() async {
    let knocks = Emitter<Int>()
    var shared: Signal<String>?
    let store = TestStore(
      state: House(),
      interactor: Hooking<House, String, ThreeHooks>(
        connect: { hook, store in
          let code = shared ?? store.publisher.code.share(replay: 1)
          shared = code
          switch hook {
          case .first: return code.sink { _ in }
          case .second: return code.map { "\($0)!" }.sink { _ in }
          case .third:
            return knocks.flatMapLatest { _ in store.publisher.code.includingCurrent() }
              .share().sink { _ in }
          }
        },
        handle: { text, store in
          store.code = "s3cret" + text
          knocks.send(1)
        }))
    let found = await failures {
      await store.dispatch("again") { $0.rooms = ["cellar"] }
    }
    let heard = found.only.split(separator: "\n").filter { $0.contains("hook") }.map(String.init)
    #expect(heard.count == 3, "\(found)")
    expectHidden(heard)
    #expect(!found.only.contains("s3cret"))
  }

  private struct Flat: Equatable {
    var owner = Owner()
    var rooms: [String] = []
  }

  private struct Owner: Equatable {
    var name = "ann"
    @Redacted var code = "s3cret"
  }

  @Test("D4 what an operator makes of a part with redacted values is hidden, whatever its type")
  func transformed() async {
    let store = TestStore(
      state: Flat(),
      interactor: Hooking<Flat, String, ThreeHooks>(
        connect: { hook, store in
          switch hook {
          case .first: store.publisher.owner.map { Owner(name: $0.code) }.sink { _ in }
          case .second: store.publisher.owner.scan(Owner()) { Owner(name: $1.code) }.sink { _ in }
          case .third: store.publisher.owner.filter { _ in true }.sink { _ in }
          }
        },
        handle: { text, store in store.owner = Owner(name: text, code: "s3cret!") }))
    let found = await failures {
      await store.dispatch("bob") { $0.rooms = ["cellar"] }
    }
    let heard = found.only.split(separator: "\n").filter { $0.contains("hook") }.map(String.init)
    #expect(heard.count == 3, "\(found)")
    expectHidden(heard)
    #expect(heard.contains { $0.contains(#"Owner(name: "bob", code: <redacted>)"#) }, "\(heard)")
  }

  @Test("D4 a value that flatMapLatest makes of a redacted part is hidden")
  func switched() {
    let store = Store(
      state: Flat(owner: Owner(name: "bob", code: "s3cret!")),
      interactor: Hooking<Flat, String, OneHook>(
        connect: { _, store in
          store.publisher.owner.flatMapLatest { .just(Owner(name: $0.code)) }.sink { _ in }
        }, handle: { text, store in store.owner.name = text }))
    var hidden: [Bool] = []
    let events = store.events.sink { event in
      if case .hookFired = event.kind { hidden.append(DebugStore.hides(event, in: store.state)) }
    }
    store.send("ann")
    #expect(hidden == [true])
    events.cancel()
  }

  private struct Lobby: Equatable { var doors = 1 }

  /// Whether the value that a hook of one store receives from another store is hidden.
  private func isHidden<Value>(_ source: Signal<Value>, write: () -> Void) -> [Bool] {
    let store = Store(
      state: Lobby(),
      interactor: Hooking<Lobby, String, OneHook>(connect: { _, _ in source.sink { _ in } }))
    var hidden: [Bool] = []
    let events = store.events.sink { event in
      if case .hookFired = event.kind { hidden.append(DebugStore.hides(event, in: store.state)) }
    }
    write()
    withExtendedLifetime(events) {}
    return hidden
  }

  @Test(
    "D4 a value of another store is shown if nothing in the state of that store can be redacted")
  func otherStore() {
    let hall = Store(state: Hall())
    let seats = hall.publisher.seats
    #expect(isHidden(seats.signal) { hall.binder.seats.wrappedValue = [3] } == [false])
    #expect(isHidden(seats.map { $0.count }) { hall.binder.seats.wrappedValue = [] } == [false])
    let house = Store(state: House())
    let rooms = house.publisher.rooms.signal
    #expect(isHidden(rooms) { house.binder.rooms.wrappedValue = [] } == [true])
  }

  private struct Hall: Equatable { var seats = Array(0...100) }

  @Test("D4 a value that may come from more parts than a sink lists is hidden")
  func manyParts() {
    let knocks = Emitter<Int>()
    let store = Store(
      state: Hall(),
      interactor: Hooking<Hall, String, ThreeHooks>(connect: { hook, store in
        guard hook == .first else { return .empty }
        return knocks.flatMapLatest { seat in
          store.publisher[dynamicMember: \.seats[seat]].includingCurrent()
        }.sink { _ in }
      }))
    var hidden: [Bool] = []
    let events = store.events.sink { event in
      if case .hookFired = event.kind { hidden.append(DebugStore.hides(event, in: Hall())) }
    }
    for seat in 0...100 { knocks.send(seat) }
    #expect(hidden == Array(repeating: false, count: 100) + [true])
    withExtendedLifetime(events) {}
  }

  @Test("D4 one part that many signals read counts once among the parts of a sink")
  func onePartOften() {
    let store = Store(
      state: Hall(),
      interactor: Hooking<Hall, String, OneHook>(
        connect: { _, store in
          (0...100).reduce(Signal<[Int]>.never) { all, _ in all.merge(with: store.publisher.seats) }
            .prefix(1).sink { _ in }
        }, handle: { _, store in store.seats = [] }))
    var hidden: [Bool] = []
    let events = store.events.sink { event in
      if case .hookFired = event.kind { hidden.append(DebugStore.hides(event, in: Hall())) }
    }
    store.send("clear")
    #expect(hidden == [false])
    withExtendedLifetime(events) {}
  }

  @Test("D4 finding the source of a value reads no element, because it may be missing")
  func elements() {
    let house = House(rooms: [])
    #expect(Redaction.none.hides("hall", from: \House.rooms[0], in: house))
    struct Hall { var rooms: [String] = [] }
    #expect(!Redaction.none.hides("hall", from: \Hall.rooms[0], in: Hall()))
  }
}
