#if canImport(UIKit) && !os(watchOS)
public import Signalbox
public import UIKit

extension UILabel {
  /// Keeps the text of the label equal to one in a store: now, and after each change.
  ///
  ///     nameLabel.assign(to: \.name, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the text in the state.
  ///   - store: is not kept alive.
  ///   - subscriptions: where the subscription is kept that ends this; the label is not kept alive.
  public func assign<State, Action>(
    to keyPath: KeyPath<State, String>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    assign(\.text, to: keyPath, using: store, storeIn: &subscriptions)
  }
}

extension UIImageView {
  /// Keeps the picture of the view equal to one in a store: now, and after each change.
  ///
  ///     portrait.assign(to: \.portrait, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the picture in the state.
  ///   - store: is not kept alive.
  ///   - subscriptions: where the subscription is kept that ends this; the view is not kept alive.
  public func assign<State, Action>(
    to keyPath: KeyPath<State, UIImage?>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    assign(\.image, to: keyPath, using: store, storeIn: &subscriptions)
  }
}
#endif
