import Dispatch
import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct InboxTests {
  private struct Post: Sendable {
    let thread: Int
    let number: Int
  }

  @Test("S14 all 10,000 values that each of eight threads posts arrive in the thread's order")
  func eightThreads() async {
    let emitter = Emitter<Post>()
    let log = SignalLog<Post>()
    let subscription = emitter.sink { log.add($0) }
    for thread in 0..<8 {
      DispatchQueue.global().async {
        for number in 0..<10_000 { emitter.post(Post(thread: thread, number: number)) }
      }
    }
    await log.reach(80_000)
    #expect(log.entries.count == 80_000)
    for thread in 0..<8 {
      let numbers = log.entries.filter { $0.thread == thread }.map(\.number)
      #expect(numbers == Array(0..<10_000))
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 a send on the main actor delivers before it returns")
  func sendIsDirect() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.sink { told.append($0) }
    emitter.send(1)
    #expect(told == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 a post never delivers before it returns, even on the main actor")
  func postIsNot() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.sink { log.add($0) }
    emitter.post(1)
    #expect(log.entries == [])
    await log.reach(1)
    #expect(log.entries == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 posts and sends of one producer arrive once, in order")
  func postThenSend() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.sink { log.add($0) }
    emitter.post(1)
    emitter.post(2)
    emitter.send(3)
    #expect(log.entries == [1, 2, 3])
    emitter.post(4)
    await log.reach(4)
    #expect(log.entries == [1, 2, 3, 4])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 a send during the first of several posted values comes after the rest of them")
  func sendDuringDrain() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.sink { value in
      log.add(value)
      if value == 1 { emitter.send(4) }
    }
    for value in 1...3 { emitter.post(value) }
    await log.reach(4)
    #expect(log.entries == [1, 2, 3, 4])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 a send during posted values that a send delivers early comes after the rest of them")
  func sendDuringSend() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.sink { value in
      told.append(value)
      if value == 1 { emitter.send(5) }
    }
    for value in 1...3 { emitter.post(value) }
    emitter.send(4)
    #expect(told.prefix(3) == [1, 2, 3])
    #expect(told.count == 5)
    withExtendedLifetime(subscription) {}
  }

  @Test("S11 a finish on the main actor delivers what was posted before and then returns")
  func postThenFinish() {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    emitter.post(1)
    emitter.post(2)
    emitter.finish()
    emitter.post(3)
    #expect(told == [1, 2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 a send inside a delivery delivers earlier posts first, behind the current value")
  func sendInDelivery() {
    let (emitter, other) = (Emitter<Int>(), Emitter<Int>())
    var told: [Int] = []
    let a = emitter.sink { told.append($0) }
    let b = other.sink { value in
      emitter.post(value)
      emitter.send(value + 1)
      #expect(told == [])
    }
    other.send(1)
    #expect(told == [1, 2])
    withExtendedLifetime((a, b)) {}
  }

  @Test("S14 values that are posted while a batch is delivered are not lost")
  func postDuringDrain() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.sink { value in
      log.add(value)
      if value < 1_000 { emitter.post(value + 1) }
    }
    emitter.post(1)
    await log.reach(1_000)
    #expect(log.entries == Array(1...1_000))
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 values posted without a subscriber are lost, and a later subscriber gets later ones")
  func postedToNobody() async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    emitter.post(1)
    emitter.send(2)
    let subscription = emitter.sink { log.add($0) }
    emitter.post(3)
    await log.reach(1)
    #expect(log.entries == [3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 many posts to one emitter do not delay the values of another without end")
  func fairness() async {
    let (flood, trickle) = (Emitter<Int>(), Emitter<Int>())
    let moment = StoreMoment()
    var (flooded, floodedBefore) = (0, 0)
    let a = flood.sink { value in
      flooded += 1
      if value < 10_000 { flood.post(value + 1) } else { moment.happen() }
    }
    let b = trickle.sink { _ in floodedBefore = flooded }
    flood.post(0)
    trickle.post(0)
    await moment.arrival
    #expect(floodedBefore > 0 && floodedBefore < 10_000)
    withExtendedLifetime((a, b)) {}
  }

  @Test("S14 an idle emitter keeps nothing of what was posted")
  func nothingKept() async {
    let emitter = Emitter<SignalToken>()
    let log = SignalLog<Void>()
    let subscription = emitter.sink { _ in log.add(()) }
    var trace = SignalTrace()
    func post() {
      let token = SignalToken()
      trace.token = token
      emitter.post(token)
    }
    post()
    await log.reach(1)
    #expect(!trace.isAlive)
    withExtendedLifetime(subscription) {}
  }

  @Test("S14 posted values have neither the task-local values nor the priority of any poster")
  func noTaskLocals() async {
    let emitter = Emitter<String>()
    let log = SignalLog<String>()
    let subscription = emitter.sink {
      log.add("\($0) \(Poster.name ?? "-") \(Task.currentPriority == .background)")
    }
    await Task.detached(priority: .background) {
      for name in ["a", "b"] { Poster.$name.withValue(name) { emitter.post(name) } }
    }.value
    await log.reach(2)
    #expect(log.entries == ["a - false", "b - false"])
    withExtendedLifetime(subscription) {}
  }

  @Test("X5 posted events are handled without the task-local values of any poster")
  func noTaskLocalsOfInput() async throws {
    let store = Store(state: [], transducer: Named.self, env: ())
    let input = store.input(of: Named.self)
    try Poster.$name.withValue("a") { try input.post(()) }
    try Poster.$name.withValue("b") { try input.post(()) }
    var states = store.publisher.signal.values.makeAsyncIterator()
    while let state = await states.next(), state.count < 2 {}
    #expect(store.state == [nil, nil])
  }
}

private enum Poster { @TaskLocal static var name: String? }

/// Records the task-local value of each event.
private enum Named: Transducer {
  typealias State = [String?]
  typealias Event = Void
  typealias Env = Void

  static func update(_ state: inout [String?], event: Void) -> Effect? {
    state.append(Poster.name)
    return nil
  }
}
