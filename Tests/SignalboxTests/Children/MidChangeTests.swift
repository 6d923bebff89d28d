import Testing

@testable import Signalbox

/// Code that waits, in the middle of a change, until the state is whole, and then writes.
///
/// A save of the state does so, and the log of what it does may run any code.
@MainActor struct MidChangeTests {
  typealias Change = @MainActor (MutatingStore<MidRow, Never>, @escaping () -> Void) -> Void

  @Test(
    "S5 S6 C1 Code that waits for a whole state may move the element whose change it waits for",
    arguments: [MidPlace.array, .dictionary, .optional])
  func moves(place: MidPlace) throws {
    let changes: [Change] = [
      { row, wait in change(&row.count, wait) }, { row, wait in change(&row.state, wait) },
      { row, wait in
        row.update {
          $0.count += 1
          wait()
        }
      },
      { row, wait in
        setter = wait
        row.doubled = 2
        setter = {}
      },
    ]
    for change in changes {
      let store = Store(state: MidState(), interactor: MidParent())
      let parent = store.instruments.arranging
      let row = try #require(place.row(of: store))
      var told: [String] = []
      let subscription = row.publisher.count.sink { told.append("\($0)") }
      change(row.instruments.arranging) {
        parent.whenWhole {
          told.append("whole")
          for id in 1...50 {
            parent.rows.insert(MidRow(id: id), at: 0)
            parent.named["\(id)"] = MidRow(id: id)
          }
          parent.single = MidRow(count: 9)
        }
      }
      #expect(told == (place == .optional ? ["1", "whole", "9"] : ["1", "whole"]))
      #expect(row.count == (place == .optional ? 9 : 1))
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("S6 S10 Writes of code that has waited for a whole state are compared with nothing older")
  func comparisons() throws {
    let changes: [@MainActor (MutatingStore<MidRow, Never>, @escaping () -> Void) -> Void] = [
      { row, wait in change(&row.state, wait) },
      { row, wait in
        row.update {
          $0.count += 1
          wait()
        }
      },
    ]
    for change in changes {
      let store = Store(state: MidState(), interactor: MidParent())
      let root = Store(state: MidRow(), interactor: MidRows())
      let rows = [try #require(MidPlace.array.row(of: store)), root]
      for row in rows {
        var told: [Int] = []
        let writer = row.instruments.arranging
        let subscriptions = [
          row.publisher.items.sink { told.append($0.count) }, row.publisher.count.sink { _ in },
        ]
        writer.items = ["a"]
        writer.items = []
        change(writer) {
          writer.whenWhole {
            writer.items = ["a"]
            writer.state = MidRow()
          }
        }
        #expect(told == [1, 0, 1, 0])
        withExtendedLifetime(subscriptions) {}
      }
    }
  }

  @Test("S6 S10 A batch that waits for a change in place of the root does not hide that change")
  func waitingBatch() {
    let store = Store(state: MidOuter(), interactor: MidOuterParent())
    var told: [Int] = []
    let writer = store.instruments.arranging
    let subscriptions = [
      store.publisher.row.count.sink { told.append($0) }, store.publisher.row.items.sink { _ in },
    ]
    change(&writer.row) { writer.whenWhole { writer.batch { writer.title = "x" } } }
    #expect(told == [1])
    let row = store.child(\.row, MidRows.self).instruments.arranging
    change(&row.state) { row.whenWhole { row.batch {} } }
    #expect(told == [1, 2])
    withExtendedLifetime(subscriptions) {}
  }
}

/// Changes a value, and runs a body before that is done.
@MainActor private func change(_ count: inout Int, _ body: () -> Void) {
  count += 1
  body()
}

@MainActor private func change(_ row: inout MidRow, _ body: () -> Void) {
  row.count += 1
  body()
}

/// What the setter of a row runs.
@MainActor private var setter: () -> Void = {}

struct MidRow: Identifiable {
  var id = 0
  var count = 0
  var items: [String] = []

  /// Its setter runs code.
  var doubled: Int {
    get { count * 2 }
    set {
      count = newValue / 2
      MainActor.assumeIsolated { setter() }
    }
  }
}

struct MidState {
  var rows = [MidRow()]
  var named = ["a": MidRow()]
  var single: MidRow? = MidRow()
}

enum MidPlace {
  case array, dictionary, optional

  @MainActor func row(of store: Store<MidState, Never>) -> Store<MidRow, Never>? {
    switch self {
    case .array: store.child(\.rows, id: 0, MidRows.self)
    case .dictionary: store.child(\.named, id: "a", MidRows.self)
    case .optional: store.child(\.single, MidRows.self)
    }
  }
}

struct MidOuter { var row = MidRow(), title = "" }

struct MidOuterParent: Interactor {
  func children(of store: MutatingStore<MidOuter, Never>) -> Children<MidOuter> {
    Child(\.row) { MidRows() }
  }

  func onAction(_ action: Never, store: MutatingStore<MidOuter, Never>) {}
}

struct MidParent: Interactor {
  func children(of store: MutatingStore<MidState, Never>) -> Children<MidState> {
    Each(\.rows) { _ in MidRows() }
    Each(\.named) { _ in MidRows() }
    Child(\.single) { MidRows() }
  }

  func onAction(_ action: Never, store: MutatingStore<MidState, Never>) {}
}

struct MidRows: Interactor {
  func onAction(_ action: Never, store: MutatingStore<MidRow, Never>) {}
}
