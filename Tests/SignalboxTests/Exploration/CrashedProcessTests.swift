import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Tests that a crash ends a process, whatever its work does, and that all storages share the crash.
@Suite(.timeLimit(.minutes(60))) @MainActor struct CrashedProcessTests {
  @Test("I11 nothing that work writes after a crash reaches the disk")
  func writesAfterCrash() async {
    let report = await explore(faults: 1) { world in
      let storage = world.storage("words")
      let store = makeDeskTest { _, _ in
        // Goes on after each error.
        for name in ["a", "b", "c"] { try? await storage.put(name, name) }
        _ = try? storage.keep(.init(), beside: "d")
      }
      store.send("write")
      if await !world.runEndsInCrash() { return }
      let words = ["a", "b", "c", "d.json.damaged-1"].map { storage.word($0) }
      // A crash loses the last ones.
      if words.drop(while: { $0 != nil }).contains(where: { $0 != nil }) {
        throw Refusal(reason: "\(words)")
      }
    }
    #expect(report.failure == nil)
    #expect(report.isExhaustive)
  }

  @Test("I11 work that asks again after each error has no answer in the next process")
  func asksAgain() async {
    var restarts = 0
    let report = await explore(faults: 1) { world in
      let storage = world.storage("words")
      var answers = 0
      let ask = world.endpoint("ask", heedsCancellation: false) { (_: Int) in answers += 1 }
      let asking = makeDeskTest { [clock = world.clock] _, _ in
        for attempt in 0..<5 {
          try? await ask(attempt)
          try? await clock.sleep(for: .seconds(1))
        }
      }
      let writing = makeDeskTest { job, _ in try? await storage.put(job.text, "w") }
      asking.send("ask")
      writing.send("write")
      if await world.runEndsInCrash() { restarts += 1 }
      let before = answers
      await world.run()
      if answers > before { throw Refusal(reason: "an answer to a process that is gone") }
    }
    #expect(report.failure == nil)
    #expect(restarts > 10)
  }

  @Test("I9 work that asks again after each error is released with its order")
  func released() async {
    final class Token {}
    var areReleased: [() -> Bool] = []
    let texts = await failures {
      await explore { world in
        let token = Token()
        areReleased.append { [weak token] in token == nil }
        let ask = world.endpoint("ask", heedsCancellation: false) { (_: Int) in }
        let store = makeDeskTest { _, _ in
          for attempt in 0..<5 { try? await ask(attempt) }
          withExtendedLifetime(token) {}
        }
        await world.run()
        store.send("too late")
      }
    }
    #expect(texts.only.contains("this is still pending: ask(0)"))
    // Nothing runs after the last one that would release it.
    #expect(areReleased.count == 3 && areReleased.dropLast().allSatisfy { $0() })
  }

  @Test("I9 a timer that an order leaves behind releases what it holds")
  func timer() async {
    @MainActor final class Owner {
      let timer: OneShotTimer
      init(_ clock: TestClock) {
        timer = .on(clock)
        timer.set(after: .seconds(1)) { withExtendedLifetime(self) {} }
      }
    }
    weak var owner: Owner?
    let texts = await failures {
      await explore { world in
        await world.run()
        let new = Owner(world.clock)
        owner = new
      }
    }
    #expect(texts.only.contains("this is still pending: a timer until 1.0 seconds"))
    #expect(owner == nil)
  }

  @Test("I11 a crash ends the process of all storages, and a power cut loses what any of them has")
  func twoStorages() async {
    var ends: [String] = []
    let report = await explore { world in
      let (a, b) = (world.storage("a"), world.storage("b"))
      var seen: String?
      let store = makeDeskTest { _, _ in
        try? await b.put("b", "w")
        try? await a.put("a", "w")
        seen = b.word("w")
      }
      store.send("write")
      let hasCrashed = await world.runEndsInCrash()
      if hasCrashed, seen == "b" { ends.append("\(a.word("w") ?? "-")\(b.word("w") ?? "-")") }
    }
    #expect(report.failure == nil)
    // The sync of b fails, or the write of a, or nothing. In the first case, a power cut loses b alone.
    #expect(Set(ends) == ["a-", "-b", "ab"])
    let both = await explore(faults: 1) { world in
      let storages = [world.storage("a"), world.storage("b")]
      for storage in storages { try await storage.put("old", "w") }
      await world.run()
    }
    // One without a fault, and one with a crash of both.
    #expect(both.orders == 2)
  }

  @Test("I1 I11 a store that is used again after a crash is a mistake, which the report names")
  func usedAgain() async {
    let texts = await failures {
      await explore(faults: 1) { world in
        let storage = world.storage("words")
        let store = makeDeskTest { job, _ in try? await storage.put(job.text, "w") }
        for word in ["a", "b"] {
          store.send(Job(word))
          await world.run()
        }
      }
    }
    let text = texts.only
    #expect(text.contains("a test store that was made outside of it or before a crash"))
    #expect(text.contains("  2  words: crash before the creation of the new file"))
  }

  /// A window whose state is saved, and whose actions do what a test says.
  private struct Window: Interactor {
    let saved: SavedState<Desk>
    let clock: TestClock
    var act: @MainActor () async throws -> Void = {}

    func onAction(_ action: Job, store: DeskHandle) async throws { try await act() }
    func onError(_ error: any Error, action: Job, store: DeskHandle) {}

    func subscription(for hook: OneHook, store: DeskHandle) -> Subscription {
      saved.autosave(store, clock: clock)
    }
  }

  @Test("I11 P7 what a process still tries after a crash, between two windows, fails no order")
  func betweenWindows() async {
    @MainActor func saved(in storage: any Storage) -> SavedState<Desk> {
      SavedState<Desk>("desk", in: storage).property("title", \.title)
    }
    let report = await explore(limit: 400, faults: 1) { world in
      let (storage, clock) = (world.storage("desk"), world.clock)
      let open = world.endpoint("open") { (_: Int) in }
      @MainActor func window() -> (SavedState<Desk>, DeskTest) {
        let saved = saved(in: storage)
        var desk = Desk()
        saved.restore(into: &desk)
        return (saved, DeskTest(state: desk, interactor: Window(saved: saved, clock: clock)))
      }
      var first: DeskTest? = window().1
      first?.title = "a"
      var second: DeskTest?
      let other = saved(in: MemoryStorage())
      let driver = DeskTest(
        state: Desk(),
        interactor: Window(saved: other, clock: clock) {
          try await open(1)
          let new: SavedState<Desk>
          first = nil
          (new, second) = window()
          try await new.flush()
        })
      driver.send("open")
      await world.run()
      var desk = Desk()
      saved(in: storage).restore(into: &desk)
      await world.run()
      withExtendedLifetime((first, second)) {}
    }
    #expect(report.failure == nil)
  }
}
