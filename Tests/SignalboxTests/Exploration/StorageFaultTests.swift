import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Tests that the faults of a storage are choices.
@Suite(.timeLimit(.minutes(60))) @MainActor struct StorageFaultTests {
  @Test("I11 each step of a write may fail or be the last before a crash, and leaves old or new")
  func steps() async {
    let report = await explore(faults: 1) { world in
      let storage = world.storage("words")
      try await storage.put("old", "w")
      let store = makeDeskTest { job, store in
        do {
          try await storage.put(job.text, "w")
          store.title = "written"
        } catch {
          store.title = "\(error)"
        }
      }
      var ended = "crash"
      world.finally("it has ended") {
        ended = store.title
        return true
      }
      store.send("new")
      await world.run()
      world.outcome("\(ended): \(storage.word("w") ?? "nothing")")
    }
    let full = "words: No space left on device."
    let broken = "words: Input/output error."
    // The name of the new file, its first half, its second half, its sync, its rename, and the folder.
    #expect(
      Dictionary(uniqueKeysWithValues: report.outcomes.map { ($0.description, $0.orders) }) == [
        #""written: new""#: 1, #""\#(full): old""#: 3, #""\#(broken): old""#: 2,
        #""\#(broken): new""#: 1,
        // Before the run, before the creation, twice each before the write, the sync and the rename,
        // within the write, and a power cut before the sync of the folder.
        #""crash: old""#: 10,
        // Before the sync of the folder, and after it.
        #""crash: new""#: 2,
      ])
    #expect(report.isExhaustive)
    #expect(report.description.hasPrefix("passes in all 19 orders with up to one fault."))
  }

  private func lateSync(faults: Int = 2, replay: String? = nil) async -> (
    report: ExplorationReport?, texts: [String]
  ) {
    var report: ExplorationReport?
    let texts = await kitFailures {
      report = await explore(faults: faults, replay: replay) { world in
        let storage = world.storage("words")
        let store = makeDeskTest { job, store in
          // Shows the word as stored before it is.
          store.title = job.text
          do { try await storage.put(job.text, "w") } catch { store.title = "" }
        }
        world.may("unrelated") { store.count += 1 }
        var shown = ""
        world.always("note what is shown") {
          shown = store.title
          return true
        }
        store.send("new")
        await world.run()
        if !shown.isEmpty, storage.word("w") == nil { throw Refusal(reason: "\(shown) is lost") }
      }
    }
    return (report, texts.map(\.text))
  }

  @Test("I11 I5 the failing order with the fewest faults is shown with labels, and replayed")
  func report() async {
    let (report, texts) = await lateSync()
    #expect(texts == [report?.description])
    #expect(
      report?.description.hasPrefix(
        """
        fails in 18 of the first 43 orders, among them all with up to one fault. The shortest:
          1  words: the write of w begins
          2  words: crash before the creation of the new file
        The scenario throws Refusal(reason: "new is lost").
        replay: "a=words-the-write-of-w-beg~2ac6.!1b=words-crash-before-the-creation-of-the-new-file~f6a4"
        """) == true, "\(report?.description ?? "")")
    let (replayed, again) = await lateSync(replay: report?.failure?.replay)
    #expect(replayed?.orders == 1 && again.only.contains("new is lost"))
    #expect(await lateSync(faults: 0).texts.isEmpty)
    let (_, other) = await lateSync(replay: "a.!1a=words-crash-before-the-rename")
    #expect(
      other.only.contains(
        "was another choice: !1a is now words: the creation of the new file fails")
    )
    let (_, misfit) = await lateSync(replay: "a.!99a")
    #expect(misfit.only.contains("Step 2 of the replay, \"!99a\", is not possible."))
  }

  @Test("I11 an order that needs two faults is found, with both of them")
  func twoFaults() async {
    let result = await explored { world in
      let storage = world.storage("words")
      let store = makeDeskTest { job, store in
        for _ in 0..<2 { if (try? await storage.put(job.text, "w")) == nil { store.count += 1 } }
      }
      world.always("one failure is fine") { store.count < 2 }
      store.send("new")
      await world.run()
    }
    #expect(result.report?.failure?.steps.count { $0.contains("fails") } == 2)
    #expect(result.report?.failure?.steps.count == 4)
    #expect(result.report?.isExhaustive == true)
  }

  @Test("I11 the limit leaves out the orders with the most faults, and shrinking drops faults")
  func limit() async {
    let result = await explored(limit: 30) { world in
      let storage = world.storage("words")
      let store = makeDeskTest { job, store in
        for _ in 0..<2 { if (try? await storage.put(job.text, "w")) == nil { store.count += 1 } }
      }
      world.always("nothing fails") { store.count < 1 }
      store.send("new")
      await world.run()
    }
    #expect(result.report?.failure?.replay.count { $0 == "!" } == 1)
    #expect(result.report?.failure?.steps.count == 2)
    #expect(result.report?.limitText != nil)
  }

  @Test("I11 after a crash the stores are gone, and the scenario goes on with new ones")
  func restart() async {
    var (restarts, rings) = (0, 0)
    let report = await explore(faults: 1) { world in
      let storage = world.storage("words")
      let ring = Emitter<String>()
      var hasCrashed = true
      @MainActor func open(_ name: String) -> TestStore<Desk, Job> {
        TestStore(
          state: Desk(),
          interactor: Hooking<Desk, Job, OneHook>(
            connect: { _, store in
              ring.signal.sink {
                if name == "first" { rings += 1 }
                store.title = $0
              }
            },
            handle: { job, store in
              // The calls of the clock and the errors belong to a process that is gone, too.
              try? await world.clock.sleep(for: .seconds(1))
              try await storage.put(job.text, "w")
              try await world.clock.sleep(for: .seconds(1))
              throw Refusal(reason: job.text)
            }), name: name)
      }
      let first = open("first")
      world.may("never happens in the next process") { first.count += 1 }
      world.always("belongs to the first process") { first.count < 2 }
      world.finally("the first has ended") {
        hasCrashed = false
        return true
      }
      first.send("a")
      var alarms = 0
      let alarm = Emitter<String>()
      let subscription = alarm.debounce(for: .seconds(100), clock: world.clock).sink { _ in
        alarms += 1
      }
      alarm.send("of the first process")
      await world.run()
      guard hasCrashed else { return first.expectError() }
      restarts += 1
      let (before, alarmsBefore) = (rings, alarms)
      let second = open("second")
      ring.send("rung")
      world.outcome("\(second.title) \(first.runningCount) \(rings - before)")
      var ends = 0
      world.finally("the second has ended") {
        ends += 1
        return true
      }
      second.send("b")
      await world.run()
      withExtendedLifetime(subscription) {}
      if alarms > alarmsBefore { throw Refusal(reason: "a timer outlives its process") }
      if ends == 0 { throw Refusal(reason: "the second does not run to its end") }
      second.expectError()
      if storage.word("w") != "b" { throw Refusal(reason: "b is not stored") }
    }
    #expect(report.outcomes.map(\.description).contains("\"rung 0 0\""))
    #expect(restarts > 10)
  }

  @Test("I11 calls outside of a run succeed, and so do those in conditions")
  func outside() async {
    let report = await explore { world in
      let storage = world.storage("words")
      let store = makeDeskTest { _, _ in }
      world.always("can be read") { storage.word("w") == "old" }
      try await storage.put("old", "w")
      store.send("a")
      await world.run()
      let other = world.storage("words")
      let lock = try storage.lock("w")
      if other.word("w") != "old" || lock == nil { throw Refusal() }
    }
    #expect(report.failure == nil)
  }
}
