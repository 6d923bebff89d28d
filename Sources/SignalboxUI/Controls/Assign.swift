#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
public import Foundation
public import Signalbox

extension NSObjectProtocol where Self: NSObject {
  /// Keeps a property equal to one of a store: now, and after each change.
  ///
  ///     spinner.assign(\.isHidden, to: \.isIdle, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - property: what is set, of a view or any other object; the object is not kept alive.
  ///   - keyPath: what it is set to.
  ///   - store: where that is; it is not kept alive.
  ///   - subscriptions: where the subscription is kept that ends this.
  @MainActor public func assign<State, Action, Value>(
    _ property: ReferenceWritableKeyPath<Self, Value>, to keyPath: KeyPath<State, Value>,
    using store: Store<State, Action>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    store.publisher[dynamicMember: keyPath].includingCurrent().assign(to: property, on: self)
      .store(in: &subscriptions)
  }

  /// Keeps an optional property equal to one of a store: now, and after each change.
  ///
  ///     navigationItem.assign(\.title, to: \.room.name, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - property: what is set, of a view or any other object; the object is not kept alive.
  ///   - keyPath: what it is set to.
  ///   - store: where that is; it is not kept alive.
  ///   - subscriptions: where the subscription is kept that ends this.
  @MainActor public func assign<State, Action, Value>(
    _ property: ReferenceWritableKeyPath<Self, Value?>, to keyPath: KeyPath<State, Value>,
    using store: Store<State, Action>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    store.publisher[dynamicMember: keyPath].includingCurrent().map(Optional.some)
      .assign(to: property, on: self).store(in: &subscriptions)
  }
}
#endif
