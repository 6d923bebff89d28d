import Signalbox
import SignalboxUI
import Testing
import UIKit

@MainActor struct UIKitLifetimeTests {
  private final class Token {}

  private struct Held {
    let token: Token
    var name = "Ada"
    var volume = 0.5
    var isOpen = false
    var count = 0
    var choice = 0
  }

  /// A screen with controls, a store and their subscriptions.
  private final class Screen: UIViewController {
    let store: Store<Held, Never>
    let token = Token()
    let field = UITextField()
    let view = UITextView()
    let slider = UISlider()
    let toggle = UISwitch()
    let stepper = UIStepper()
    let segments = UISegmentedControl()
    let label = UILabel()
    let button = UIButton()
    private var subscriptions: Set<Subscription> = []

    init() {
      store = Store(state: Held(token: token))
      super.init(nibName: nil, bundle: nil)
      field.bind(to: \.name, using: store, storeIn: &subscriptions)
      view.bind(to: \.name, using: store, storeIn: &subscriptions)
      slider.bind(to: \.volume, using: store, storeIn: &subscriptions)
      toggle.bind(to: \.isOpen, using: store, storeIn: &subscriptions)
      stepper.bind(to: \.count, using: store, storeIn: &subscriptions)
      segments.bind(to: \.choice, using: store, storeIn: &subscriptions)
      label.assign(to: \.name, using: store, storeIn: &subscriptions)
      label.assign(\.isHidden, to: \.isOpen, using: store, storeIn: &subscriptions)
      assign(\.title, to: \.name, using: store, storeIn: &subscriptions)
    }

    required init?(coder: NSCoder) { nil }

    var views: [UIView] { [field, view, slider, toggle, stepper, segments, label, button] }
  }

  @Test("a released screen leaves no control, store or state behind")
  func screen() {
    var screen: Screen? = Screen()
    screen?.field.userTypes("Bob")
    screen?.slider.userChanges { screen?.slider.value = 1 }
    weak let store = screen?.store
    weak let token = screen?.token
    let views = (screen?.views ?? []).map { WeakView(view: $0) }
    #expect(screen?.title == "Bob")
    weak let gone = screen
    screen = nil
    #expect(gone == nil)
    #expect(store == nil)
    #expect(token == nil)
    #expect(views.count == 8)
    #expect(views.allSatisfy { $0.view == nil })
  }

  @Test("a control that outlives its store releases the store's contents")
  func controlOutlivesStore() {
    var subscriptions: Set<Subscription> = []
    var token: Token? = Token()
    weak let held = token
    var store: Store<Held, Never>? = token.map { Store(state: Held(token: $0)) }
    token = nil
    weak let released = store
    let (field, view, slider) = (UITextField(), UITextView(), UISlider())
    if let store {
      field.bind(to: \.name, using: store, storeIn: &subscriptions)
      view.bind(to: \.name, using: store, storeIn: &subscriptions)
      slider.bind(to: \.volume, using: store, storeIn: &subscriptions)
    }
    #expect(held != nil)
    store = nil
    #expect(released == nil)
    #expect(held == nil)
    field.userTypes("Bob")
    #expect(field.text == "Bob")
  }

  @Test("the bindings of a released control end while the store lives on")
  func storeOutlivesControl() {
    var subscriptions: Set<Subscription> = []
    let store = Store(state: Profile(), interactor: ProfileInteractor())
    var field: UITextField? = UITextField()
    weak let gone = field
    field?.bind(to: \.name, using: store, storeIn: &subscriptions)
    field?.dispatch(.save, to: store)
    field = nil
    #expect(gone == nil)
    store.binder.name.wrappedValue = "Bob"
    subscriptions = []
  }

  @Test("a control that dispatches does not keep the store alive")
  func dispatch() {
    var store: Store<Profile, ProfileAction>? = Store(
      state: Profile(), interactor: ProfileInteractor())
    weak let gone = store
    let button = UIButton()
    if let store { button.dispatch(.save, to: store) }
    store = nil
    #expect(gone == nil)
    button.userTaps()
  }

  private struct WeakView {
    weak var view: UIView?
  }
}
