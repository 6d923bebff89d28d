import Signalbox
import SignalboxUI
import Testing
import UIKit

@MainActor struct UIKitBindTests {
  private let store = Store(state: Profile(), interactor: ProfileInteractor())

  @Test("a text field shows the state, follows it, and changes it as a user types")
  func textField() {
    var subscriptions: Set<Subscription> = []
    let field = UITextField()
    field.bind(to: \.name, using: store, storeIn: &subscriptions)
    #expect(field.text == "Ada")
    field.userTypes("Bob")
    #expect(store.name == "Bob")
    store.binder.name.wrappedValue = "Cleo"
    #expect(field.text == "Cleo")
  }

  @Test("text views, switches, sliders, steppers and segmented controls are bound to the state")
  func others() {
    var subscriptions: Set<Subscription> = []
    let notes = UITextView()
    notes.bind(to: \.notes, using: store, storeIn: &subscriptions)
    notes.userTypes("hi")
    #expect(store.notes == "hi")
    store.binder.notes.wrappedValue = "ho"
    #expect(notes.text == "ho")

    let isPublic = UISwitch()
    isPublic.bind(to: \.isPublic, using: store, storeIn: &subscriptions)
    isPublic.userChanges { isPublic.isOn = true }
    #expect(store.isPublic)
    store.binder.isPublic.wrappedValue = false
    #expect(!isPublic.isOn)

    let volume = UISlider()
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    #expect(volume.value == 0.1)
    volume.userChanges { volume.value = 0.5 }
    #expect(store.volume == 0.5)
    store.binder.volume.wrappedValue = 0.25
    #expect(volume.value == 0.25)

    let guests = UIStepper()
    guests.bind(to: \.guests, using: store, storeIn: &subscriptions)
    #expect(guests.value == 2)
    guests.userChanges { guests.value += 1 }
    #expect(store.guests == 3)
    store.binder.guests.wrappedValue = 7
    #expect(guests.value == 7)

    let rating = UIStepper()
    rating.bind(to: \.rating, using: store, storeIn: &subscriptions)
    rating.userChanges { rating.value += 0.5 }
    #expect(store.rating == 2)

    let sorting = UISegmentedControl()
    sorting.bind(to: \.sorting, using: store, storeIn: &subscriptions)
    #expect(sorting.selectedSegmentIndex == 1)
    sorting.userChanges { sorting.selectedSegmentIndex = 0 }
    #expect(store.sorting == 0)
    store.binder.sorting.wrappedValue = UISegmentedControl.noSegment
    #expect(sorting.selectedSegmentIndex == -1)
  }

  @Test("a control shows what hooks, setters and actions make of its input")
  func stateDecides() {
    var subscriptions: Set<Subscription> = []
    let notes = UITextView()
    notes.bind(to: \.notes, using: store, storeIn: &subscriptions)
    notes.userTypes("too long")
    #expect(notes.text == "too l")

    let percent = UISlider()
    percent.maximumValue = 1_000
    percent.bind(to: \.percent, using: store, storeIn: &subscriptions)
    percent.userChanges { percent.value = 500 }
    percent.userChanges { percent.value = 700 }
    #expect(percent.value == 100)

    let name = UITextField()
    let renamed = store.binder.binding(get: \.name, action: { .rename($0) })
    name.bind(to: renamed, storeIn: &subscriptions)
    name.userTypes("Robert")
    #expect(store.name == "ROBER")
    #expect(name.text == "ROBER")
    name.userTypes("Robert")
    #expect(name.text == "ROBER")
  }

  /// A field that counts how often its text is set.
  private final class WatchedField: UITextField {
    private(set) var settings = 0
    override var text: String? { didSet { settings += 1 } }
  }

  @Test("a field is not set while a user types, so its cursor stays in place")
  func cursor() {
    var subscriptions: Set<Subscription> = []
    let field = WatchedField()
    field.bind(to: \.name, using: store, storeIn: &subscriptions)
    #expect(field.settings == 1)
    field.userTypes("A")
    field.userTypes("Ad")
    #expect(field.settings == 3)
    #expect(store.name == "Ad")
  }

  /// A slider that rounds its value and reports each change as if a user had made it.
  private final class NoisySlider: UISlider {
    private(set) var reports = 0
    override var value: Float {
      didSet {
        reports += 1
        guard reports < 100 else { return }
        sendActions(for: .valueChanged)
      }
    }
  }

  @Test("a control that reports programmatic changes causes no loop")
  func noisyControl() {
    var subscriptions: Set<Subscription> = []
    let volume = NoisySlider()
    volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
    store.binder.volume.wrappedValue = 0.3
    #expect(volume.value == 0.3)
    #expect(volume.reports == 2)
    let other = NoisySlider()
    other.bind(to: \.volume, using: store, storeIn: &subscriptions)
    volume.userChanges { volume.value = 0.7 }
    #expect(other.value == 0.7)
    #expect(volume.reports + other.reports < 10)
  }

  @Test("several controls of one property follow one another")
  func severalControls() {
    var subscriptions: Set<Subscription> = []
    let fields = [UITextField(), UITextField()]
    for field in fields { field.bind(to: \.name, using: store, storeIn: &subscriptions) }
    fields[0].userTypes("Bob")
    #expect(fields[1].text == "Bob")
    fields[1].userTypes("Cleo")
    #expect(fields[0].text == "Cleo")
  }

  @Test("a number out of range is shown as the nearest possible value")
  func range() {
    struct Numbers { var small: UInt8 = 7 }
    var subscriptions: Set<Subscription> = []
    let numbers = Store(state: Numbers())
    let stepper = UIStepper()
    (stepper.minimumValue, stepper.maximumValue) = (-1_000, .greatestFiniteMagnitude)
    stepper.bind(to: \.small, using: numbers, storeIn: &subscriptions)
    #expect(stepper.value == 7)
    for (input, number) in [(2.6, 3), (300, 255), (1e300, 255), (-5, 0)] as [(Double, UInt8)] {
      stepper.userChanges { stepper.value = input }
      #expect(numbers.small == number)
      #expect(stepper.value == Double(number))
    }
  }

  /// A custom control.
  private final class StarsControl: UIView, ValueControl {
    private var onTap: (@MainActor () -> Void)?
    var boundValue = 0

    func onUserChange(_ body: @escaping @MainActor () -> Void) -> Subscription {
      onTap = body
      return Subscription { [weak self] in self?.onTap = nil }
    }

    func userTaps(_ stars: Int) {
      boundValue = stars
      onTap?()
    }
  }

  @Test("a custom control can be bound like the others")
  func ownControl() {
    var subscriptions: Set<Subscription> = []
    let stars = StarsControl()
    stars.bind(to: \.guests, using: store, storeIn: &subscriptions)
    #expect(stars.boundValue == 2)
    stars.userTaps(5)
    #expect(store.guests == 5)
    store.binder.guests.wrappedValue = 1
    #expect(stars.boundValue == 1)
    subscriptions = []
    stars.userTaps(4)
    #expect(store.guests == 1)
  }

  @Test("a control whose subscription has ended is no longer bound")
  func cancel() {
    var subscriptions: Set<Subscription> = []
    let (field, view) = (UITextField(), UITextView())
    field.bind(to: \.name, using: store, storeIn: &subscriptions)
    view.bind(to: \.notes, using: store, storeIn: &subscriptions)
    subscriptions = []
    field.userTypes("Bob")
    view.userTypes("hi")
    #expect(store.name == "Ada")
    #expect(store.notes == "")
    store.binder.name.wrappedValue = "Cleo"
    #expect(field.text == "Bob")
  }
}
