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

  /// A state with others of its kind in it.
  private struct Doll: Equatable, Identifiable {
    @MainActor static var looks = 0

    let number: Int
    var text = ""
    var inner: [Doll] = []

    var id: Int {
      MainActor.assumeIsolated { Self.looks += 1 }
      return number
    }

    static func == (old: Self, new: Self) -> Bool {
      old.number == new.number && old.text == new.text && old.inner == new.inner
    }
  }

  private struct DollFeature: Interactor {
    let work: @MainActor (MutatingStore<Doll, Job>) async throws -> Void

    func children(of store: MutatingStore<Doll, Job>) -> Children<Doll> {
      Each(\.inner) { _ in DollFeature(work: work) }
    }

    func onAction(_ action: Job, store: MutatingStore<Doll, Job>) async throws {
      try await work(store)
    }

    func subscription(for hook: OnlyHook, store: MutatingStore<Doll, Job>) -> Subscription {
      .empty
    }
  }

  @Test("O6 C6 the end of a state does not cost twice as much for each state around it")
  func deep() {
    func looks(depth: Int) -> Int {
      var outermost: MutatingStore<Doll, Job>?
      let feature = DollFeature { [gate] in
        outermost = outermost ?? $0
        $0.optimistic { $0.text += "!" }
        try await gate.pass("doll")
      }
      let doll = (0..<depth).reduce(Doll(number: 0)) { Doll(number: $1 + 1, inner: [$0]) }
      let store = Store(state: doll, interactor: feature)
      store.send("any")
      var innermost = store
      while let next = innermost.child(\.inner, id: innermost.number - 1, DollFeature.self) {
        innermost = next
        innermost.send("any")
      }
      Doll.looks = 0
      outermost?.batch {
        innermost.binder.text.wrappedValue = "written"
        outermost?.inner = [Doll(number: -1)]
      }
      #expect(innermost.text == "written")
      return Doll.looks
    }
    // At most as the cube of the depth.
    #expect(looks(depth: 16) < 9 * looks(depth: 8))
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
