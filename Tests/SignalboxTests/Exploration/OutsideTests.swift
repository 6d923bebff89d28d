import Dispatch
import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests that work that waits for anything outside of an exploration is a failure, however short the
/// wait is.
@Suite(.timeLimit(.minutes(60))) @MainActor struct OutsideTests {
  /// What an action waits for after its answer.
  private enum Outside: String, CaseIterable {
    case stream, queue, detachedTask, thread

    @MainActor func wait() async throws {
      switch self {
      case .stream:
        // Nothing is ever sent. The wait is a failure as soon as it begins, and the end of the store
        // cancels it.
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
      case .queue: await withCheckedContinuation { c in afterSuspension { c.resume() } }
      case .detachedTask:
        await Task.detached {
          await withCheckedContinuation { c in afterSuspension { c.resume() } }
        }.value
      case .thread:
        await withCheckedContinuation { c in
          afterSuspension { Thread.detachNewThread { c.resume() } }
        }
      }
    }
  }

  @Test("I8 a wait for the outside is a failure that names the work, every time")
  func outside() async {
    for outside in Outside.allCases {
      for _ in 0..<10 {
        let result = await explored { world in
          let load = world.endpoint("load") { (text: String) in text }
          let store = makeDeskTest { job, store in
            let title = try await load(job.text)
            try await outside.wait()
            store.title = title
          }
          store.send("a")
          store.send("b")
          await world.run()
        }
        #expect(
          result.texts.only.contains(/\n[ab] waits for something outside of the exploration/),
          "\(outside)")
      }
    }
  }

  private struct House: Equatable { var room = Desk() }

  /// Answers the work of its child with more work of its child, which is queued behind it.
  private struct Keeper: Interactor {
    struct Room: Interactor {
      let ask: @MainActor () async -> Void

      func onAction(_ action: Job, store: DeskHandle) async { await ask() }
    }

    func children(of store: MutatingStore<House, Job>) -> Children<House> {
      Child(\.room) { Room { await store.dispatch("answer") } }
    }

    func onAction(_ action: Job, store: MutatingStore<House, Job>) async {
      await store.child(\.room, Room.self).dispatch(Job("again", id: "one", .queue))
    }
  }

  @Test("I9 work that waits in a circle fails the order")
  func circle() async {
    let result = await explored { world in
      let store = TestStore(state: House(), interactor: Keeper())
      store.child(\.room, Keeper.Room.self).send(Job("ask", id: "one", .queue))
      await world.run()
    }
    #expect(
      result.texts.only.contains("This work waits in a circle, so it never ends: "),
      "\(result.texts)")
  }

  @Test("I8 a wait of a child task names the work to which it belongs")
  func childTask() async {
    let result = await explored { world in
      let store = makeDeskTest { _, store in
        async let pause: Void = Outside.thread.wait()
        try await pause
        store.count = 1
      }
      store.send("parent")
      await world.run()
    }
    #expect(result.texts.only.contains("\nparent waits for something outside"))
  }

  @Test("I8 actors, child tasks, the main actor and streams of the work itself are no waits")
  func inside() async {
    let report = await explore { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in
        let title = try await load(job.text)
        let counter = HopCounter()
        await withTaskGroup { group in
          for _ in 0..<3 { group.addTask { await counter.increment() } }
        }
        let count = await apart(counter)
        await MainActor.run { store.count += count }
        for _ in 0..<50 { _ = await counter.count }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        async let sent: Void = {
          continuation.yield(title)
          continuation.finish()
        }()
        for await title in stream { store.title = title }
        await sent
      }
      world.finally("both are counted") { store.count == 6 }
      store.send("a")
      store.send("b")
      await world.run()
    }
    #expect(report.orders == 2)
    #expect(report.isExhaustive)
  }

  // MARK: - What is left

  @Test("I9 a call or a timer that is pending when the scenario returns fails the order")
  func pending() async {
    let result = await explored { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { [clock = world.clock] job, store in
        // The call comes after hops, which the scenario does not wait for.
        await HopCounter().increment()
        if job == "sleep" { try await clock.sleep(for: .seconds(2)) }
        store.title = try await load(job.text)
      }
      await world.run()
      store.send("a")
      store.send("sleep")
    }
    #expect(
      result.texts.only.contains(
        "The scenario has returned, and this is still pending: load(\"a\"), sleep until 2.0 seconds."
      ))
  }

  @Test("I9 work that was cancelled at the end of the scenario is not pending")
  func cancelledAtTheEnd() async {
    let report = await explore { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title = try await load(job.text) }
      await world.run()
      store.send("a")
      store.cancelAll()
    }
    #expect(report.orders == 1)
  }

  // MARK: - Replays

  @MainActor private static func titles(_ texts: [String]) -> @MainActor (Exploration) async -> Void
  {
    { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title = try await load(job.text) }
      world.finally("never") { texts.last != store.title }
      for text in texts { store.send(Job(text)) }
      await world.run()
    }
  }

  @Test("I9 a replay of another scenario is refused, and says which choice differs")
  func otherScenario() async {
    let found = await explored(Self.titles(["a", "b"]))
    let replay = found.report?.failure?.replay
    #expect(replay == "a=load-a.b=load-b")
    let same = await kitFailures { await explore(replay: replay, Self.titles(["a", "b"])) }
    #expect(same.only.text.contains("finally \"never\" does not hold."))
    let other = await kitFailures { await explore(replay: replay, Self.titles(["a", "c"])) }
    #expect(
      other.only.text.contains(
        """
        Step 2 of the replay, "b=load-b", was another choice: b is now load("c") answers.
        """))
  }

  @Test("I9 a replay lets fail what has failed")
  func failingCall() async {
    let scenario: @MainActor (Exploration) async -> Void = { world in
      let load = world.endpoint("load", failing: Refusal()) { (text: String) in text }
      let store = makeDeskTest { job, store in
        store.title = (try? await load(job.text)) ?? "failed"
      }
      world.finally("loaded") { store.title == "a" }
      store.send("a")
      await world.run()
    }
    let replay = await explored(scenario).report?.failure?.replay
    #expect(replay?.hasPrefix("a!") == true)
    let again = await kitFailures { await explore(replay: replay, scenario) }
    #expect(again.only.text.contains("finally \"loaded\" does not hold."))
  }

  @Test("I9 a string that is no replay is refused", arguments: ["a..b", "a.B", "a,b", "1!", "a.%"])
  func unreadable(text: String) async {
    let texts = await kitFailures { await explore(replay: text, Self.titles(["a", "b"])) }
    #expect(
      texts.only.text.contains(/Step [12] of the replay, ".*", is not a choice\. A choice is/))
  }

  @Test("I9 labels that differ in what a string cannot hold are different")
  func labels() async {
    let found = await explored(Self.titles(["a,b", "a.b"]))
    let replay = found.report?.failure?.replay
    let other = await kitFailures { await explore(replay: replay, Self.titles(["a.b", "a,b"])) }
    #expect(other.only.text.contains("Step 1 of the replay"))
  }
}

extension [KitFailure] {
  /// The only failure, or an issue if there is not exactly one.
  fileprivate var only: KitFailure {
    #expect(count == 1)
    return first ?? KitFailure(text: "", fileID: "", line: 0)
  }
}

private actor HopCounter {
  private(set) var count = 0
  func increment() { count += 1 }
}

@concurrent private func apart(_ counter: HopCounter) async -> Int { await counter.count }

/// Runs a body on another thread once the main queue has run what it has queued by then, twice.
private func afterSuspension(_ body: @escaping @Sendable () -> Void) {
  DispatchQueue.main.async {
    DispatchQueue.main.async { DispatchQueue.global().async(execute: body) }
  }
}
