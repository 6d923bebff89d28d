import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ReconnectingTests {
  @Test("E2 it connects with the first subscriber, once for all, and disconnects with the last")
  func sharing() async {
    await followed { rig in
      let server = rig.server
      var current: [ConnectionHealth] = []
      let health = rig.source.health.includingCurrent().sink { current.append($0) }
      #expect(server.calls == 0 && current == [.idle])
      let first = rig.subscribe("first ")
      let second = rig.subscribe("second ")
      #expect(server.calls == 1)
      await server.accept()
      await server.connections[0].give(7)
      #expect(rig.told == ["connecting(attempt: 1)", "up", "first 7", "second 7"])
      first.cancel()
      await server.connections[0].give(8)
      second.cancel()
      #expect(rig.told.suffix(2) == ["second 8", "idle"])
      let third = rig.subscribe()
      #expect(server.calls == 2 && rig.ends(with: .connecting(attempt: 1)))
      withExtendedLifetime((health, third)) {}
    }
  }

  @Test("E2 attempts are numbered, one at a time, each further one after a wait below its bound")
  func attempts() async {
    await followed { rig in
      let (clock, server) = (rig.clock, rig.server)
      let subscription = rig.subscribe()
      for attempt in 1...6 {
        #expect(server.calls == attempt)
        await server.refuse("no \(attempt)")
        #expect(rig.ends(with: .waiting(attempt: attempt, reason: "no \(attempt)")))
        let before = clock.now
        guard let next = await clock.nextSleep() else { return }
        let bound = Duration.seconds(min(1 << (attempt - 1), 8))
        #expect((.zero...bound).contains(before.duration(to: next)))
        #expect(server.calls == attempt)
        await clock.advance(by: before.duration(to: next))
        #expect(rig.ends(with: .connecting(attempt: attempt + 1)))
      }
      #expect(server.mostPending == 1)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E2 the count starts again only after the connection was up for `steadyAfter`")
  func steadiness() async {
    await followed { rig in
      let (clock, server) = (rig.clock, rig.server)
      let subscription = rig.subscribe()
      await server.refuse()
      await clock.advance(by: .seconds(1))
      await server.accept()
      await clock.advance(by: .milliseconds(4_999))
      await server.connections[0].fail("short")
      #expect(rig.ends(with: .waiting(attempt: 2, reason: "short")))
      await clock.advance(by: .seconds(2))
      #expect(rig.ends(with: .connecting(attempt: 3)))
      await server.accept()
      await clock.advance(by: .seconds(5))
      await server.connections[1].end()
      #expect(rig.ends(with: .waiting(attempt: 3, reason: "The connection has ended.")))
      await clock.advance(by: .seconds(1))
      #expect(rig.ends(with: .connecting(attempt: 1)))
      withExtendedLifetime(subscription) {}
    }
  }

  private struct Feed: Hookable {
    enum Hook: CaseIterable { case values }
    let source: Reconnecting<Int>

    func subscription(for hook: Hook, store: MutatingStore<[Int], Never>) -> Subscription {
      source.sink { store.state.append($0) }
    }
  }

  @Test("E2 T3 settle waits for the values that a connection of a hook has received")
  func settles() async {
    for _ in 0..<50 {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let source = Reconnecting<Int> { stream.map { $0 * 2 } }
      let store = TestStore(state: [], hookable: Feed(source: source))
      for number in 1...3 { continuation.yield(number) }
      await store.settle()
      store.expect { $0 = [2, 4, 6] }
      continuation.yield(4)
      await store.settle()
      store.expect { $0.append(8) }
    }
  }

  @Test("E3 health is told before the value that follows, also inside a delivery")
  func healthFirst() async {
    await followed { rig in
      let clock = rig.clock
      let emitter = Emitter<Void>()
      var told: [String] = []
      var subscriptions: Set<Subscription> = []
      let source = Reconnecting<Int>(clock: clock) {
        AsyncStream { continuation in
          continuation.yield(1)
          continuation.finish()
        }
      }
      source.health.sink { told.append("\($0)") }.store(in: &subscriptions)
      emitter.sink {
        source.sink { told.append("\($0)") }.store(in: &subscriptions)
        told.append("subscribed")
      }.store(in: &subscriptions)
      emitter.send()
      await settled()
      #expect(
        told == [
          "subscribed", "connecting(attempt: 1)", "up", "1",
          "waiting(attempt: 1, reason: \"The connection has ended.\")",
        ])
    }
  }

  @Test("E3 what an earlier connection still delivers is dropped and counted")
  func lateValues() async {
    await followed { rig in
      let server = rig.server
      var subscription = rig.subscribe("first ")
      await server.accept()
      await server.connections[0].give(1)
      subscription.cancel()
      subscription = rig.subscribe("second ")
      await server.accept()
      await server.connections[0].give(2)
      await server.connections[1].give(3)
      await server.connections[0].give(4)
      #expect(
        rig.told.filter { $0.contains("first") || $0.contains("second") } == [
          "first 1", "second 3",
        ])
      #expect(rig.source.lateValues == 1)
      #expect(server.connections[0].asked == 2, "an old connection is asked for nothing more")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E2 a call that ignores its cancellation delays the next attempt until it returns")
  func stubbornCall() async {
    await followed(heedsCancellation: false) { rig in
      let server = rig.server
      rig.subscribe().cancel()
      let subscription = rig.subscribe()
      #expect(server.calls == 1 && rig.ends(with: .connecting(attempt: 1)))
      await server.accept()
      #expect(server.calls == 2 && rig.ends(with: .connecting(attempt: 1)))
      await server.accept()
      #expect(rig.ends(with: .up))
      await server.connections[1].give(1)
      #expect(rig.told.last == "1" && server.mostPending == 1)
      #expect(server.connections[0].asked == 0)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E2 an attempt that takes too long is given up, even if it ignores its cancellation")
  func timeout() async {
    for heedsCancellation in [true, false] {
      await followed(heedsCancellation: heedsCancellation, attemptTimeout: .seconds(30)) { rig in
        let (clock, server) = (rig.clock, rig.server)
        let subscription = rig.subscribe()
        await clock.advance(by: .seconds(30))
        let reason = "The attempt has taken longer than 30.0 seconds."
        #expect(rig.ends(with: .waiting(attempt: 1, reason: reason)))
        await clock.advance(by: .seconds(1))
        #expect(server.calls == 2)
        if !heedsCancellation { await server.accept() }
        #expect(rig.ends(with: .connecting(attempt: 2)), "the late connection does not count")
        await server.accept()
        await clock.advance(by: .seconds(60))
        #expect(rig.ends(with: .up), "the timeout is for the attempt only")
        withExtendedLifetime(subscription) {}
      }
    }
  }

  @Test("E2 a stubborn call of a subscriber that has left is waited for no longer than its timeout")
  func timeoutOfAbandoned() async {
    await followed(heedsCancellation: false, attemptTimeout: .seconds(30)) { rig in
      rig.subscribe().cancel()
      await rig.clock.advance(by: .seconds(20))
      let subscription = rig.subscribe()
      #expect(rig.server.calls == 1)
      await rig.clock.advance(by: .seconds(10))
      #expect(rig.server.calls == 2)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E2 subscribers of the health may end the connection and begin it again")
  func reentry() async {
    await followed { rig in
      let server = rig.server
      var subscription: Subscription? = rig.subscribe()
      var told: [ConnectionHealth] = []
      let health = rig.source.health.sink {
        told.append($0)
        switch $0 {
        case .up, .waiting: subscription = nil
        case .idle where told.count < 4: subscription = rig.subscribe()
        case .idle, .connecting: break
        }
      }
      await server.accept()
      #expect(told == [.up, .idle, .connecting(attempt: 1)])
      await server.refuse()
      #expect(told.suffix(2) == [.waiting(attempt: 1, reason: "refused"), .idle])
      await rig.clock.run()
      #expect(server.calls == 2 && server.pending == 0)
      withExtendedLifetime((health, subscription)) {}
    }
  }

  @Test("E2 the last subscriber may leave when told of an attempt, which prevents the attempt")
  func cancelledBeforeCall() async {
    await followed { _ in
      var calls = 0
      let source = Reconnecting<Int>(backoff: Backoff(from: .zero, to: .zero)) {
        @MainActor () async throws -> AsyncStream<Int> in
        calls += 1
        throw ScriptedServer.Refusal(description: "no")
      }
      let subscription = source.sink { _ in }
      var last: ConnectionHealth?
      let health = source.health.sink {
        last = $0
        if $0 == .connecting(attempt: 2) { subscription.cancel() }
      }
      while last != .idle { await settled() }
      #expect(calls == 1)
      withExtendedLifetime(health) {}
    }
  }

  @Test("E2 without any wait, attempts that fail at once neither nest nor stop other work")
  func noWait() async {
    await followed { _ in
      var calls = 0
      var subscription: Subscription?
      let source = Reconnecting<Int>(backoff: Backoff(from: .zero, to: .zero)) {
        @MainActor () async throws -> AsyncStream<Int> in
        calls += 1
        if calls == 2_000 { subscription?.cancel() }
        throw ScriptedServer.Refusal(description: "no")
      }
      subscription = source.sink { _ in }
      while calls < 2_000 { await settled() }
      await settled()
      #expect(calls == 2_000)
    }
  }

  @Test("S13 E2 after the last subscriber has left, nothing keeps the connection alive")
  func release() async {
    await followed { rig in
      let clock = rig.clock
      let server = rig.server
      final class Token: Sendable { func hold() {} }
      weak var kept: Token?
      do {
        let token = Token()
        kept = token
        let source = Reconnecting<Int>(clock: clock) {
          token.hold()
          return try await server.connect()
        }
        let health = source.health.sink { _ in }
        let subscription = source.sink { _ in }
        await server.accept()
        withExtendedLifetime((health, subscription)) {}
      }
      await server.connections[0].end()
      #expect(kept == nil)
    }
  }

  @Test("S7 E2 health is a state signal, which combines with others without glitches")
  func stateSignal() async {
    await followed { rig in
      let health = rig.source.health
      var told: [String] = []
      let combined = combineLatest(health, health.map { $0 == .idle }.removeDuplicates())
        .sink { told.append("\($0) \($1)") }
      let subscription = rig.subscribe()
      await rig.server.accept()
      subscription.cancel()
      #expect(told == ["connecting(attempt: 1) false", "up false", "idle true"])
      withExtendedLifetime(combined) {}
    }
  }
}
