import AppKit
import Signalbox
import SignalboxUI
import Testing

@MainActor struct ControlTargetTests {
  private let store = Store(state: Player(), actionable: PlayerInteractor())
  private let outlet = Outlet()
  private let moved = Selector("moved:")

  @Test("a control dispatches its action each time it is used, as long as it lives")
  func dispatch() {
    let button = NSButton()
    button.dispatch(.play, to: store)
    button.userClicks()
    button.userClicks()
    #expect(store.plays == 2)
  }

  @Test("a control can be bound, dispatch several actions and have its own target at the same time")
  func shared() {
    var subscriptions: Set<Subscription> = []
    let volume = NSSlider()
    volume.target = outlet
    volume.action = moved
    volume.dispatch(.play, to: store)
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    volume.dispatch(.play, to: store)
    volume.userChanges { volume.doubleValue = 1 }
    #expect(store.plays == 2)
    #expect(store.volume == 1)
    #expect(outlet.received == [moved])
  }

  @Test("an action without a target goes through the responder chain as before")
  func responderChain() {
    let button = NSButton()
    button.action = moved
    NSApplication.shared.receiver = outlet
    button.dispatch(.play, to: store)
    button.userClicks()
    #expect(store.plays == 1)
    #expect(outlet.received == [moved])
  }

  @Test("a control has its earlier target again when the last subscription has ended")
  func restored() {
    var (first, second): (Set<Subscription>, Set<Subscription>) = ([], [])
    let volume = NSSlider()
    volume.target = outlet
    volume.action = moved
    volume.bind(to: \.volume, using: store, storeIn: &first)
    volume.bind(to: \.volume, using: store, storeIn: &second)
    first = []
    volume.userChanges { volume.doubleValue = 1 }
    #expect(store.volume == 1)
    #expect(outlet.received == [moved])
    second = []
    #expect(volume.target === outlet)
    #expect(volume.action == moved)
    volume.userChanges { volume.doubleValue = 0 }
    #expect(store.volume == 1)
    #expect(outlet.received == [moved, moved])
  }

  @Test("a target that is set later replaces the bindings and is left alone")
  func replaced() {
    var subscriptions: Set<Subscription> = []
    let volume = NSSlider()
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    volume.target = outlet
    volume.action = moved
    volume.userChanges { volume.doubleValue = 1 }
    #expect(store.volume == 0.25)
    subscriptions = []
    #expect(volume.target === outlet)
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    volume.userChanges { volume.doubleValue = 1 }
    #expect(store.volume == 1)
    #expect(outlet.received == [moved, moved])
  }

  @Test("ending another subscription of the control during an action stops that subscription")
  func endedMeanwhile() {
    var subscriptions: Set<Subscription> = []
    let control = NSSegmentedControl()
    let ending = store.publisher.mode.sink { _ in subscriptions = [] }
    control.bind(to: \.mode, using: store, storeIn: &subscriptions)
    control.bind(to: \.track, using: store, storeIn: &subscriptions)
    control.userChanges { control.selectedSegment = 0 }
    #expect(store.mode == 0)
    #expect(store.track == 3)
    withExtendedLifetime(ending) {}
  }
}
