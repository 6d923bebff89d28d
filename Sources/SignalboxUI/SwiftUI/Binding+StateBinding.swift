#if canImport(SwiftUI)
import Observation
public import Signalbox
public import SwiftUI

extension Binding {
  /// Makes a SwiftUI binding from a store's binding, for a view that receives the store as an
  /// argument.
  ///
  ///     Toggle("Muted", isOn: Binding(store.binder.isMuted))
  ///
  /// Bindings of the same property are the same binding for SwiftUI. A view that receives one is not
  /// redrawn when only its parent has changed. It does not keep the store alive.
  @MainActor public init(_ value: StateBinding<Value>) {
    guard let identity = value.identity else {
      self.init(
        get: { value.wrappedValue },
        set: { newValue, transaction in
          withTransaction(transaction) { value.wrappedValue = newValue }
        })
      return
    }
    // A binding of closures would not do, because closures cannot be compared.
    let property = BoundProperty(binding: value, identity: identity)
    self = Bindable(BoundProperties.all)[dynamicMember: \.[property]]
  }
}

extension Binding {
  /// Changes the value if it is what a user has seen, as `change` of a store's binding does.
  @MainActor func change(where isMeant: (Value) -> Bool, _ body: (inout Value) -> Void) {
    defer { BoundProperties.access = .shown }
    for access in [BoundProperties.Access.truth, .nowhere] {
      BoundProperties.access = access
      var value = wrappedValue
      guard isMeant(value) else { continue }
      body(&value)
      wrappedValue = value
      return
    }
  }
}

// One object for all properties of all stores, because SwiftUI takes two bindings for the same if
// they have the same object and equal key paths.
@MainActor private final class BoundProperties: Observable {
  enum Access { case shown, truth, nowhere }

  static let all = BoundProperties()
  /// What is read and written, up to the next write.
  // Ambient, because a SwiftUI binding passes on no more than a value.
  static var access = Access.shown

  subscript<Value>(property: BoundProperty<Value>) -> Value {
    get { Self.access == .truth ? property.binding.truth : property.binding.wrappedValue }
    set {
      let isNowhere = Self.access == .nowhere
      // Before the write, because observers read other bindings.
      Self.access = .shown
      if isNowhere {
        property.binding.writeNowhere(newValue)
      } else {
        property.binding.wrappedValue = newValue
      }
    }
  }
}

private struct BoundProperty<Value>: Hashable {
  let binding: StateBinding<Value>
  let identity: BindingIdentity

  static func == (first: BoundProperty, second: BoundProperty) -> Bool {
    first.identity == second.identity
  }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
#endif
