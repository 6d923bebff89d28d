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
  ///   - feature: the interactor or the transducer of the children. Children that the store's
  ///     interactor does not declare trap.
  ///   - content: makes the view of a child. The view should receive the store and read it in its own
  ///     body.
  @MainActor public init<State, Action, F: Feature, Row: View>(
    _ store: Store<State, Action>, _ keyPath: KeyPath<State, [F.State]>, _ feature: F.Type,
    @ViewBuilder content: @escaping @MainActor (Store<F.State, F.Action>) -> Row
  ) where F.State: Identifiable, Data == [F.State.ID], ID == F.State.ID, Content == Row? {
    self.init(store.ids(keyPath), id: \.self) { id in
      store.child(keyPath, id: id, F.self).map(content)
    }
  }
}
#endif
