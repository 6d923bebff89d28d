import Signalbox
import SignalboxUI
import Testing
import UIKit

@MainActor struct UIKitAssignTests {
  private let store = Store(state: Profile(), interactor: ProfileInteractor())

  @Test("a label, an image view and any property of an object follow the state")
  func assign() {
    var subscriptions: Set<Subscription> = []
    let label = UILabel()
    label.assign(to: \.name, using: store, storeIn: &subscriptions)
    #expect(label.text == "Ada")
    let button = UIButton()
    button.assign(\.isEnabled, to: \.isPublic, using: store, storeIn: &subscriptions)
    #expect(!button.isEnabled)
    label.assign(\.isHidden, to: \.isAnonymous, using: store, storeIn: &subscriptions)
    let other = UILabel()
    other.assign(\.text, to: \.nickname, using: store, storeIn: &subscriptions)
    store.binder.name.wrappedValue = ""
    store.binder.isPublic.wrappedValue = true
    store.binder.nickname.wrappedValue = "A."
    #expect(label.text == "")
    #expect(label.isHidden)
    #expect(button.isEnabled)
    #expect(other.text == "A.")
  }

  @Test("an image view follows an image in the state")
  func image() {
    struct Portrait { var image: UIImage? }
    var subscriptions: Set<Subscription> = []
    let image = UIImage()
    let store = Store(state: Portrait())
    let view = UIImageView()
    view.assign(to: \.image, using: store, storeIn: &subscriptions)
    #expect(view.image == nil)
    store.binder.image.wrappedValue = image
    #expect(view.image === image)
  }

  @Test("a control dispatches its action at its events")
  func dispatch() {
    let button = UIButton()
    button.dispatch(.save, to: store)
    button.userTaps()
    button.userTaps()
    #expect(store.saves == 2)
    button.sendActions(for: .valueChanged)
    #expect(store.saves == 2)
    let slider = UISlider()
    slider.dispatch(.save, to: store, for: .valueChanged)
    slider.sendActions(for: .valueChanged)
    #expect(store.saves == 3)
  }
}
