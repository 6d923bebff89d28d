#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

extension SignalConvertible {
  /// Writes each value to a property of a store, as a change that views show with an animation.
  ///
  ///     store.publisher.messages
  ///       .map { $0.count > 3 }
  ///       .assign(to: \.isCompact, using: store, animation: .default)
  ///
  /// The animation is that of this change alone, not of what other hooks make of it.
  ///
  /// - Parameters:
  ///   - keyPath: where to.
  ///   - store: the store that the hook was given; it is not kept alive.
  ///   - forceUpdate: tells the observers also when the value is equal to the one there (S6).
  ///   - animation: how views show the change; `nil` is none, whatever is around it.
  public func assign<Root, Action>(
    to keyPath: WritableKeyPath<Root, Value>, using store: MutatingStore<Root, Action>,
    forceUpdate: Bool = false, animation: Animation?
  ) -> Signalbox.Subscription {
    sink { value in
      withAnimation(animation) { store.set(keyPath, value, forceUpdate: forceUpdate) }
    }
  }
}
#endif
