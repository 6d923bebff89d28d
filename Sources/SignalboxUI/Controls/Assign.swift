#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
public import Foundation
public import Signalbox

extension NSObjectProtocol where Self: NSObject {
  /// Sets a property to a value in a store, now and after each change.
  ///
  ///     spinner.assign(\.isHidden, to: \.isIdle, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - property: the property of this view or object. The object is not kept alive.
  ///   - keyPath: the value in the state.
  ///   - store: the store. It is not kept alive.
  ///   - subscriptions: receives the subscription that ends this.
  @MainActor public func assign<State, Action, Value>(
    _ property: ReferenceWritableKeyPath<Self, Value>, to keyPath: KeyPath<State, Value>,
    using store: Store<State, Action>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    store.publisher[dynamicMember: keyPath].includingCurrent().assign(to: property, on: self)
      .store(in: &subscriptions)
  }

  /// Sets an optional property to a value in a store, now and after each change.
  ///
  ///     navigationItem.assign(\.title, to: \.room.name, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - property: the property of this view or object. The object is not kept alive.
  ///   - keyPath: the value in the state.
  ///   - store: the store. It is not kept alive.
  ///   - subscriptions: receives the subscription that ends this.
  @MainActor public func assign<State, Action, Value>(
    _ property: ReferenceWritableKeyPath<Self, Value?>, to keyPath: KeyPath<State, Value>,
    using store: Store<State, Action>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    store.publisher[dynamicMember: keyPath].includingCurrent().map(Optional.some)
      .assign(to: property, on: self).store(in: &subscriptions)
  }
}
#endif
