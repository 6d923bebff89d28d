#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

extension SignalOperators where Self: SignalConvertible {
  /// Writes each value to a property of a store with an animation.
  ///
  ///     store.publisher.messages
  ///       .map { $0.count > 3 }
  ///       .assign(to: \.isCompact, using: store, animation: .default)
  ///
  /// The animation applies to this change alone. It does not apply to the changes that other hooks
  /// make in response.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - store: the store that the hook received. It is not kept alive.
  ///   - forceUpdate: whether observers are notified even if the value is equal to the current one
  ///     (S6).
  ///   - animation: the animation. `nil` means no animation, even inside a `withAnimation`.
  public func assign<Root, Action>(
    to keyPath: WritableKeyPath<Root, Value>, using store: MutatingStore<Root, Action>,
    forceUpdate: Bool = false, animation: Animation?
  ) -> Signalbox.Subscription {
    carry(to: keyPath) { value in
      withAnimation(animation) { store.set(keyPath, value, forceUpdate: forceUpdate) }
    }
  }
}
#endif
