#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// Bindings to the properties of a store's state.
///
///     TextField("Message", text: $store.draft)
///     Toggle("Muted", isOn: $store.isMuted.animation())
///     TextField("Search", text: $store.binding(get: \.query, action: { .search($0) }))
///
/// Neither this value nor its bindings keep the store alive. Writes to a released store do nothing.
@MainActor @dynamicMemberLookup public struct StoreBindings<State, Action> {
  private let binder: Binder<State, Action>

  init(_ binder: Binder<State, Action>) { self.binder = binder }

  /// Reads and writes a property.
  public subscript<T: Equatable>(dynamicMember keyPath: WritableKeyPath<State, T>) -> Binding<T> {
    Binding(binder[dynamicMember: keyPath])
  }

  /// Reads a property and turns each written value into an action (M6).
  ///
  /// - Parameters:
  ///   - keyPath: the property. A view that reads the binding is redrawn when the property changes.
  ///   - action: turns a written value into the action to dispatch. The write changes nothing else.
  ///     The changes that the action makes before its first suspension are visible when the write
  ///     returns (A1).
  public func binding<T>(
    get keyPath: KeyPath<State, T>, action: @escaping @MainActor (T) -> Action
  ) -> Binding<T> {
    Binding(binder.binding(get: keyPath, action: action))
  }

  /// Reads a value from the state and turns each written value into an action (M6).
  ///
  /// - Parameters:
  ///   - get: reads the value. A view that reads the binding is redrawn at every change of the
  ///     state.
  ///   - action: turns a written value into the action to dispatch.
  public func binding<T>(
    get: @escaping @MainActor (State) -> T, action: @escaping @MainActor (T) -> Action
  ) -> Binding<T> {
    Binding(binder.binding(get: get, action: action))
  }
}

extension Binding {
  /// Makes a SwiftUI binding from a store's binding, for a view that receives the store as an
  /// argument.
  ///
  ///     Toggle("Muted", isOn: Binding(store.binder.isMuted))
  ///
  /// It does not keep the store alive.
  @MainActor public init(_ value: StateBinding<Value>) {
    self.init(
      get: { value.wrappedValue },
      set: { newValue, transaction in
        // An empty transaction must not replace the one of a `withAnimation` around the write.
        guard transaction.animation != nil || transaction.disablesAnimations else {
          value.wrappedValue = newValue
          return
        }
        withTransaction(transaction) { value.wrappedValue = newValue }
      })
  }
}
#endif
