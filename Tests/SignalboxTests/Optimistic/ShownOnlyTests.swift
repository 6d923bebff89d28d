import Observation
import Testing

@testable import Signalbox

/// Tests of children that only a pending change shows (O3).
@Suite(.opensGates) @MainActor struct ShownOnlyTests {
  private struct RowFeature: Interactor {
    let live: LiveChildren
    let id: Int

    func children(of store: MutatingStore<BarnRow, Never>) -> Children<BarnRow> {
      Child(\.note) { BarnNoteFeature(name: "note \(id)", live: live) }
    }

    func onAction(_ action: Never, store: MutatingStore<BarnRow, Never>) {}
  }

  private struct ListFeature: Interactor {
    let live: LiveChildren
    let gate: StoreGate
    let work: @MainActor (MutatingStore<Barn, Job>) -> Void

    func children(of store: MutatingStore<Barn, Job>) -> Children<Barn> {
      Each(\.rows) { RowFeature(live: live, id: $0) }
    }

    func onAction(_ action: Job, store: MutatingStore<Barn, Job>) async throws {
      work(store)
      try await gate.pass("work")
    }

    func onError(_ error: any Error, action: Job, store: MutatingStore<Barn, Job>) {}
  }

  private let live = LiveChildren()
  private let gate = StoreGate()

  /// A store, and the store of an action that waits.
  private func start(
    _ barn: Barn = Barn()
  ) throws -> (store: Store<Barn, Job>, work: MutatingStore<Barn, Job>) {
    var work: MutatingStore<Barn, Job>?
    let store = Store(
      state: barn, interactor: ListFeature(live: live, gate: gate) { work = $0 })
    store.send("work")
    return (store, try #require(work))
  }

  private func row(_ id: Int, of store: Store<Barn, Job>) -> Store<BarnRow, Never>? {
    store.child(\.rows, id: id, RowFeature.self)
  }

  private nonisolated func row(_ id: Int, _ text: String = "") -> BarnRow {
    BarnRow(id: id, text: text, note: BarnNote(text: text))
  }

  @Test("O3 C7 a row that was asked for early tells as any other when those after it begin")
  func beginning() throws {
    let (store, work) = try start()
    let pending = work.optimistic { $0.rows.append(row(9)) }
    let asked = row(9, of: store)
    #expect(live.names == [])
    pending.confirm()
    #expect(live.names == ["note 9"])
    work.rows.append(row(10))
    #expect(live.names == ["note 9", "note 10"])
    withExtendedLifetime(asked) {}
  }

  @Test("O3 a row that a batch makes true begins in the batch when it is asked for")
  func beginningInBatch() throws {
    let (store, work) = try start()
    let pending = work.optimistic { $0.rows.append(row(9)) }
    let asked = row(9, of: store)
    work.batch {
      pending.confirm()
      #expect(live.names == [])
      #expect(row(9, of: store) === asked && live.names == ["note 9"])
    }
    work.rows = []
    #expect(live.names == [])
  }

  @Test("C6 O3 a child in a row that only a pending change shows has its last value in a batch")
  func lastInBatch() throws {
    for confirms in [false, true] {
      let (store, work) = try start(Barn(rows: [row(1)]))
      work.rows[0].note = nil
      work.batch {
        let pending = work.optimistic { $0[.row(1)]?.note = BarnNote(text: "shown") }
        let note = row(1, of: store)?.child(\.note, BarnNoteFeature.self)
        if confirms { pending.confirm { $0.title = "answer" } } else { pending.revert() }
        #expect(note?.text == "shown")
      }
    }
  }

  @Test("O3 observers of a row that only a pending change shows are told of what is shown")
  func observers() throws {
    let (store, work) = try start(Barn(rows: [row(1)]))
    let pending = work.optimistic { barn in
      if barn[.row(9)] == nil { barn.rows.append(row(9, "new \(barn.title)")) }
    }
    let new = try #require(row(9, of: store))
    let note = try #require(new.child(\.note, BarnNoteFeature.self))
    var (told, noteTold): ([String], [String]) = ([], [])
    let subscriptions = [
      new.publisher.text.sink { told.append($0) },
      note.publisher.text.sink { noteTold.append($0) },
    ]
    work.title = "a"
    let other = work.optimistic { $0[.row(9)]?.text += "!" }
    work.batch {
      work.title = "b"
      work.title = "c"
    }
    other.revert()
    #expect(told == ["new a", "new a!", "new c!", "new c"])
    #expect(noteTold == ["new a", "new c"])
    pending.confirm { $0.rows.append(row(9, "answer")) }
    new.binder.text.wrappedValue = "written"
    #expect(told.suffix(2) == ["answer", "written"] && noteTold.last == "answer")
    withExtendedLifetime(subscriptions) {}
  }

  private enum Place: CaseIterable {
    case row, named, guest, gate

    @MainActor func child(of store: Store<Barn, Job>) -> Store<BarnRow, Job>? {
      switch self {
      case .row: store.child(\.rows, id: 1, ShownRow.self)
      case .named: store.child(\.named, id: "a", ShownRow.self)
      case .guest: store.child(\.guest, ShownRow.self)
      case .gate: store.child(case: \.gate, BarnGate.open, ShownRow.self)
      }
    }
  }

  private struct ShownRow: Interactor {
    func onAction(_ action: Job, store: MutatingStore<BarnRow, Job>) {}
  }

  private struct ShownFeature: Interactor {
    let work: @MainActor (MutatingStore<Barn, Job>) -> Void
    let gate: StoreGate

    func children(of store: MutatingStore<Barn, Job>) -> Children<Barn> {
      Each(\.rows) { _ in ShownRow() }
      Each(\.named) { _ in ShownRow() }
      Child(\.guest) { ShownRow() }
      Child(case: \.gate, BarnGate.open) { ShownRow() }
    }

    func onAction(_ action: Job, store: MutatingStore<Barn, Job>) async throws {
      work(store)
      try await gate.pass("work")
    }
  }

  @Test(
    "O3 M5 code that tracks a child sees what is shown, and is notified when it comes and goes",
    arguments: Place.allCases)
  private func tracked(_ place: Place) throws {
    var work: MutatingStore<Barn, Job>?
    let full = Barn(rows: [row(1)], named: ["a": row(1)], guest: row(1), gate: .open(row(1)))
    let store = Store(state: full, interactor: ShownFeature(work: { work = $0 }, gate: gate))
    store.send("work")
    let changes = try #require(work)
    var (isNotified, shown) = (true, Store<BarnRow, Job>?.none)
    func draw() {
      guard isNotified else { return }
      isNotified = false
      withObservationTracking {
        shown = place.child(of: store)
      } onChange: {
        MainActor.assumeIsolated { isNotified = true }
      }
    }
    draw()
    #expect(shown != nil)
    let hidden = shown
    let pending = changes.optimistic {
      $0.rows = []
      $0.named = [:]
      $0.guest = nil
      $0.gate = .shut
    }
    draw()
    #expect(shown == nil)
    #expect(place.child(of: store) === hidden, "the truth has it, for code that is not tracked")
    pending.revert()
    draw()
    #expect(shown === hidden)
    changes.optimistic { $0 = Barn() }.confirm()
    draw()
    #expect(shown == nil && place.child(of: store) == nil)
  }
}
