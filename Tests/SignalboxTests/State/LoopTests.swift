import Signalbox
import Testing

/// Tests when a loop is stopped, and what it leaves.
@MainActor struct LoopTests {
  @Test(
    "S17 an observer that writes what it observes receives 100 values, and the last write stays")
  func selfLoop() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let counts = StateRecorder(rig.store.publisher.count)
    let hook = rig.store.publisher.count.sink { rig.write.count = $0 + 1 }
    rig.write.count = 1
    #expect(counts.values == Array(1...100))
    #expect(rig.store.count == 101)
    #expect(reports.chains.count == 1)
    hook.cancel()
    rig.write.count = 5
    #expect(counts.values.last == 5)
    #expect(counts.count == 101)
  }

  @Test("S17 the store stays usable after a loop")
  func usable() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let hook = rig.store.publisher.count.sink { if $0 > 0 { rig.write.count = $0 + 1 } }
    let titles = StateRecorder(rig.store.publisher.title)
    for round in 1...3 {
      rig.write.count = 1
      #expect(rig.store.count == 101)
      rig.write.title = "\(round)"
      rig.write.count = 0
    }
    #expect(titles.values == ["1", "2", "3"])
    #expect(reports.chains.count == 3)
    withExtendedLifetime(hook) {}
  }

  @Test("S17 a loop across two stores is stopped after 100 rounds in total")
  func twoStores() {
    let a = StateRig(Room())
    let b = StateRig(Room())
    let reports = [LoopReports(a.store), LoopReports(b.store)]
    let hooks = [
      a.store.publisher.count.sink { b.write.count = $0 + 1 },
      b.store.publisher.count.sink { a.write.count = $0 + 1 },
    ]
    let told = StateRecorder(a.store.publisher.count)
    told.listen(to: b.store.publisher.count)
    a.write.count = 1
    #expect(told.values == Array(1...100))
    #expect(a.store.count == 101)
    #expect(b.store.count == 100)
    #expect(reports.map(\.chains.count).reduce(0, +) == 1)
    withExtendedLifetime(hooks) {}
  }

  @Test("S17 an emitter between the hooks of a loop neither hides the loop nor adds rounds")
  func throughEmitter() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let emitter = Emitter<Int>()
    let second = Emitter<Int>()
    let counts = StateRecorder(rig.store.publisher.count)
    let hooks = [
      rig.store.publisher.count.sink { emitter.send($0 + 1) },
      emitter.sink { second.send($0) },
      second.sink { rig.write.count = $0 },
    ]
    rig.write.count = 1
    #expect(counts.values == Array(1...100))
    #expect(rig.store.count == 101)
    #expect(reports.chains.count == 1)
    withExtendedLifetime(hooks) {}
  }

  @Test("S17 events sent through emitters are not rounds, and 100,000 nested sends are not stopped")
  func emittersOnly() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let emitter = Emitter<Int>()
    let last = StateRecorder(rig.store.publisher.count)
    let subscription = emitter.sink {
      if $0 < 100_000 { emitter.send($0 + 1) } else { rig.write.count = $0 }
    }
    emitter.send(0)
    #expect(last.values == [100_000])
    #expect(reports.chains.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test("S17 many writes of one sink are one round")
  func wide() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let counts = StateRecorder(rig.store.publisher.count)
    let hook = rig.store.publisher.note.sink { _ in
      for count in 1...1_000 { rig.write.count = count }
    }
    rig.write.note = "go"
    #expect(counts.values == Array(1...1_000))
    #expect(reports.chains.isEmpty)
    withExtendedLifetime(hook) {}
  }

  @Test("S17 a chain of 100 rounds that ends is not stopped")
  func justLongEnough() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let counts = StateRecorder(rig.store.publisher.count)
    let hook = rig.store.publisher.count.sink { if $0 < 100 { rig.write.count = $0 + 1 } }
    rig.write.count = 1
    #expect(counts.values == Array(1...100))
    #expect(reports.chains.isEmpty)
    withExtendedLifetime(hook) {}
  }

  @Test("S17 each outermost commit has its own 100 rounds, inside and outside of a batch")
  func roundsBeginAfresh() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let hook = rig.store.publisher.count.sink { if $0 % 60 != 0 { rig.write.count = $0 + 1 } }
    for start in [1, 61, 121] { rig.write.count = start }
    rig.write.batch { rig.write.count = 181 }
    #expect(rig.store.count == 240)
    #expect(reports.chains.isEmpty)
    withExtendedLifetime(hook) {}
  }

  @Test("S17 the commit after a stopped loop compares with the state that the loop left")
  func comparesAfterwards() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let headlines = StateRecorder(rig.store.publisher.headline)
    let hook = rig.store.publisher.count.sink { rig.write.count = $0 + 1 }
    rig.write.count = 1
    #expect(reports.chains.count == 1)
    hook.cancel()
    _ = headlines.take()
    rig.write.note = "x"
    #expect(headlines.values == [])
    rig.write.title = "loft"
    #expect(headlines.values == ["loft (101)"])
  }

  @Test("S17 a loop that branches and doubles with every round is stopped")
  func branching() {
    let rig = StateRig(Room())
    let reports = LoopReports(rig.store)
    let hooks = StateRecorder<Int>()
    var rounds = 0
    let counter = rig.store.publisher.count.sink { _ in
      rounds += 1
      if rounds == 50_000 { hooks.cancel() }  // else a test of a library that fails would not end
    }
    for _ in 1...2 {
      hooks.listen(
        to: rig.store.publisher.count.handleEvents(receiveValue: { _ in rig.write.count += 1 }))
    }
    rig.write.count = 1
    #expect(rounds < 50_000)
    #expect(reports.chains.count > 0)
    withExtendedLifetime(counter) {}
  }

  @Test("S17 a chain is no loop, however much was written before it in the same delivery")
  func longChainAfterManyWrites() {
    struct Tally {
      var steps = 0
      var writes = 0
    }
    let rig = StateRig(Tally())
    let start = Emitter<Void>()
    let writes = StateRecorder(rig.store.publisher.writes)
    let chain = rig.store.publisher.steps.sink { if $0 < 50 { rig.write.steps = $0 + 1 } }
    let many = start.sink {
      for _ in 0..<10_500 { rig.write.writes += 1 }
      rig.write.steps = 1
    }
    start.send()
    #expect(writes.count == 10_500)
    #expect(rig.store.steps == 50)
    withExtendedLifetime((chain, many)) {}
  }

  @Test("S17 S13 the last write of a loop keeps nothing alive after it was replaced")
  func releasedAfterLoop() {
    struct Turn {
      var number = 0
      var token: Token?
    }
    struct Wheel {
      var turn = Turn()
      var other = 0
    }
    let rig = StateRig(Wheel())
    let reports = LoopReports(rig.store)
    weak var last: Token?
    let hooks = [
      rig.store.publisher.turn.sink { turn in
        guard turn.number > 0 else { return }
        let token = Token()
        last = token
        rig.write.turn = Turn(number: turn.number + 1, token: token)
      },
      rig.store.publisher.other.sink { _ in rig.write.turn = Turn() },
    ]
    rig.write.turn = Turn(number: 1)
    #expect(reports.chains.count == 1)
    #expect(last != nil)
    rig.write.other = 1
    #expect(last == nil)
    withExtendedLifetime(hooks) {}
  }
}
