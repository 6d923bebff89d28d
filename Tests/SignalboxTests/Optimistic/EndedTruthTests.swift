import Testing

@testable import Signalbox

/// Tests what is left of a child that ends while changes are pending (O3, C6).
@Suite(.opensGates) @MainActor final class EndedTruthTests: BarnBody {
  private let gate = StoreGate()
  private var row: MutatingStore<BarnRow, BarnJob>?
  private var parent: MutatingStore<Barn, BarnJob>?

  func work(_ number: Int, in store: MutatingStore<Barn, BarnJob>) async throws {
    parent = store
    try await gate.pass("parent")
  }

  func work(
    _ number: Int, in store: MutatingStore<BarnRow, BarnJob>,
    of parent: MutatingStore<Barn, BarnJob>
  ) async throws {
    row = store
    try await gate.pass("row")
  }

  func hears(_ place: BarnPlace, _ text: String) {}
  func handles(_ number: Int) {}

  enum Kind: CaseIterable { case row, named, guest, gate }

  /// Where a change that is pending when the child ends was made.
  enum Pending: CaseIterable { case inChild, inParent, instead }

  /// The store of the only child, work in it, and work in its parent.
  private func start(
    _ kind: Kind
  ) throws -> (
    store: Store<Barn, BarnJob>, child: Store<BarnRow, BarnJob>,
    row: MutatingStore<BarnRow, BarnJob>, parent: MutatingStore<Barn, BarnJob>
  ) {
    let state = BarnRow(id: 1, text: "true", note: BarnNote(text: "true"))
    let store = Store(
      state: kind.barn(with: state), interactor: BarnFeature(live: LiveChildren(), body: self))
    store.send(BarnJob(number: 1, name: nil))
    let child: Store<BarnRow, BarnJob>? =
      switch kind {
      case .row: store.child(\.rows, id: 1, BarnRowFeature.self)
      case .named: store.child(\.named, id: "a", BarnRowFeature.self)
      case .guest: store.child(\.guest, BarnRowFeature.self)
      case .gate: store.child(case: \.gate, BarnGate.open, BarnRowFeature.self)
      }
    child?.send(BarnJob(number: 2, name: nil))
    return (store, try #require(child), try #require(row), try #require(parent))
  }

  @Test(
    "O3 C6 a child that ends keeps its truth", arguments: Kind.allCases, Pending.allCases)
  func ended(_ kind: Kind, _ pending: Pending) throws {
    for isInBatch in [false, true] {
      let (store, child, row, parent) = try start(kind)
      let note = child.child(\.note, BarnNoteFeature.self)
      let shown = BarnRow(id: 1, text: "pending", note: BarnNote(text: "pending"))
      switch pending {
      case .inChild: row.optimistic { $0 = shown }
      case .inParent: parent.optimistic { $0[kind.place]? = shown }
      case .instead: parent.optimistic { kind.put(shown, in: &$0) }
      }
      #expect(child.text == "pending" && note?.text == "pending")
      if isInBatch {
        parent.batch {
          parent.title = "changed"
          parent.update { kind.put(nil, in: &$0) }
        }
      } else {
        parent.update { kind.put(nil, in: &$0) }
      }
      #expect(child.text == "true" && note?.text == "true")
      withExtendedLifetime(store) {}
    }
  }

  @Test(
    "O3 C6 a child that ends in a batch keeps what it was in the batch", arguments: Kind.allCases)
  func endedInBatch(_ kind: Kind) throws {
    let (store, child, row, parent) = try start(kind)
    parent.optimistic { $0.title = "shown" }
    parent.batch {
      row.text = "written"
      parent.update { kind.put(nil, in: &$0) }
    }
    #expect(child.text == "written")
    withExtendedLifetime(store) {}
  }

  @Test("O4 C6 so does one with a confirmed change", arguments: Kind.allCases)
  func confirmedInBatch(_ kind: Kind) throws {
    let (store, child, row, parent) = try start(kind)
    let pending = row.optimistic { $0.text = "shown" }
    parent.batch {
      pending.confirm { $0.text = "confirmed" }
      parent.optimistic { $0.title = "shown" }
      parent.update { kind.put(nil, in: &$0) }
    }
    #expect(child.text == "confirmed")
    withExtendedLifetime(store) {}
  }

  @Test("O2 O3 C6 one whose store is released keeps its truth, also in a batch")
  func released() throws {
    for isInBatch in [false, true] {
      var (store, child, row, parent): (Store<Barn, BarnJob>?, _, _, _) = try start(.row)
      parent.optimistic { $0[.row(1)]?.text = "shown" }
      if isInBatch {
        parent.batch {
          row.text = "written"
          store = nil
        }
      } else {
        row.text = "written"
        store = nil
      }
      #expect(store == nil && child.text == "written")
    }
  }
}

extension EndedTruthTests.Kind {
  fileprivate var place: BarnPlace {
    switch self {
    case .row: .row(1)
    case .named: .named("a")
    case .guest: .guest(1)
    case .gate: .gate(1)
    }
  }

  fileprivate func put(_ row: BarnRow?, in barn: inout Barn) {
    if case .row = self { barn.rows = row.map { [$0] } ?? [] } else { barn[place] = row }
  }

  fileprivate func barn(with row: BarnRow) -> Barn {
    var barn = Barn()
    put(row, in: &barn)
    return barn
  }
}
