import SignalboxTesting
import Testing

@testable import Signalbox

/// Children at stored properties.
@MainActor struct FixedChildTests {
  private let store = Store(state: StationState(), interactor: Station())

  @Test("C1 Parent and child see each other's writes at once")
  func oneState() {
    let settings = store.child(\.settings, StationSettings.self)
    settings.binder.volume.wrappedValue = 4
    #expect(store.settings.volume == 4)
    store.binder.settings.wrappedValue.log = ["parent"]
    #expect(settings.log == ["parent"])
    let inner = settings.child(\.inner, StationDepth.self)
    inner.dispatch(.deepen)
    #expect(store.settings.inner.depth == 1)
  }

  /// A parent that has children and nothing else.
  private struct Roof: Interactor {
    func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
      Child(\.settings) { StationSettings() }
    }
  }

  /// A parent without hooks that is no interactor.
  private struct Desk: Actionable {
    func children(of store: MutatingStore<StationState, Int>) -> Children<StationState> {
      Child(\.settings) { StationSettings() }
    }

    func onAction(_ volume: Int, store: MutatingStore<StationState, Int>) {
      store.settings.volume = volume
    }
  }

  @Test("C1 A parent needs neither actions nor hooks")
  func onlyAParent() {
    let roof = Store(state: StationState(), interactor: Roof())
    roof.child(\.settings, StationSettings.self).dispatch(.louder)
    #expect(roof.settings.volume == 2)
    let desk = Store(state: StationState(), actionable: Desk())
    let settings = desk.child(\.settings, StationSettings.self)
    desk.send(7)
    #expect(settings.volume == 7)
    let tested = TestStore(state: StationState(), actionable: Desk())
    tested.send(8)
    #expect(tested.child(\.settings, StationSettings.self).volume == 8)
  }

  @Test("C1 S1 A child's write is one commit, which the observers of all see in their order")
  func oneOrder() {
    let settings = store.child(\.settings, StationSettings.self)
    var seen: [String] = []
    let subscriptions = [
      store.publisher.settings.sink { seen.append("settings \($0.volume) \($0.loudness)") },
      settings.publisher.volume.sink { seen.append("volume \($0)") },
      store.publisher.settings.volume.sink { seen.append("path \($0)") },
      store.publisher.sink { seen.append("all \($0.settings.volume) \($0.settings.loudness)") },
      settings.publisher.sink { seen.append("child \($0.volume) \($0.loudness)") },
      store.publisher.title.sink { seen.append("title \($0)") },
    ]
    settings.dispatch(.louder)
    // The hook of the child has subscribed before, and its write comes after the first commit.
    #expect(
      seen == [
        "settings 2 0", "volume 2", "path 2", "all 2 0", "child 2 0",
        "settings 2 20", "all 2 20", "child 2 20",
      ])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C1 S6 An equal value tells nothing, and a batch of the parent covers the child")
  func equalAndBatch() {
    let settings = store.child(\.settings, StationSettings.self)
    var seen: [String] = []
    let subscriptions = [
      store.publisher.sink { seen.append("all \($0.settings.volume)") },
      settings.publisher.volume.sink { seen.append("volume \($0)") },
    ]
    settings.binder.volume.wrappedValue = 1
    #expect(seen.isEmpty)
    store.instruments.arranging.batch {
      settings.binder.volume.wrappedValue = 5
      settings.binder.volume.wrappedValue = 1
    }
    #expect(seen.isEmpty)
    store.instruments.arranging.batch {
      settings.binder.volume.wrappedValue = 5
      settings.binder.volume.wrappedValue = 6
    }
    #expect(seen == ["all 6", "volume 6", "all 6"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C1 S6 update of a child tells the observers of what it has changed, and of what is around")
  func update() {
    let settings = store.child(\.settings, StationSettings.self)
    var seen: [String] = []
    let subscriptions = [
      store.publisher.sink { seen.append("all \($0.settings.inner.depth)") },
      store.publisher.settings.sink { seen.append("settings \($0.inner.depth)") },
      store.publisher.settings.inner.depth.sink { seen.append("depth \($0)") },
      settings.publisher.volume.sink { seen.append("volume \($0)") },
    ]
    settings.instruments.arranging.update { $0.inner.depth = 0 }
    #expect(seen.isEmpty)
    settings.instruments.arranging.update { $0.inner.depth = 3 }
    #expect(seen == ["all 3", "settings 3", "depth 3"])
    settings.instruments.arranging.state.inner.depth = 4
    #expect(seen == ["all 3", "settings 3", "depth 3", "all 4", "settings 4", "depth 4"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("C2 A child has names, hooks, errors and cancels of its own")
  func ownBooks() async {
    let journal = StationJournal()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    journal.gate = {
      for await _ in gate {}
      try Task.checkCancellation()
    }
    let store = Store(state: StationState(), interactor: Station(journal: journal))
    let settings = store.child(\.settings, StationSettings.self)
    settings.send(.save)
    #expect(settings.isRunning(id: "save"))
    #expect(!store.isRunning(id: "save"))
    store.cancel(id: "save")
    #expect(settings.isRunning(id: "save"))
    settings.cancel(id: "save")
    #expect(store.settings.log == ["saving", "cancelled"])
    settings.send(.fail)
    #expect(store.settings.log == ["saving", "cancelled", "error"])
    settings.send(.louder)
    #expect(store.settings.loudness == 20)
    open.finish()
  }

  @Test("C8 settle, runningCount and cancelAll of a parent include its children")
  func parentIncludesChildren() async {
    let journal = StationJournal()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    journal.gate = { for await _ in gate {} }
    let store = Store(state: StationState(), interactor: Station(journal: journal))
    let settings = store.child(\.settings, StationSettings.self)
    settings.send(.save)
    #expect(store.runningCount == 1)
    let task = Task.atOnce { await store.settle() }
    open.finish()
    await task.value
    #expect(store.settings.log == ["saving", "saved"])
    settings.send(.save)
    settings.send(.save)
    store.cancelAll()
    #expect(store.runningCount == 0)
  }

  @Test("C6 Releasing a handle ends nothing, and the handle of a released parent is inert")
  func handles() {
    var store: Store<StationState, StationAction>? = Store(
      state: StationState(), interactor: Station())
    store?.child(\.settings, StationSettings.self).dispatch(.louder)
    let settings = store?.child(\.settings, StationSettings.self)
    settings?.dispatch(.louder)
    #expect(store?.settings.volume == 3)
    #expect(store?.settings.loudness == 30)
    weak let released = store
    store = nil
    #expect(released == nil)
    settings?.dispatch(.louder)
    settings?.binder.volume.wrappedValue = 9
    #expect(settings?.volume == 3)
    #expect(settings?.child(\.inner, StationDepth.self).depth == 0)
  }

  @Test("C8 The events of a child say where it lives, and have the causes of one tree")
  func events() throws {
    var events: [StoreEvent<StationState, StationAction>] = []
    let subscription = store.events.sink { events.append($0) }
    let settings = store.child(\.settings, StationSettings.self)
    settings.child(\.inner, StationDepth.self).dispatch(.deepen)
    settings.dispatch(.louder)
    let paths = events.compactMap { event -> String? in
      if case .child(let child) = event.kind { child.path } else { nil }
    }
    #expect(
      paths == [
        "\\.settings.inner", "\\.settings.inner", "\\.settings", "\\.settings", "\\.settings",
      ])
    let changes = events.filter { if case .stateChanged = $0.kind { true } else { false } }
    #expect(changes.count == 3)
    #expect(changes.map(\.cause) == [events[1].id, events[4].id, events[6].id])
    #expect(events.map(\.id) == events.map(\.id).sorted())
    withExtendedLifetime(subscription) {}
  }

  @Test("C8 A child has events of its own, with the numbers of its parent's")
  func ownEvents() {
    let settings = store.child(\.settings, StationSettings.self)
    var events: [String] = []
    let subscription = settings.events.sink { event in
      switch event.kind {
      case .started: events.append("started")
      case .dispatched: events.append("dispatched")
      case .stateChanged(let old, let new): events.append("\(old.volume) \(new.volume)")
      case .hookFired: events.append("hook")
      case .finished: events.append("finished")
      default: events.append("other")
      }
    }
    settings.dispatch(.louder)
    store.binder.title.wrappedValue = "south"
    #expect(events == ["started", "dispatched", "1 2", "hook", "2 2", "finished"])
    withExtendedLifetime(subscription) {}
  }

  @Test("C9 A parent's test store sees the work and the changes of its children")
  func testStore() async {
    let store = TestStore(
      state: StationState(), interactor: Station(), exhaustive: true)
    let settings = store.child(\.settings, StationSettings.self)
    settings.send(.louder)
    store.expect {
      $0.settings.volume = 2
      $0.settings.loudness = 20
    }
    await store.finish()
  }
}
