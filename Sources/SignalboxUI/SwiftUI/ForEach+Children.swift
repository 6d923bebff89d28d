#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

extension ForEach {
  /// Shows the children in an array, one view for each element.
  ///
  ///     List {
  ///       ForEach(store, \.rows, Row.self) { row in RowView(row: row) }
  ///     }
  ///
  /// The view that contains it is redrawn when an element comes, goes or moves, and not when
  /// something within an element changes. The content receives the same handle each time, so a row
  /// is redrawn only when what it reads has changed (M5). A lazy container asks only for the
  /// children that it shows. While it is on the screen, each commit compares the ids of the array.
  ///
  /// - Parameters:
  ///   - store: the store of the parent.
  ///   - keyPath: the array.
  ///   - interactor: the type of the children's interactor. Children that the store's interactor does
  ///     not declare trap.
  ///   - content: makes the view of a child. The view should receive the store and read it in its own
  ///     body.
  @MainActor public init<State, Action, I: Interactor, Row: View>(
    _ store: Store<State, Action>, _ keyPath: KeyPath<State, [I.State]>, _ interactor: I.Type,
    @ViewBuilder content: @escaping @MainActor (Store<I.State, I.Action>) -> Row
  ) where I.State: Identifiable, Data == [I.State.ID], ID == I.State.ID, Content == Row? {
    self.init(store.ids(keyPath), id: \.self) { id in
      store.child(keyPath, id: id, I.self).map(content)
    }
  }

  /// Shows the children in an array, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - store: the store of the parent.
  ///   - keyPath: the array.
  ///   - transducer: the transducer. Children that the store's interactor does not declare trap.
  ///   - content: makes the view of a child. The view should receive the store and read it in its own
  ///     body.
  @MainActor public init<State, Action, T: Transducer, Row: View>(
    _ store: Store<State, Action>, _ keyPath: KeyPath<State, [T.State]>, transducer: T.Type,
    @ViewBuilder content: @escaping @MainActor (Store<T.State, T.Event>) -> Row
  ) where T.State: Identifiable, Data == [T.State.ID], ID == T.State.ID, Content == Row? {
    self.init(store.ids(keyPath), id: \.self) { id in
      store.child(keyPath, id: id, transducer: T.self).map(content)
    }
  }
}
#endif
