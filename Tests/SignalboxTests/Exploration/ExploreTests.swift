import Signalbox
import SignalboxTesting
import Testing

/// Tests that an exploration runs each order once, the simplest first.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ExploreTests {
  // MARK: - How many orders

  @Test(
    "I3 I4 every order of n calls runs once",
    arguments: [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)])
  func factorial(count: Int, orders: Int) async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in store.log.append(try await lookup(job.text)) }
      for number in 0..<count { store.send(Job("\(number)")) }
      await world.run()
      world.outcome(store.log)
    }
    #expect(report.orders == orders)
    #expect(report.isExhaustive)
    #expect(report.outcomes.map(\.orders) == Array(repeating: 1, count: orders))
  }

  @Test(
    "I2 a listener that begins between two orders, as a recording of another test, changes none")
  func listener() async {
    var runs = 0
    let report = await explore { world in
      runs += 1
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in store.log.append(try await lookup(job.text)) }
      let listener = runs > 1 ? store.events.sink { _ in } : nil
      store.send("a")
      store.send("b")
      await world.run()
      listener?.cancel()
    }
    #expect(report.failure == nil)
    #expect(report.orders == 2)
  }

  @Test("I5 many outcomes are counted, each with its orders")
  func manyOutcomes() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in
        let answer = try await lookup(job.text)
        if answer != "silent" { store.log.append(answer) }
      }
      for text in ["a", "b", "c", "d", "silent"] { store.send(Job(text)) }
      await world.run()
    }
    #expect(report.outcomes.map(\.orders) == Array(repeating: 5, count: 24))
  }

  @Test("I3 every order of n calls that may fail runs once", arguments: [(1, 2), (2, 8), (3, 48)])
  func failing(count: Int, orders: Int) async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup", failing: Refusal(reason: "no")) { (text: String) in text
      }
      let store = makeDeskTest { job, store in
        let answer = try? await lookup(job.text)
        store.log.append(answer ?? "no \(job.text)")
      }
      for number in 0..<count { store.send(Job("\(number)")) }
      await world.run()
      world.outcome(store.log)
    }
    #expect(report.orders == orders)
    #expect(report.outcomes.count == orders)
  }

  @Test(
    "I3 every order of n pieces of work with two calls runs once",
    arguments: [(1, 1), (2, 6), (3, 90)])
  func pairs(count: Int, orders: Int) async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in
        for _ in 0..<2 { store.log.append(try await lookup(job.text)) }
      }
      for number in 0..<count { store.send(Job("\(number)")) }
      await world.run()
      world.outcome(store.log)
    }
    #expect(report.orders == orders)
    #expect(report.outcomes.count == orders)
  }

  @Test("I3 an optional event happens at any moment, after the last answer too, or never")
  func events() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in store.log.append(try await lookup(job.text)) }
      world.may("press") { store.log.append("press") }
      store.send("a")
      store.send("b")
      await world.run()
      world.outcome(store.log)
    }
    #expect(report.orders == 8)
    #expect(report.outcomes.count == 8)
    #expect(report.outcomes.first?.description == #"["a", "b"]"#)
  }

  @Test("I3 timers that are due together fire in each order, and deadlines are not overtaken")
  func timers() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { [clock = world.clock] job, store in
        switch job.text {
        case "ask": store.log.append(try await lookup("answer"))
        case "late": try await clock.sleep(for: .seconds(2))
        default: try await clock.sleep(for: .seconds(1))
        }
        store.log.append(job.text)
      }
      for job in ["late", "x", "y", "ask"] { store.send(Job(job)) }
      await world.run()
      world.outcome(store.log.filter { $0 != "answer" })
    }
    // The order of x and y, and the place of the answer among three timers.
    #expect(report.orders == 8)
    #expect(report.outcomes.count == 8)
    let texts = report.outcomes.map(\.description)
    #expect(texts.allSatisfy { $0.contains(/"[xy]".*"late"/) && !$0.contains(/"late".*"[xy]"/) })
  }

  @Test("I3 a cancelled call of an endpoint that ignores cancellation answers at any later moment")
  func lateAnswers() async {
    for (heeds, orders) in [(true, 1), (false, 2)] {
      let report = await explore { world in
        let lookup = world.endpoint("lookup", heedsCancellation: heeds) { (text: String) in text }
        let store = makeDeskTest { job, store in store.title = try await lookup(job.text) }
        world.finally("the newest wins") { store.title == "b" }
        store.send(Job("a", id: "x"))
        store.send(Job("b", id: "x"))
        await world.run()
      }
      #expect(report.orders == orders)
      #expect(report.description.hasPrefix("passes in "))
    }
  }

  @Test("I4 I9 the orders with the fewest deviations run first, and the limit is reported")
  func limit() async {
    var firsts: [String] = []
    let report = await explore(limit: 12) { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title += try await lookup(job.text) }
      for text in ["a", "b", "c", "d"] { store.send(Job(text)) }
      await world.run()
      firsts.append(store.title)
    }
    #expect(report.orders == 12)
    #expect(!report.isExhaustive)
    #expect(
      report.description.hasPrefix(
        "passes in the first 12 orders, among them all with one deviation."))
    // Of the 24 orders, 11 have two deviations and 6 have three, which are known one by one.
    #expect(
      report.limitText?.wholeMatch(
        of: /The limit is reached after 12 orders, and at least (\d+) more did not run\./
      ).flatMap { Int($0.1) }.map((1...12).contains) == true)
    // The first order runs twice, to see that it is the same.
    #expect(
      firsts.dropFirst(1).prefix(8) == [
        "abcd", "bacd", "cabd", "dabc", "acbd", "adbc", "abdc", "bcad",
      ])
  }

  // MARK: - Failures

  @Test("I5 the shortest failing order is shown, with what each step changed, and replayed")
  func failure() async {
    func search(replay: String? = nil) async -> (report: ExplorationReport?, texts: [String]) {
      var report: ExplorationReport?
      let texts = await kitFailures {
        report = await explore(replay: replay) { world in
          let lookup = world.endpoint("search", heedsCancellation: false) { (text: String) in
            "found \(text)"
          }
          let store = makeDeskTest { job, store in store.title = try await lookup(job.text) }
          world.finally("the newest is shown") { store.title == "found ab" }
          world.may("unrelated") { store.count += 1 }
          store.send("a")
          store.send("ab")
          await world.run()
        }
      }
      return (report, texts.map(\.text))
    }
    let (report, texts) = await search()
    #expect(texts == [report?.description])
    #expect(
      report?.description == """
        fails in 4 of 8 orders. The shortest:
          1  search("ab") answers   title: "" → "found ab"
          2  search("a") answers    title: "found ab" → "found a"
        finally "the newest is shown" does not hold.
        replay: "b=search-ab.a=search-a"        outcomes: 3 × count 1, title "found ab", \
        3 × count 1, title "found a", 1 × title "found ab", 1 × title "found a"
        """)
    #expect(report?.failure?.replay == "b=search-ab.a=search-a")
    let (replayed, again) = await search(replay: report?.failure?.replay)
    #expect(replayed?.orders == 1)
    #expect(again.only.contains("finally \"the newest is shown\" does not hold."))
    let (_, others) = await search(replay: "a.b")
    #expect(others.isEmpty)
    let (_, misfit) = await search(replay: "b.c")
    #expect(
      misfit.only.contains(
        "Step 2 of the replay, \"c\", is not possible. Possible are a, +1."))
  }
}
