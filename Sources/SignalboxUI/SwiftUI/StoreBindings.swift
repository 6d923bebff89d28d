#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// Bindings to the properties of a store's state.
///
///     TextField("Message", text: $store.draft)
///     Toggle("Muted", isOn: $store.isMuted.animation())
///     TextField("Search", text: $store.binding(get: \.query, action: { .search($0) }))
///     Text("…").sheet(item: $store.child(\.editor, Editor.self)) { EditorView(editor: $0.store) }
///
/// Neither this value nor its bindings keep the store alive. Writes to a released store do nothing.
@MainActor @dynamicMemberLookup public struct StoreBindings<State, Action> {
  private let binder: Binder<State, Action>

  init(_ binder: Binder<State, Action>) { self.binder = binder }

  /// Reads and writes a property.
  ///
  /// It is the same binding each time, so SwiftUI does not redraw a view that receives it when only
  /// the parent of the view has changed.
  public subscript<T: Equatable>(dynamicMember keyPath: WritableKeyPath<State, T>) -> Binding<T> {
    Binding(binder[dynamicMember: keyPath])
  }

  /// Reads and writes a property of a type that is not known to be `Equatable`.
  ///
  /// If its values cannot be compared at run time either, every write to it counts as a change (M3,
  /// M4).
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> Binding<T> {
    Binding(binder[dynamicMember: keyPath])
  }

  /// An alert in the state, whose buttons send their actions to the store (N4).
  public subscript(
    dynamicMember keyPath: WritableKeyPath<State, AlertState<Action>?>
  ) -> DialogBinding<AlertState<Action>> { DialogBinding(binder, keyPath) }

  /// A confirmation in the state, whose buttons send their actions to the store (N4).
  public subscript(
    dynamicMember keyPath: WritableKeyPath<State, ConfirmationState<Action>?>
  ) -> DialogBinding<ConfirmationState<Action>> { DialogBinding(binder, keyPath) }

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

  /// A child at an optional property, for a sheet or another presentation.
  ///
  ///     .sheet(item: $store.child(\.editor, Editor.self)) { EditorView(editor: $0.store) }
  ///
  /// A view that makes it is redrawn when a child comes or goes, and not when something in it
  /// changes. When the user dismisses the sheet, the property becomes `nil`, which ends the child
  /// (C4). If the view has shown another child, the dismissal is late and changes nothing (N4).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - feature: the interactor or the transducer of the child. A child that the store's interactor
  ///     does not declare traps.
  public func child<F: Feature>(
    _ keyPath: WritableKeyPath<State, F.State?>, _ feature: F.Type
  ) -> Binding<PresentedChild<F.State, F.Action>?> {
    let child = binder.child(keyPath, F.self)
    let shown = child.wrappedValue
    let isShown = shown != nil
    return Binding(
      get: { child.wrappedValue.map { PresentedChild(store: $0) } },
      set: { [weak shown] in
        if $0 == nil, !isShown || child.wrappedValue === shown { child.wrappedValue = nil }
      })
  }

  /// The value of one case of an enum, for a destination; `nil` while there is another case or none.
  ///
  ///     .sheet(item: $store.case(\.destination, Destination.note)) { note in NoteView(note) }
  ///
  /// When the user dismisses the destination, the property becomes `nil` if it still has this case.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - embed: the case.
  public func `case`<Enum, Value>(
    _ keyPath: WritableKeyPath<State, Enum?>, _ embed: @escaping (Value) -> Enum
  ) -> Binding<Value?> {
    Binding(binder.case(keyPath, embed))
  }

  /// Whether an optional property has a given value, such as a case without associated values.
  ///
  ///     .alert("Delete?", isPresented: $store.case(\.destination, .confirmation)) { … }
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: the value.
  public func `case`<Enum: Equatable>(
    _ keyPath: WritableKeyPath<State, Enum?>, _ value: Enum
  ) -> Binding<Bool> {
    Binding(binder.case(keyPath, value))
  }
}

/// The store of a child that is presented, for `sheet(item:)`.
///
/// It is identified by the child and not by its state, whose `id` it may not have.
@MainActor public struct PresentedChild<State, Action>: Identifiable {
  /// The store of the child, which is a handle (C6).
  nonisolated public let store: Store<State, Action>
  /// The identity of the child.
  nonisolated public var id: ObjectIdentifier { ObjectIdentifier(store) }
}
#endif
