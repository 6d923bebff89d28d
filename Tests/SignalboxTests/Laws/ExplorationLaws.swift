import Signalbox
import SignalboxTesting
import Testing

/// Tests the rules about work in every order of answers and cancellations.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ExplorationLaws {
  /// Actions that ask an endpoint, append the answer to the log and count their end.
  private struct Asking: Interactor {
    enum Hook: CaseIterable { case posted }

    let ask: @MainActor (String) async throws -> String
    var posts = Signal<String>.never

    func onAction(_ job: Job, store: MutatingStore<Board, Job>) async throws {
      store.mark(\.isBusy)
      let answer = try await ask(job.text)
      store.log.append(answer)
    }

    func onError(_ error: any Error, action: Job, store: MutatingStore<Board, Job>) {
      store.log.append("no \(action.text)")
    }

    func onCancel(_ job: Job, store: MutatingStore<Board, Job>) {
      store.cancelled.append(job.text)
    }

    func subscription(for hook: Hook, store: MutatingStore<Board, Job>) -> Subscription {
      posts.assign(toAction: { Job($0) }, using: store)
    }
  }

  private struct Board: Equatable {
    var log: [String] = []
    var cancelled: [String] = []
    var isBusy = false
  }

  @Test(
    "A4 I3 law: in every order of answers and failures, an overlap decides what reaches the state",
    arguments: [
      Overlap.latest, .first, .join, .queue, .concurrent,
    ])
  func overlaps(overlap: Overlap) async {
    let report = await explore { world in
      let ask = world.endpoint("ask", failing: Refusal(reason: "no"), heedsCancellation: false) {
        (text: String) in text
      }
      let store = TestStore(
        state: Board(), interactor: Asking(ask: { try await ask($0) }))
      let names = ["a", "b", "c"]
      for name in names { store.send(Job(name, id: "x", overlap)) }
      world.finally("the right answers, in the right order") {
        let log = store.log.map { $0.replacing("no ", with: "") }
        return switch overlap {
        case .latest: log == ["c"]
        case .first, .join: log == ["a"]
        case .queue: log == names
        case .concurrent: log.sorted() == names
        }
      }
      world.finally("nothing runs") { store.runningCount == 0 }
      world.always("a mark is on while work runs") { store.isBusy == (store.runningCount > 0) }
      await world.run()
    }
    // Late answers count as well.
    let orders: [Overlap: Int] = [.latest: 48, .first: 2, .join: 2, .queue: 8, .concurrent: 48]
    #expect(report.orders == orders[overlap])
  }

  @Test("A6 A12 A13 law: after a cancel, whenever it comes, the work changes nothing more")
  func cancel() async {
    let report = await explore { world in
      let ask = world.endpoint("ask", heedsCancellation: false) { (text: String) in text }
      let store = TestStore(state: Board(), interactor: Asking(ask: { try await ask($0) }))
      var atCancel: Board?
      world.may("cancel") {
        let running = store.runningCount
        let before = store.state
        store.cancel(id: "x")
        atCancel = store.state
        world.outcome("\(running) running, \(store.cancelled.count) tidied up")
        #expect(store.log == before.log)
      }
      world.always("a mark is on while work runs") { store.isBusy == (store.runningCount > 0) }
      world.finally("the state is that of the cancel") {
        atCancel == nil || store.state == atCancel
      }
      for name in ["a", "b", "c"] { store.send(Job(name, id: "x", .concurrent)) }
      await world.run()
      if atCancel == nil { world.outcome("not cancelled") }
    }
    #expect(report.orders == 30)
    #expect(
      Set(report.outcomes.map(\.description)) == [
        "\"not cancelled\"", "\"3 running, 3 tidied up\"", "\"2 running, 2 tidied up\"",
        "\"1 running, 1 tidied up\"", "\"0 running, 0 tidied up\"",
      ])
  }

  @Test("T2 S14 law: a hook receives each post once, in order, whenever it comes")
  func posts() async {
    await explore { world in
      let ask = world.endpoint("ask") { (text: String) in text }
      let posts = Emitter<String>()
      let store = TestStore(
        state: Board(), interactor: Asking(ask: { try await ask($0) }, posts: posts.signal))
      var sent: [String] = []
      for name in ["a", "b", "c"] {
        world.may("post \(name)") {
          sent.append(name)
          posts.post(name)
        }
      }
      world.always("the hook fired for each post") {
        store.firedHooks.count == sent.count && store.triggeredActions.map(\.text) == sent
      }
      world.finally("each is answered") { store.log.sorted() == sent.sorted() }
      await world.run()
    }
  }

  @Test("X5 law: every request gets its answer or its error, in every order")
  func requests() async {
    let report = await explore { world in
      let ask = world.endpoint("ask", failing: Refusal(reason: "no")) { (text: String) in text }
      let store = TestStore(state: Asker.State(), transducer: Asker.self, env: ask)
      let input = store.input(of: Asker.self)
      var results: [String: Result<String, any Error>] = [:]
      let names = ["a", "b", "c"]
      let requests = names.map { name in
        Task.atOnce {
          do { results[name] = .success(try await input.request(name)) } catch {
            results[name] = .failure(error)
          }
        }
      }
      await world.run()
      for request in requests { await request.value }
      let answers = names.map { (try? results[$0]?.get()) ?? "no" }
      #expect(zip(names, answers).allSatisfy { $0 == $1 || $1 == "no" })
      world.outcome(answers)
    }
    #expect(report.orders == 48)
    #expect(report.outcomes.count == 8)
    #expect(report.outcomes.allSatisfy { $0.orders == 6 })
  }

  /// Answers each request with what the environment says.
  private enum Asker: Transducer {
    typealias Event = String
    typealias Env = TestEndpoint<String, String>
    typealias Output = String

    struct State: Equatable {}

    static func update(_ state: inout State, event: String) -> Effect? {
      .request { _, ask in try await ask(event) }
    }

    static func output(state: State, event: String) -> String { event }
  }
}
