import Signalbox
import Testing

@MainActor struct ForceUpdateTests {
  private let rig = StateRig(Room())
  private var store: MutatingStore<Room, Never> { rig.write }

  private func listen() -> (told: StateRecorder<String>, subscriptions: [Subscription]) {
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    return (
      told,
      [
        publisher.sink { _ in told.note("whole") },
        publisher.person.sink { _ in told.note("person") },
        publisher.person.home.sink { _ in told.note("home") },
        publisher.person.home.city.sink { _ in told.note("city") },
        publisher.person.name.sink { _ in told.note("name") },
        publisher.count.sink { _ in told.note("count") },
        publisher.headline.sink { _ in told.note("headline") },
        publisher.level.sink { _ in told.note("level") },
      ]
    )
  }

  @Test("S6 forceUpdate notifies the observers of that path and of the paths around it, no others")
  func pathAndAround() {
    let (told, subscriptions) = listen()
    store.set(\.person.home, Home(), forceUpdate: true)
    #expect(told.take() == ["whole", "person", "home"])
    store.set(\.count, 0, forceUpdate: true)
    #expect(told.take() == ["whole", "count"])
    store.set(\.self, store.state, forceUpdate: true)
    #expect(told.take() == ["whole"])
    store.set(\.person.home.city, "London", forceUpdate: true)
    #expect(told.take() == ["whole", "person", "home", "city"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S6 an equal value without forceUpdate notifies no observer")
  func notForced() {
    let (told, subscriptions) = listen()
    store.set(\.person.home, Home())
    store.set(\.count, 0, forceUpdate: false)
    #expect(told.take() == [])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S6 forceUpdate of a didSet or computed property notifies its observers and the whole")
  func withoutPlace() {
    let (told, subscriptions) = listen()
    store.set(\.level, 0, forceUpdate: true)
    #expect(told.take() == ["whole", "level"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S6 assign(to:using:forceUpdate:) passes forceUpdate on")
  func assignForced() {
    let emitter = Emitter<Int>()
    let counts = StateRecorder(rig.store.publisher.count)
    let quiet = emitter.assign(to: \.count, using: store)
    emitter.send(0)
    quiet.cancel()
    let forced = emitter.assign(to: \.count, using: store, forceUpdate: true)
    emitter.send(0)
    #expect(counts.values == [0])
    withExtendedLifetime(forced) {}
  }
}
