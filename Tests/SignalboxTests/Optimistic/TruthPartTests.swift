import Testing

@testable import Signalbox

/// Tests writes to parts that only a pending change shows, and to parts that one hides (O3).
@Suite(.opensGates) @MainActor struct TruthPartTests {
  private struct Seat: Equatable {
    var name = ""
    var isBusy = false
  }

  private struct Table: Equatable {
    var guest: Seat?
    var seats: [Seat] = []
  }

  private let gate = StoreGate()

  /// A store, the store of an action that waits, and a handle to another one that marks the guest.
  private func makeStore(
    _ table: Table
  ) -> (store: Store<Table, Job>, work: MutatingStore<Table, Job>, marking: ActionTask?) {
    var work: MutatingStore<Table, Job>?
    let store = Store(
      state: table,
      actionable: Handling<Table, Job> { [gate] job, store in
        if job.text == "mark" { store.mark(\.guest!.isBusy) } else { work = store }
        try await gate.pass(job.text)
      })
    store.send("work")
    guard let work else { fatalError("The action begins at once.") }
    return (store, work, table.guest.map { _ in store.send("mark") })
  }

  @Test("O3 M6 a binding to a part that only a pending change shows drops what is written")
  func shown() {
    let (store, work, _) = makeStore(Table(seats: [Seat(name: "a")]))
    let pending = work.optimistic {
      $0.guest = Seat(name: "shown")
      $0.seats.append(Seat(name: "b"))
    }
    let (guest, seat) = (store.binder.guest[dynamicMember: \.!.name], store.binder.seats[1].name)
    let journal = StoreJournal(store)
    guest.wrappedValue = "x"
    seat.wrappedValue = "x"
    #expect(journal.lines == ["started", "dropped change", "dropped change"])
    #expect(guest.wrappedValue == "shown" && seat.wrappedValue == "b")
    pending.revert()
    #expect(store.state == Table(seats: [Seat(name: "a")]))
    // Now it is nowhere.
    guest.wrappedValue = "y"
    #expect(store.guest == nil && journal.lines.last == "change")
  }

  @Test("O3 M6 a binding by an index drops what is written if the truth has another element there")
  func otherElement() {
    struct Row: Identifiable, Equatable {
      var id: Int
      var text = ""
    }
    let truth = [Row(id: 1), Row(id: 2), Row(id: 3)]
    var work: MutatingStore<[Row], Job>?
    let store = Store(
      state: truth,
      actionable: Handling<[Row], Job> { [gate] job, store in
        work = store
        try await gate.pass(job.text)
      })
    store.send("work")
    let pending = work?.optimistic { $0.remove(at: 1) }
    let journal = StoreJournal(store)
    store.binder[dynamicMember: \.[1].text].wrappedValue = "for 3"
    #expect(store.state == [Row(id: 1), Row(id: 3)])
    #expect(journal.lines == ["started", "dropped change"])
    store.binder[dynamicMember: \.[0].text].wrappedValue = "for 1"
    pending?.revert()
    #expect(store.state == [Row(id: 1, text: "for 1"), Row(id: 2), Row(id: 3)])
  }

  @Test("O3 M6 a binding to a part that a pending change hides writes the truth")
  func hidden() {
    let (store, work, _) = makeStore(Table(guest: Seat(name: "a")))
    let name = store.binder.guest[dynamicMember: \.!.name]
    let pending = work.optimistic { $0.guest = nil }
    #expect(name.wrappedValue == "a")
    name.wrappedValue = "written"
    #expect(store.guest == nil && name.wrappedValue == "written")
    pending.revert()
    #expect(store.guest?.name == "written")
  }

  @Test("O3 A13 the end of work writes no mark into a part that only a pending change shows")
  func shownMark() {
    let (store, work, marking) = makeStore(Table(guest: Seat(name: "a")))
    let pending = work.optimistic { $0.guest = Seat(name: "shown") }
    store.binder.guest.wrappedValue = nil
    marking?.cancel()
    #expect(store.guest == Seat(name: "shown"))
    pending.revert()
    #expect(store.guest == nil)
  }

  @Test("O3 A13 the end of work removes its mark from a part that a pending change hides")
  func hiddenMark() {
    let (store, work, marking) = makeStore(Table(guest: Seat(name: "a")))
    #expect(store.guest?.isBusy == true)
    let pending = work.optimistic { $0.guest = nil }
    marking?.cancel()
    pending.revert()
    #expect(store.guest == Seat(name: "a"))
  }
}
