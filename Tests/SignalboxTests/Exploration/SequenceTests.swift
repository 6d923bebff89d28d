import Signalbox
import SignalboxTesting
import Testing

/// Tests that every sequence of actions runs in every order of its answers.
@Suite(.timeLimit(.minutes(60))) @MainActor struct SequenceTests {
  private enum Press: CaseIterable { case add, clear, load }

  private struct Presses: Actionable {
    var load: @MainActor (String) async throws -> String = { $0 }

    func onAction(_ press: Press, store: MutatingStore<Desk, Press>) async throws {
      switch press {
      case .add: store.log.append("add")
      case .clear: store.log = []
      case .load: store.log.append(try await load("page"))
      }
    }
  }

  /// The logs at the end of each order, in the order in which they ran.
  @MainActor private final class Ends {
    var logs: [String] = []
  }

  // MARK: - Which sequences run

  @Test("I12 every sequence of up to k actions runs, the shorter ones first")
  func sequences() async {
    let ends = Ends()
    let report = await explore(sequencesOf: [Job("a"), "b"], upTo: 2) { world in
      let store = makeDeskTest { job, store in store.title += job.text }
      world.finally("the end") {
        ends.logs.append(store.title)
        return true
      }
      return store
    }
    #expect(report.sequences == 7)
    #expect(report.orders == 7)
    #expect(report.isExhaustive)
    // The first order runs twice, to see that it is the same.
    #expect(ends.logs == ["", "", "a", "b", "aa", "ab", "ba", "bb"])
    #expect(
      report.description == """
        passes in all 7 orders of 7 sequences.
        outcomes: 1 × no change, 1 × title "a", 1 × title "b", 1 × title "aa", 1 × title "ab", \
        1 × title "ba", 1 × title "bb"
        occurred in sequences: 4 × a, 4 × b
        """)
  }

  @Test("I12 an action may come before, between and after the answers")
  func betweenAnswers() async {
    let report = await explore(sequencesOf: Press.allCases, upTo: 2) { world in
      let load = world.endpoint("load") { (text: String) in text }
      let store = TestStore(state: Desk(), actionable: Presses { try await load($0) })
      world.finally("the log") {
        world.outcome(store.log)
        return true
      }
      return store
    }
    // Two loads have three orders, and a load followed by one of the others has two.
    #expect(report.sequences == 13)
    #expect(report.orders == 17)
    #expect(
      report.occurrences.map { "\($0.sequences) × \($0.description)" } == [
        "6 × .add", "6 × .clear", "6 × .load", "6 × load answers",
      ])
    #expect(
      report.outcomes.first { $0.description == #"["page", "page"]"# }?.orders == 3)
    // After its answer came, and before it.
    #expect(report.outcomes.first { $0.description == #"["page", "add"]"# }?.orders == 1)
    #expect(report.outcomes.first { $0.description == #"["add", "page"]"# }?.orders == 2)
  }

  @Test("I12 an action may come while a timer runs, before an optional event and after it")
  func timersAndEvents() async {
    let report = await explore(sequencesOf: [Job("type")], upTo: 2) { world in
      let store = makeDeskTest { [clock = world.clock] job, store in
        try await clock.sleep(for: .seconds(1))
        store.log.append("saved")
      }
      world.may("close") { store.log.append("close") }
      world.finally("the log") {
        world.outcome(store.log)
        return true
      }
      return store
    }
    // None, the event and one action: 2 orders without an action, 4 with one. With two, the second
    // comes while the first timer runs, and the timers are then due together in both orders; or it
    // comes after the first. The event comes at any of the moments, or never.
    #expect(report.orders == 2 + 4 + 3 * 6)
    #expect(
      report.occurrences.map(\.description) == ["type", "close"]
        && report.occurrences.map(\.sequences) == [2, 3])
  }

  @Test("I12 with no actions or a length of 0, the sequence without actions runs alone")
  func nothing() async {
    for (actions, length) in [([], 3), ([Press.load], 0), ([.load], -1)] {
      let report = await explore(sequencesOf: actions, upTo: length) { world in
        let store = TestStore(state: Desk(), actionable: Presses())
        world.may("write") { store.title = "written" }
        world.finally("nothing is loaded") { store.log.isEmpty }
        return store
      }
      #expect(report.orders == 2)
      #expect(report.sequences == 1)
      #expect(report.isExhaustive)
      #expect(report.missingText == (actions.isEmpty ? nil : "never occurred: .load"))
    }
  }

  @Test("I4 I12 an action that is equal to an earlier one of the list counts once")
  func equalActions() async {
    let report = await explore(sequencesOf: [Job("a"), "b", "a", "b", "c"], upTo: 1) { world in
      let store = makeDeskTest { job, store in store.title += job.text }
      world.finally("no c") { store.title != "d" }
      return store
    }
    #expect(report.orders == 4)
    #expect(report.occurrences.map(\.description) == ["a", "b", "c"])
    #expect(report.occurrences.map(\.sequences) == [1, 1, 1])
  }

  /// An action without `==`.
  private struct Nudge {
    let amount: Int
  }

  @Test("I12 actions that cannot be compared are all different")
  func incomparable() async {
    let report = await explore(sequencesOf: [Nudge(amount: 1), Nudge(amount: 1)], upTo: 1) {
      world in
      TestStore(
        state: Desk(),
        actionable: Handling<Desk, Nudge> { nudge, store in store.count += nudge.amount })
    }
    #expect(report.orders == 3)
    #expect(report.outcomes.map(\.orders) == [2, 1])
  }

  // MARK: - What a report says

  @Test("I12 a failure is the shortest sequence in its shortest order, and can be replayed")
  func failure() async {
    func search(
      _ replay: String? = nil
    ) async -> (report: ExplorationReport?, texts: [String], line: Int) {
      var report: ExplorationReport?
      let line = #line + 2
      let failures = await kitFailures {
        report = await explore(sequencesOf: Press.allCases, upTo: 3, replay: replay) { world in
          let load = world.endpoint("load") { (text: String) in text }
          let store = TestStore(state: Desk(), actionable: Presses { try await load($0) })
          world.always("what is cleared stays away") {
            store.triggeredActions.last != .clear || store.log.isEmpty
          }
          return store
        }
      }
      #expect(failures.allSatisfy { $0.line == line })
      return (report, failures.map(\.text), line)
    }
    let (report, texts, _) = await search()
    #expect(texts == [report?.description])
    #expect(
      texts.only.hasPrefix(
        """
        fails in 13 of 94 orders of 40 sequences. The shortest:
          1  send(.load)
          2  send(.clear)
          3  load("page") answers   log: [] → ["page"]
        always "what is cleared stays away" does not hold.
        replay: ">3=send-load.>2=send-clear.a=load-page"        outcomes: 
        """), "\(texts)")
    let (replayed, again, _) = await search(report?.failure?.replay)
    #expect(replayed?.orders == 1)
    #expect(again.only.hasPrefix("fails in 1 of 1 order.\n  1  send(.load)\n  2  send(.clear)\n"))
    let (_, passing, _) = await search(">3.a.>2")
    #expect(passing.isEmpty)
    let (_, other, _) = await search(">3=send-load.>2=send-add")
    #expect(other.only.contains("was another choice: >2 is now send(.clear)."))
    let (_, impossible, _) = await search(">1.>1.>1.>2")
    #expect(
      impossible.only.contains(
        "Step 4 of the replay, \">2\", is not possible. Nothing is left to happen."))
  }

  @Test("I12 actions of the failing order that come after the failure are not shown")
  func failureInTheMiddle() async {
    var report: ExplorationReport?
    let texts = await failures {
      report = await explore(sequencesOf: [Job("a"), "b"], upTo: 3) { world in
        let store = makeDeskTest { job, store in store.title += job.text }
        world.always("no b first") { !store.title.hasPrefix("b") }
        return store
      }
    }
    #expect(report?.failure?.steps.count == 1)
    #expect(texts.only.contains("replay: \">2=send-b\""))
  }

  @Test("I12 a sequence with fewer actions is shorter, even if its order has more steps")
  func fewerActions() async {
    var report: ExplorationReport?
    let texts = await failures {
      report = await explore(sequencesOf: [Job("add"), "load"], upTo: 2) { world in
        let ask = world.endpoint("ask") { (text: String) in text }
        let store = makeDeskTest { job, store in
          if job == "load" { for _ in 0..<3 { _ = try await ask("page") } }
          store.count += job == "load" ? 2 : 1
        }
        world.finally("at most one") { store.count < 2 }
        return store
      }
    }
    #expect(report?.failure?.replay == ">2=send-load.a=ask-page.b=ask-page.c=ask-page")
    #expect(texts.only.contains("\n  4  ask(\"page\") answers   count: 0 → 2\n"))
  }

  @Test("I12 at the limit, all shorter sequences have run, and the report says which")
  func limit() async {
    func search(_ limit: Int, fails: Bool = false) async -> (ExplorationReport?, [String]) {
      var report: ExplorationReport?
      let texts = await failures {
        report = await explore(sequencesOf: Press.allCases, upTo: 9, limit: limit) { world in
          let load = world.endpoint("load") { (text: String) in text }
          let store = TestStore(state: Desk(), actionable: Presses { try await load($0) })
          world.finally("at most two") { !fails || store.log.count < 3 }
          return store
        }
      }
      return (report, texts)
    }
    // 1 order without an action, 3 with one, 13 with two, and 77 with three.
    for (limit, range) in [
      (2, "orders of 2 sequences, and more are left."),
      (16, "among them all sequences of one action."),
      (17, "among them all sequences of up to 2 actions."),
      (40, "among them all sequences of up to 2 actions."),
      (94, "among them all sequences of up to 3 actions."),
    ] {
      let (report, texts) = await search(limit)
      #expect(texts.isEmpty)
      #expect(report?.orders == limit)
      #expect(report?.isExhaustive == false)
      #expect(report?.description.contains(range) == true, "\(limit): \(report?.description ?? "")")
      #expect(report?.limitText?.contains("after \(limit) orders, and at least ") == true)
    }
    let (report, texts) = await search(100, fails: true)
    #expect(report?.failure?.steps.filter { $0.hasPrefix("send(") }.count == 3)
    #expect(texts.only.contains("of the first 100 orders of "))
  }

  @Test("I12 what has not occurred in any sequence is in the report and printed")
  func occurrences() async {
    let report = await explore(sequencesOf: [Job("ask"), "rest"], upTo: 2) { world in
      let ask = world.endpoint("ask", failing: Refusal(reason: "no")) { (text: String) in text }
      let save = world.endpoint("save", failing: Refusal(reason: "no")) { (text: String) in text }
      let store = TestStore(
        state: Desk(),
        interactor: Hooking<Desk, Job, ThreeHooks>(
          connect: { hook, store in
            switch hook {
            case .first:
              store.publisher.count.filter { $0 > 0 }.sink { _ in store.send("echo") }
            case .second: store.publisher.title.filter { !$0.isEmpty }.sink { _ in }
            case .third: .empty
            }
          },
          handle: { job, store in
            if job == "ask" { store.count += (try? await ask("?")) == nil ? 0 : 1 }
            if job == "never" { _ = try await save("!") }
          }))
      return store
    }
    let counts = Dictionary(
      uniqueKeysWithValues: report.occurrences.map { ($0.description, $0.sequences) })
    #expect(
      counts == [
        "ask": 4, "rest": 4, "ask answers": 4, "ask fails": 4, "save answers": 0, "save fails": 0,
        "hook first": 4, "hook second": 0, "hook third": 0, "echo": 4,
      ])
    #expect(
      report.missingText == "never occurred: save answers, save fails, hook second, hook third")
    #expect(report.description.hasSuffix("\(report.missingText ?? "?")"))
  }
}
