import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

/// Tests that the faults of a connection are choices.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ConnectionFaultTests {
  @Test("I11 a connection may be refused, and lost before, between and after its values")
  func losses() async {
    for faults in 0...2 {
      let report = await explore(faults: faults) { world in
        let feed = world.connection("feed") { number in ["\(number)a", "\(number)b"] }
        let store = makeDeskTest { _, store in
          for _ in 0..<2 {
            do {
              for await value in try await feed() { store.log.append(value) }
              store.log.append("lost")
            } catch {
              store.log.append("\(error)")
            }
          }
        }
        store.send("listen")
        await world.run()
        world.outcome(store.log)
        store.cancelAll()
        await world.run()
      }
      #expect(report.isExhaustive)
      #expect(Set(report.outcomes.map(\.description)) == expected(faults))
    }
  }

  /// What two connections in a row deliver, each of which may be refused or lost.
  private func expected(_ faults: Int) -> Set<String> {
    var ends: Set<[String]> = []
    func go(_ number: Int, _ log: [String], _ faults: Int) {
      guard number < 3 else {
        ends.insert(log)
        return
      }
      let values = ["\(number)a", "\(number)b"]
      // It stays open.
      ends.insert(log + values)
      guard faults > 0 else { return }
      go(number + 1, log + ["The connection was refused."], faults - 1)
      for count in 0...2 { go(number + 1, log + values.prefix(count) + ["lost"], faults - 1) }
    }
    go(1, [], faults)
    return Set(ends.map { log in "[" + log.map { "\"\($0)\"" }.joined(separator: ", ") + "]" })
  }

  private struct Feed: Equatable {
    var health = ConnectionHealth.idle
    var values: [String] = []
  }

  private enum FeedHook: CaseIterable { case health }

  private struct Listening: Hookable {
    let source: Reconnecting<String>

    func subscription(for hook: FeedHook, store: MutatingStore<Feed, Never>) -> Subscription {
      source.health.assign(to: \.health, using: store)
    }
  }

  @Test(
    "I11 E2 E3 whatever is lost or late, a connection is opened again and old values are dropped",
    arguments: [0, 2])
  func reconnecting(faults: Int) async {
    var late = 0
    let report = await explore(limit: 400, faults: faults) { world in
      let feed = world.connection("feed") { number in ["\(number)a", "\(number)b"] }
      let source = Reconnecting<String>(clock: world.clock, seed: 1) { try await feed() }
      let store = TestStore(state: Feed(), hookable: Listening(source: source))
      var told: [String] = []
      var healths: [ConnectionHealth] = []
      let watching = source.health.sink { healths.append($0) }
      var subscription = source.sink {
        told.append($0)
        if store.health != .up { told.append("before the health") }
      }
      world.may("subscribe anew") {
        subscription.cancel()
        subscription = source.sink { told.append($0) }
      }
      world.always("one connection after the other, and each value once") {
        told == told.sorted() && Set(told).count == told.count
      }
      world.finally("it is up, and all values of the last connection are there") {
        store.health == .up && told.suffix(2).map(\.last) == ["a", "b"]
      }
      world.always("nothing is late without a fault") { faults > 0 || source.lateValues == 0 }
      world.always("the attempts are counted, because no connection is up for long") {
        zip(healths, healths.dropFirst()).allSatisfy { last, next in
          guard case .waiting(let failed, _) = last, case .connecting(let attempt) = next else {
            return true
          }
          return attempt == failed + 1
        }
      }
      await world.run()
      late = max(late, source.lateValues)
      store.deactivateHooks()
      subscription.cancel()
      watching.cancel()
      await world.run()
    }
    #expect(report.failure == nil)
    #expect(late == (faults > 0 ? 1 : 0))
  }

  @Test("I11 a test sends a value at any moment, which is lost with the connection")
  func sending() async {
    let report = await explore(faults: 1) { world in
      let feed: TestConnection<String> = world.connection("feed")
      let store = makeDeskTest { _, store in
        guard let values = try? await feed() else { return }
        for await value in values { store.log.append(value) }
        store.log.append("lost")
      }
      world.may("a price comes") { feed.send("17.5") }
      store.send("listen")
      await world.run()
      world.outcome(store.log)
      store.cancelAll()
      await world.run()
    }
    #expect(
      Set(report.outcomes.map(\.description)) == [
        "[]", #"["lost"]"#, #"["17.5"]"#, #"["17.5", "lost"]"#,
      ])
    #expect(report.isExhaustive)
  }
}
