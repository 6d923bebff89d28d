import Signalbox
import Testing

@MainActor struct LoopTests {
  /// Hooks whose writes form a loop.
  private struct Loops: Hookable {
    enum Hook: CaseIterable {
      case ping
      case pong
    }

    let ping: @MainActor (MutatingStore<Room, Never>) -> Subscription
    let pong: @MainActor (MutatingStore<Room, Never>) -> Subscription

    func subscription(for hook: Hook, store: MutatingStore<Room, Never>) -> Subscription {
      switch hook {
      case .ping: ping(store)
      case .pong: pong(store)
      }
    }
  }

  private final class Reports {
    var chains: [[String]] = []
    var subscription: Subscription?

    @MainActor init<A>(_ store: Store<Room, A>) {
      subscription = store.events.sink { [weak self] in
        if case .loopStopped(let chain) = $0.kind { self?.chains.append(chain) }
      }
    }
  }

  @Test(
    "S17 an observer that writes what it observes receives 100 values, and the last write stays")
  func selfLoop() {
    let rig = StateRig(Room())
    let reports = Reports(rig.store)
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

  @Test("S17 two hooks that write what the other observes are stopped, and the chain names both")
  func pingPong() throws {
    let store = Store(
      state: Room(),
      hookable: Loops(
        ping: { store in store.publisher.count.sink { store.point.x = $0 + 1 } },
        pong: { store in store.publisher.point.x.sink { store.count = $0 + 1 } }))
    let reports = Reports(store)
    let counts = StateRecorder(store.publisher.count)
    let points = StateRecorder(store.publisher.point.x)
    store.binder.count.wrappedValue = 1
    #expect(counts.values == Array(stride(from: 1, through: 99, by: 2)))
    #expect(points.values == Array(stride(from: 2, through: 100, by: 2)))
    #expect(store.count == 101)
    #expect(store.point.x == 100)
    #expect(reports.chains.count == 1)
    let chain = try #require(reports.chains.first)
    #expect(chain.contains("hook ping wrote \\Room.point"))
    #expect(chain.contains("hook pong wrote \\Room.count"))
    #expect(chain.count <= 3)
  }

  @Test("S17 the chain names every writer of a loop, even one that alternates between properties")
  func allWriters() throws {
    let store = Store(
      state: Room(),
      hookable: Loops(
        ping: { store in store.publisher.count.sink { _ in store.point.x += 1 } },
        pong: { store in
          store.publisher.point.x.sink {
            if $0 % 3 != 0 { store.point.x += 1 } else { store.count += 1 }
          }
        }))
    let reports = Reports(store)
    store.binder.count.wrappedValue = 1
    #expect(
      reports.chains == [
        [
          "hook ping wrote \\Room.point", "hook pong wrote \\Room.point",
          "hook pong wrote \\Room.count",
        ]
      ])
  }

  @Test("S17 the chain names no writer that only led into the loop")
  func leadIn() {
    let rig = StateRig(Room())
    let reports = Reports(rig.store)
    // Writes what it observes three times, and then enters a loop that does not end.
    let lead = rig.store.publisher.level.sink {
      if $0 < 3 { rig.write.level += 1 } else { rig.write.title = "in" }
    }
    let loop = [
      rig.store.publisher.title.sink { _ in rig.write.count += 1 },
      rig.store.publisher.count.sink { rig.write.note = "\($0)" },
      rig.store.publisher.note.sink { _ in rig.write.count += 1 },
    ]
    rig.write.level = 1
    #expect(reports.chains.count == 1)
    let paths = reports.chains.first.map { $0.map { $0.split(separator: " ").last ?? "" } } ?? []
    #expect(Set(paths) == [#"\Room.count"#, #"\Room.note"#])
    withExtendedLifetime((lead, loop)) {}
  }

  @Test("S17 the store stays usable after a loop")
  func usable() {
    let rig = StateRig(Room())
    let reports = Reports(rig.store)
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
    let reports = [Reports(a.store), Reports(b.store)]
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
    let reports = Reports(rig.store)
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
    let reports = Reports(rig.store)
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
    let reports = Reports(rig.store)
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
    let reports = Reports(rig.store)
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
    let reports = Reports(rig.store)
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
    let headlines = StateRecorder(rig.store.publisher.headline)
    let hook = rig.store.publisher.count.sink { rig.write.count = $0 + 1 }
    rig.write.count = 1
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
    let reports = Reports(rig.store)
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

  @Test("S17 a loop is reported once, however many of its deliveries are stopped")
  func reportedOnce() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      await LoopTests.branchUnwatched()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.ranges(of: "were stopped").count == 1, "\(text.prefix(1_000))")
  }

  /// Without a subscriber to the events, the store prints the report.
  fileprivate static func branchUnwatched() {
    let rig = StateRig(Room())
    var writes = 0
    let hooks = (1...2).map { _ in
      rig.store.publisher.count.sink { _ in
        writes += 1
        if writes < 50_000 { rig.write.count += 1 }  // ends even if the library does not stop it
      }
    }
    rig.write.count = 1
    withExtendedLifetime(hooks) {}
  }
}
