import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests that an exploration finds the usual mistakes, each with its shortest order.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ExploredMistakesTests {
  // MARK: - Mistakes

  @Test("I5 the last write wins")
  func lastWrite() async {
    let result = await explored { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title = try await load(job.text) }
      world.finally("the newest") { store.title == "new" }
      store.send("old")
      store.send("new")
      await world.run()
    }
    #expect(result.report?.failure?.replay == "b=load-new.a=load-old")
    #expect(result.texts.only.contains("finally \"the newest\" does not hold."))
  }

  @Test("I5 a double submit")
  func doubleSubmit() async {
    let result = await explored { world in
      let submit = world.endpoint("submit") { (text: String) in text }
      let store = makeDeskTest { _, store in
        guard store.title != "sent" else { return }
        store.log.append(try await submit("order"))
        store.title = "sent"
      }
      world.always("one order") { store.log.count <= 1 }
      world.may("press") { store.send("submit") }
      world.may("press again") { store.send("submit") }
      await world.run()
    }
    #expect(
      result.report?.failure?.replay == "+1=press.+2=press-again.a=submit-order.b=submit-order")
    #expect(
      result.report?.failure?.steps == [
        "press", "press again",
        "submit(\"order\") answers   log: [] → [\"order\"], title: \"\" → \"sent\"",
        "submit(\"order\") answers   + log[1]: \"order\"",
      ])
  }

  @Test("I5 a check before an await")
  func checkedTooEarly() async {
    let result = await explored { world in
      let withdraw = world.endpoint("withdraw") { (amount: Int) in amount }
      let store = makeDeskTest { job, store in
        if store.count >= 60 { store.count -= try await withdraw(60) }
      }
      store.count = 100
      world.always("not overdrawn") { store.count >= 0 }
      store.send("a")
      world.may("withdraw again") { store.send("b") }
      await world.run()
    }
    #expect(result.report?.failure?.replay == "+1=withdraw-again.a=withdraw-60.b=withdraw-60")
  }

  @Test("I5 an update that is lost across an await")
  func lostUpdate() async {
    let result = await explored { world in
      let save = world.endpoint("save") { (count: Int) in }
      let store = makeDeskTest { job, store in
        let next = store.count + 1
        try await save(next)
        store.count = next
      }
      store.send("a")
      await world.run()
      world.finally("both are counted") { store.count == 3 }
      store.send("b")
      store.send("c")
      await world.run()
    }
    #expect(result.report?.failure?.replay == "a=save-1.b=save-2.c=save-2")
    #expect(result.texts.only.contains("finally \"both are counted\" does not hold."))
  }

  @Test("I5 a forgotten cancel")
  func forgottenCancel() async {
    let result = await explored { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in
        if job == "leave" {
          store.title = "left"
          return
        }
        let text = try await load(job.text)
        store.title = text
      }
      world.may("leave") { store.send("leave") }
      world.finally("nothing is shown after leaving") {
        !store.didTrigger("leave") || store.title == "left"
      }
      store.send("page")
      await world.run()
    }
    #expect(result.report?.failure?.replay == "+1=leave.a=load-page")
  }

  // MARK: - What fails an order

  @Test(
    "I5 an assertion of a test store, an unhandled error and a scenario that throws fail an order")
  func otherFailures() async {
    let assertion = await explored { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title = try await load(job.text) }
      store.send("a")
      store.send("b")
      await world.run()
      store.expect { $0.title = "b" }
    }
    #expect(assertion.texts.only.contains("expect: the state is not as expected."))
    let unhandled = await explored { world in
      let load = world.endpoint("load", failing: Refusal(reason: "no")) { (text: String) in text }
      let store = makeDeskTest { job, _ in _ = try await load(job.text) }
      store.send("a")
      await world.run()
    }
    #expect(unhandled.report?.failure?.replay == "a!=load-a")
    #expect(unhandled.texts.only.contains("a threw Refusal(reason: \"no\"), which is not handled."))
    let thrown = await explored { _ in throw Refusal(reason: "no") }
    #expect(thrown.texts.only.contains("The scenario throws Refusal(reason: \"no\")."))
    let idle = await explored { _ in }
    #expect(idle.texts.only.contains("The scenario has not called run()."))
  }

  @Test("I2 I5 the shortest order is found by shrinking if the limit is reached before")
  func shrinking() async {
    let result = await explored(limit: 300) { world in
      let load = world.endpoint("load", failing: Refusal(reason: "no")) { (text: String) in text }
      let store = makeDeskTest { job, store in
        let text = try? await load(job.text)
        store.log.append(text ?? "no")
      }
      for number in 0..<3 { world.may("tick \(number)") { store.count += 1 } }
      for text in ["a", "b", "c", "d"] { store.send(Job(text)) }
      world.finally("b is not the last") { store.log.last != "b" }
      await world.run()
    }
    #expect(result.report?.isExhaustive == false)
    #expect(result.report?.failure?.replay == "c=load-c.d=load-d.a=load-a.b=load-b")
  }

  @Test("I5 an order of several runs is replayed with the ends of the runs")
  func severalRuns() async {
    func scenario(_ world: Exploration) async {
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title += try await load(job.text) }
      world.may("press") { store.title += "+" }
      store.send("a")
      await world.run()
      world.finally("not this") { store.title != "ac+b" }
      store.send("b")
      store.send("c")
      await world.run()
    }
    let result = await explored(scenario)
    #expect(result.report?.failure?.replay == "a=load-a.-.c=load-c.+1=press.b=load-b")
    let again = await kitFailures { await explore(replay: "a.-.c.+1.b", scenario) }
    #expect(again.count == 1)
    #expect(await kitFailures { await explore(replay: "a.+1", scenario) }.isEmpty)
    let misfit = await kitFailures { await explore(replay: "a.-.b.c.-.x", scenario) }
    #expect(misfit.first?.text.contains("Nothing is left to happen.") ?? false)
  }

  @Test("I2 twenty explorations give the same report")
  func repetitions() async {
    var reports: Set<String> = []
    for _ in 0..<20 {
      let result = await explored { world in
        let load = world.endpoint("load", failing: Refusal(reason: "no")) { (number: Int) in number
        }
        let store = makeDeskTest { job, store in
          async let first = load(1)
          async let second = load(2)
          let far = Counter()
          await withTaskGroup { group in
            for _ in 0..<5 { group.addTask { await far.increment() } }
          }
          store.count += (try? await first) ?? 0
          store.count *= (try? await second) ?? 5
        }
        store.send("a")
        world.may("reset") { store.count = 0 }
        world.finally("not five") { store.count != 5 }
        await world.run()
      }
      reports.insert(result.texts.only)
    }
    #expect(reports.count == 1, "\(reports)")
  }
}

private actor Counter {
  private var count = 0
  func increment() { count += 1 }
}
