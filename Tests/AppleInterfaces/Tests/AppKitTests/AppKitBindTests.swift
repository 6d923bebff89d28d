import AppKit
import Signalbox
import SignalboxUI
import Testing

@MainActor struct AppKitBindTests {
  private let store = Store(state: Player(), actionable: PlayerInteractor())

  @Test("text fields and text views show the state, follow it, and change it as a user types")
  func text() {
    var subscriptions: Set<Subscription> = []
    let (field, view) = (NSTextField(), NSTextView())
    field.bind(to: \.title, using: store, storeIn: &subscriptions)
    view.bind(to: \.lyrics, using: store, storeIn: &subscriptions)
    #expect(field.stringValue == "Fugue")
    field.userTypes("Canon")
    view.userTypes("la")
    #expect(store.title == "Canon")
    #expect(store.lyrics == "la")
    store.binder.title.wrappedValue = "Air"
    store.binder.lyrics.wrappedValue = "la la"
    #expect(field.stringValue == "Air")
    #expect(view.string == "la la")
  }

  @Test("switches, checkboxes, sliders, steppers and segmented controls are bound to the state")
  func others() {
    var subscriptions: Set<Subscription> = []
    let (loop, mute) = (NSSwitch(), NSButton())
    loop.bind(to: \.isLooping, using: store, storeIn: &subscriptions)
    mute.bind(to: \.isMuted, using: store, storeIn: &subscriptions)
    #expect((loop.state, mute.state) == (.off, .on))
    loop.userChanges { loop.state = .on }
    mute.userChanges { mute.state = .off }
    #expect((store.isLooping, store.isMuted) == (true, false))
    store.binder.isLooping.wrappedValue = false
    store.binder.isMuted.wrappedValue = true
    #expect((loop.state, mute.state) == (.off, .on))

    let (volume, track, speed) = (NSSlider(), NSStepper(), NSStepper())
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    track.bind(to: \.track, using: store, storeIn: &subscriptions)
    speed.bind(to: \.speed, using: store, storeIn: &subscriptions)
    #expect([volume, track, speed].map(\.doubleValue) == [0.25, 3, 1.5])
    volume.userChanges { volume.doubleValue = 0.5 }
    track.userChanges { track.doubleValue += 1 }
    speed.userChanges { speed.doubleValue += 0.5 }
    #expect(store.volume == 0.5)
    #expect(store.track == 4)
    #expect(store.speed == 2)
    store.binder.volume.wrappedValue = 1
    store.binder.track.wrappedValue = 9
    store.binder.speed.wrappedValue = 1
    #expect([volume, track, speed].map(\.doubleValue) == [1, 9, 1])

    let mode = NSSegmentedControl()
    mode.bind(to: \.mode, using: store, storeIn: &subscriptions)
    #expect(mode.selectedSegment == 1)
    mode.userChanges { mode.selectedSegment = 0 }
    #expect(store.mode == 0)
    store.binder.mode.wrappedValue = -1
    #expect(mode.selectedSegment == -1)
  }

  @Test("labels, image views and any property of an object follow the state")
  func assign() {
    struct Cover { var image: NSImage? }
    var subscriptions: Set<Subscription> = []
    let (title, artist) = (NSTextField(), NSViewController(nibName: nil, bundle: nil))
    title.assign(to: \.title, using: store, storeIn: &subscriptions)
    title.assign(\.isHidden, to: \.isMuted, using: store, storeIn: &subscriptions)
    artist.assign(\.title, to: \.artist, using: store, storeIn: &subscriptions)
    #expect(title.stringValue == "Fugue")
    #expect(title.isHidden)
    store.binder.title.wrappedValue = "Air"
    store.binder.isMuted.wrappedValue = false
    store.binder.artist.wrappedValue = "Bach"
    #expect(title.stringValue == "Air")
    #expect(!title.isHidden)
    #expect(artist.title == "Bach")

    let covers = Store(state: Cover())
    let (view, image) = (NSImageView(), NSImage())
    view.assign(to: \.image, using: covers, storeIn: &subscriptions)
    covers.binder.image.wrappedValue = image
    #expect(view.image === image)
  }

  @Test("a control whose subscription has ended is no longer bound")
  func cancel() {
    var subscriptions: Set<Subscription> = []
    let (field, volume) = (NSTextField(), NSSlider())
    field.bind(to: \.title, using: store, storeIn: &subscriptions)
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    subscriptions = []
    field.userTypes("Canon")
    volume.userChanges { volume.doubleValue = 1 }
    store.binder.track.wrappedValue = 1
    #expect(store.title == "Fugue")
    #expect(store.volume == 0.25)
  }
}
