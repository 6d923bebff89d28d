#if canImport(UIKit) && !os(watchOS)
public import Signalbox
public import UIKit

extension UILabel {
  /// Sets the text of the label to a text in a store, now and after each change.
  ///
  ///     nameLabel.assign(to: \.name, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the text in the state.
  ///   - store: the store. It is not kept alive.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the label alive.
  public func assign<State, Action>(
    to keyPath: KeyPath<State, String>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    assign(\.text, to: keyPath, using: store, storeIn: &subscriptions)
  }
}

extension UIImageView {
  /// Sets the image of the view to an image in a store, now and after each change.
  ///
  ///     portrait.assign(to: \.portrait, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the image in the state.
  ///   - store: the store. It is not kept alive.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the view alive.
  public func assign<State, Action>(
    to keyPath: KeyPath<State, UIImage?>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    assign(\.image, to: keyPath, using: store, storeIn: &subscriptions)
  }
}
#endif
