#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// Bindings to what is in a store.
///
///     TextField("Message", text: $store.draft)
///     Toggle("Muted", isOn: $store.isMuted.animation())
///     TextField("Search", text: $store.binding(get: \.query, action: { .search($0) }))
///
/// Neither this nor its bindings keep the store alive; writes to a store that is gone do nothing.
@MainActor @dynamicMemberLookup public struct StoreBindings<State, Action> {
  private let binder: Binder<State, Action>

  init(_ binder: Binder<State, Action>) { self.binder = binder }

  /// Reads and writes a property.
  public subscript<T: Equatable>(dynamicMember keyPath: WritableKeyPath<State, T>) -> Binding<T> {
    Binding(binder[dynamicMember: keyPath])
  }

  /// Reads a property, and turns what is written into an action (M6).
  ///
  /// - Parameters:
  ///   - keyPath: what is read; a view is drawn anew when that changes.
  ///   - action: what a written value is dispatched as. The state is not touched otherwise; what
  ///     the action does before its first suspension is there when the write returns (A1).
  public func binding<T>(
    get keyPath: KeyPath<State, T>, action: @escaping @MainActor (T) -> Action
  ) -> Binding<T> {
    Binding(binder.binding(get: keyPath, action: action))
  }

  /// Reads from the state, and turns what is written into an action (M6).
  ///
  /// - Parameters:
  ///   - get: what is read; a view is drawn anew whenever anything in the state changes.
  ///   - action: what a written value is dispatched as.
  public func binding<T>(
    get: @escaping @MainActor (State) -> T, action: @escaping @MainActor (T) -> Action
  ) -> Binding<T> {
    Binding(binder.binding(get: get, action: action))
  }
}

extension Binding {
  /// Reads and writes what a binding of a store does, for a view that was handed the store.
  ///
  ///     Toggle("Muted", isOn: Binding(store.binder.isMuted))
  ///
  /// It does not keep the store alive.
  @MainActor public init(_ value: StateBinding<Value>) {
    self.init(
      get: { value.wrappedValue },
      set: { newValue, transaction in
        // One that says nothing must not hide that of a `withAnimation` around the write.
        guard transaction.animation != nil || transaction.disablesAnimations else {
          value.wrappedValue = newValue
          return
        }
        withTransaction(transaction) { value.wrappedValue = newValue }
      })
  }
}
#endif
