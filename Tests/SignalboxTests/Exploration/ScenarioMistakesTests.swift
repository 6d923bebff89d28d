import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests that a scenario that asks for something that an exploration cannot do is a failure.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ScenarioMistakesTests {
  @Test("I1 work that waits at an endpoint of another kind is a failure that names both")
  func foreignEndpoint() async {
    let result = await explored { world in
      let foreign = TestEndpoint<String, String>("foreign")
      let store = makeDeskTest { job, store in store.title = try await foreign(job.text) }
      store.send("a")
      await world.run()
    }
    #expect(result.texts.only.contains("a waits at foreign, which is not an endpoint of the"))
  }

  @Test("I5 a condition that is declared after the last run is a failure")
  func lateCondition() async {
    let result = await explored { world in
      _ = makeDeskTest { _, _ in }
      await world.run()
      world.finally("late") { false }
    }
    #expect(
      result.texts.only.contains(
        "finally \"late\" was declared after the last run(), so it was not")
    )
  }

  @Test("I1 a store that was made outside of the scenario is a failure")
  func outsideStore() async {
    let outside = makeDeskTest { _, store in store.count += 1 }
    let result = await explored { world in
      world.may("press") { outside.send("a") }
      await world.run()
    }
    #expect(result.texts.only.contains("a test store that was made outside of it"))
  }

  @Test("I1 I5 a mistake is named before the condition that does not hold because of it")
  func mistakeFirst() async {
    let store = makeDeskTest { _, store in store.count += 1 }
    let outsideStore = await explored { world in
      world.finally("nothing was counted") { store.count == 0 }
      world.may("press") { store.send("a") }
      await world.run()
    }
    let endpoint = TestEndpoint<String, String>("foreign")
    let outsideEndpoint = await explored { world in
      let store = makeDeskTest { job, store in store.title = try await endpoint(job.text) }
      world.always("the title is the last") { store.title == store.triggeredActions.last?.text }
      store.send("a")
      await world.run()
    }
    let clock = TestClock()
    let outsideClock = await explored { world in
      let store = makeDeskTest { job, store in
        try await clock.sleep(for: .seconds(1))
        store.title = job.text
      }
      world.always("the title is the last") { store.title == store.triggeredActions.last?.text }
      world.finally("the title is shown") { store.title == "a" }
      store.send("a")
      await world.run()
    }
    for (result, mistake, condition) in [
      (outsideStore, "that was made outside of it", "nothing was counted"),
      (outsideEndpoint, "a waits at foreign, which is not an endpoint", "the title is the last"),
      (outsideClock, "a waits for a clock that is not the exploration's", nil),
    ] {
      let text = result.texts.first ?? ""
      let named = text.range(of: mistake)
      #expect(result.texts.count == 1 && named != nil, "\(text)")
      guard let condition, let named else { continue }
      #expect(text.range(of: condition).map { named.upperBound < $0.lowerBound } == true, "\(text)")
    }
  }

  private final class Model: Equatable {
    var numbers: [String] = []
    static func == (a: Model, b: Model) -> Bool { a.numbers == b.numbers }
  }

  private struct Shelf: Equatable {
    var model = Model()
  }

  @Test("I2 a state that holds an object can be explored")
  func objects() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = TestStore(
        state: Shelf(),
        actionable: Handling<Shelf, Job> { job, store in
          store.model.numbers.append(try await lookup(job.text))
        })
      for text in ["a", "b", "c"] { store.send(Job(text)) }
      await world.run()
      world.outcome(store.model.numbers)
    }
    #expect(report.orders == 6)
    #expect(report.outcomes.count == 6)
  }

  @Test("I1 an action may wait until another one has settled")
  func settled() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in
        guard job == "outer" else {
          store.title = try await lookup(job.text)
          return
        }
        await store.send("inner").settled
        store.count = 1
      }
      world.finally("both") { store.title == "inner" && store.count == 1 }
      store.send("outer")
      await world.run()
    }
    #expect(report.orders == 1)
  }
}
