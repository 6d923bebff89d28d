import AppKit
import Signalbox
import SignalboxUI
import Testing

@MainActor struct AppKitLifetimeTests {
  private final class Token {}

  private struct Held {
    let token: Token
    var name = "Ada"
    var volume = 0.5
  }

  /// A window with controls, a store and their subscriptions.
  private final class Window: NSViewController {
    let store: Store<Held, Never>
    let token = Token()
    let field = NSTextField()
    let view = NSTextView()
    let slider = NSSlider()
    let label = NSTextField()
    private var subscriptions: Set<Subscription> = []

    init() {
      store = Store(state: Held(token: token))
      super.init(nibName: nil, bundle: nil)
      field.bind(to: \.name, using: store, storeIn: &subscriptions)
      view.bind(to: \.name, using: store, storeIn: &subscriptions)
      slider.bind(to: \.volume, using: store, storeIn: &subscriptions)
      label.assign(to: \.name, using: store, storeIn: &subscriptions)
    }

    required init?(coder: NSCoder) { nil }
  }

  @Test("a released window leaves no control, store or state behind")
  func window() {
    var window: Window? = Window()
    window?.field.userTypes("Bob")
    window?.slider.userChanges { window?.slider.doubleValue = 1 }
    #expect(window?.view.string == "Bob")
    weak let store = window?.store
    weak let token = window?.token
    weak let field = window?.field
    weak let view = window?.view
    weak let slider = window?.slider
    window = nil
    #expect(store == nil)
    #expect(token == nil)
    #expect(field == nil)
    #expect(view == nil)
    #expect(slider == nil)
  }

  @Test("a control that outlives its store releases the store's contents and its own target")
  func controlOutlivesStore() {
    var subscriptions: Set<Subscription> = []
    var token: Token? = Token()
    weak let held = token
    var store: Store<Held, Never>? = token.map { Store(state: Held(token: $0)) }
    token = nil
    let (field, slider) = (NSTextField(), NSSlider())
    if let store {
      field.bind(to: \.name, using: store, storeIn: &subscriptions)
      slider.bind(to: \.volume, using: store, storeIn: &subscriptions)
    }
    #expect(held != nil)
    store = nil
    #expect(held == nil)
    #expect(slider.target == nil)
  }

  @Test("a control that dispatches and its store do not keep each other alive")
  func dispatch() {
    var store: Store<Player, PlayerAction>? = Store(state: Player(), actionable: PlayerInteractor())
    weak let gone = store
    var button: NSButton? = NSButton()
    weak let goneButton = button
    if let store { button?.dispatch(.play, to: store) }
    store = nil
    #expect(gone == nil)
    button?.userClicks()
    button = nil
    #expect(goneButton == nil)
  }
}
