import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Runs a saved draft with every fault of its storage.
@Suite(.timeLimit(.minutes(60))) @MainActor struct CrashedDraftTests {
  private struct Draft: Equatable {
    var text = ""
    var saving = SaveStatus.saved
  }

  private struct Saving: Interactor {
    enum Hook: CaseIterable { case changed }
    let saved: SavedState<Draft>
    let clock: TestClock
    let isAcknowledged: @MainActor (String) -> Void

    /// An action is the newest text at its start.
    func onAction(_ text: String, store: MutatingStore<Draft, String>) async throws {
      do {
        try await saved.flush()
        isAcknowledged(text)
      } catch is SaveError {
        // The status shows it.
      }
    }

    func subscription(for hook: Hook, store: MutatingStore<Draft, String>) -> Subscription {
      saved.autosave(store, status: \.saving, clock: clock)
    }
  }

  private static func saved(in storage: any Storage) -> SavedState<Draft> {
    SavedState<Draft>("note", in: storage).property("text", \.text)
  }

  /// What was typed and acknowledged, whichever process did that.
  @MainActor private final class History {
    var typed = [""]
    /// The index of the newest text that a flush has acknowledged.
    var acknowledged = 0
    var store: TestStore<Draft, String>?

    func open(_ storage: any Storage, _ clock: TestClock) -> Restored {
      let saved = CrashedDraftTests.saved(in: storage)
      var draft = Draft()
      let outcome = saved.restore(into: &draft)
      store = TestStore(
        state: draft,
        // Weak, because the history owns the store.
        interactor: Saving(saved: saved, clock: clock) { [weak self] text in
          guard let self else { return }
          acknowledged = max(acknowledged, typed.firstIndex(of: text) ?? 0)
        })
      return outcome
    }

    func type(_ text: String) {
      typed.append(text)
      store?.text = text
    }

    func flush() { store?.send(typed[typed.count - 1]) }

    /// The text on the disk, outside of `run()`.
    func stored(_ storage: any Storage) -> String? {
      storage.word("note").flatMap { $0.firstMatch(of: /"text" : "(.*)"/).map { String($0.1) } }
    }

    /// Why what a restore has found is not what it may be.
    func loss(_ outcome: Restored, _ text: String) -> String? {
      switch outcome {
      case .nothing: acknowledged == 0 ? nil : "\(typed[acknowledged]) is lost"
      case .restored: typed[acknowledged...].contains(text) ? nil : "\(text) is back"
      default: "\(outcome)"
      }
    }
  }

  private func explored(
    limit: Int = 10_000, faults: Int, _ more: @escaping @MainActor (Exploration, History) -> Void
  ) async -> ExplorationReport {
    await explore(limit: limit, faults: faults) { world in
      let storage = world.storage("drafts")
      let history = History()
      @MainActor func check(_ outcome: Restored) throws {
        if let loss = history.loss(outcome, history.store?.text ?? "") {
          throw Refusal(reason: loss)
        }
      }
      try check(history.open(storage, world.clock))
      world.always("the status does not claim too much") {
        history.store?.saving != .saved || history.typed.count == 1
          || history.stored(storage) == history.typed.last
      }
      world.finally("the newest text is stored, whatever has failed before") {
        history.stored(storage) == history.typed.last
      }
      history.type("a")
      history.flush()
      more(world, history)
      await world.run()
      history.store?.deactivateHooks()
      try check(history.open(storage, world.clock))
      // The next process saves as well.
      world.finally("what is typed after a restart is stored") {
        history.stored(storage) == history.typed.last
      }
      history.type("last")
      await world.run()
    }
  }

  @Test(
    "P3 P5 P8 I11 whatever fails or crashes, a draft is the old or the new one, and none is lost")
  func everyFault() async {
    let report = await explored(faults: 1) { world, history in
      world.may("b is typed") { history.type("b") }
    }
    #expect(report.failure == nil && report.isExhaustive)
  }

  @Test("P3 P8 I11 a flush keeps its promise through two faults")
  func twoFaults() async {
    let report = await explored(limit: 500, faults: 2) { _, _ in }
    #expect(report.failure == nil)
  }

  @Test("P5 P3 I11 a damaged file is there, or set aside, after a fault at any step of a restore")
  func damaged() async {
    let report = await explore(faults: 2) { world in
      let storage = world.storage("drafts")
      try await storage.put("damaged", "note")
      let history = History()
      /// A further copy gets a name that is free.
      func isKept() -> Bool {
        storage.word("note") == "damaged"
          || (try? storage.keep(Data(), beside: "note")) == "note.json.damaged-2"
      }
      world.may("open and type") {
        // Nothing may be written then, and each attempt to save fails.
        if case .unavailable = history.open(storage, world.clock) { return }
        history.type("a")
        history.flush()
      }
      await world.run()
      if !isKept() { throw Refusal(reason: "the damaged bytes are lost") }
    }
    #expect(report.failure == nil)
  }
}
