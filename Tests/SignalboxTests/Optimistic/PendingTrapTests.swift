import Testing

@testable import Signalbox

/// Tests which uses of pending changes trap (O2, O4, O5, O6).
@MainActor struct PendingTrapTests {
  private static let accessed = "was accessed while its state was being changed in place"

  /// The actions do not end, because the closure would run once more for that and trap there.
  @Test("O5 accessing the store in a closure traps, at first and when it runs again")
  func access() async {
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { _, store in
            store.optimistic { $0.count = store.count }
            await StationJournal.waitUntilCancelled()
          })
        store.send("a")
      }
    }
    expectError(Self.accessed, from: first)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { _, store in
            store.optimistic { if $0.title == "read" { $0.count = store.count } }
            store.title = "read"
            await StationJournal.waitUntilCancelled()
          })
        store.send("a")
      }
    }
    expectError(Self.accessed, from: result)
  }

  @Test("O4 O5 what a change becomes in the truth traps if it accesses the store")
  func answers() async {
    let answer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { _, store in
            store.optimistic { $0.count = 1 }.confirm { $0.count = store.count }
          })
        store.send("a")
      }
    }
    expectError(Self.accessed, from: answer)
    // Without an answer, the closure itself runs, as the first of the commit.
    let change = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        var isConfirmed = false
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { _, store in
            store.optimistic { $0.count = isConfirmed ? store.count : 1 }
            isConfirmed = true
          })
        store.send("a")
      }
    }
    expectError(Self.accessed, from: change)
  }

  @Test("O5 a dispatch in a closure traps, although the action might not access the state")
  func dispatch() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { job, store in
            guard job.text == "a" else { return }
            store.optimistic { _ in store.dispatch("b") }
            await StationJournal.waitUntilCancelled()
          })
        store.send("a")
      }
    }
    expectError("in the closure of a derived value or a pending change", from: result)
  }

  @Test("O2 A13 to cancel work with a pending change in the body of an update traps")
  func cancelInUpdate() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = DeskStore(
          state: Desk(),
          actionable: Handling { job, store in
            if job.text == "b" { return store.update { _ in store.cancel(id: "a") } }
            store.optimistic { $0.count = 1 }
            await StationJournal.waitUntilCancelled()
          })
        store.send(Job("a", id: "a"))
        store.send("b")
      }
    }
    expectError(Self.accessed, from: result)
  }

  @Test("O2 in a hook and in onCancel, a change traps, as nothing would end it")
  func traps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let number = Emitter<Int>()
        let store = Store(
          state: Desk(),
          interactor: Hooking<Desk, Job, OneHook>(connect: { _, store in
            number.sink { value in store.optimistic { $0.count = value } }
          }))
        number.send(1)
        withExtendedLifetime(store) {}
      }
    }
    expectError("optimistic(_:) in hook only: there is no action or run here", from: result)
  }

  @Test("O2 in onCancel, a change traps, and those of the action are taken back")
  func trapInOnCancel() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        struct Cancelled: Actionable {
          func onAction(_ job: Job, store: MutatingStore<Desk, Job>) async {
            store.optimistic { $0.count = 1 }
            await StationJournal.waitUntilCancelled()
          }

          func onCancel(_ job: Job, store: MutatingStore<Desk, Job>) {
            guard store.count == 0 else { return }
            store.optimistic { $0.count = 2 }
          }
        }
        let store = DeskStore(state: Desk(), actionable: Cancelled())
        store.send("a").cancel()
        withExtendedLifetime(store) {}
      }
    }
    expectError("there is no action or run here", from: result)
  }

  @Test("O6 a change of a state that is a class traps")
  func object() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        final class Shared { var count = 0 }
        Store<Shared, Job>(
          state: Shared(),
          actionable: Handling { _, store in store.optimistic { $0.count = 1 } }
        ).send("a")
      }
    }
    expectError("is a class, or is in one", from: result)
  }
}
