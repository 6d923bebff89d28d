import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct ReconnectingTests {
  @Test("E2 it connects with the first subscriber, once for all, and disconnects with the last")
  func sharing() async {
    await followed { rig in
      let server = rig.server
      let source = rig.source()
      var told: [String] = []
      let health = source.health.includingCurrent().sink { told.append("\($0)") }
      #expect(server.calls == 0 && told == ["idle"])
      let first = source.sink { told.append("first \($0)") }
      let second = source.signal.sink { told.append("second \($0)") }
      #expect(server.calls == 1)
      await server.accept()
      await server.connections[0].give(7)
      #expect(told == ["idle", "connecting(attempt: 1)", "up", "first 7", "second 7"])
      first.cancel()
      await server.connections[0].give(8)
      second.cancel()
      #expect(told.suffix(2) == ["second 8", "idle"])
      let third = source.sink { told.append("third \($0)") }
      #expect(server.calls == 2 && told.last == "connecting(attempt: 1)")
      withExtendedLifetime((health, third)) {}
    }
  }

  @Test("E2 attempts are numbered, one at a time, each further one after a wait below its bound")
  func attempts() async {
    await followed { rig in
      let clock = rig.clock
      let server = rig.server
      let source = rig.source()
      var told: [ConnectionHealth] = []
      let subscriptions = [source.health.sink { told.append($0) }, source.sink { _ in }]
      for attempt in 1...6 {
        #expect(server.calls == attempt)
        await server.refuse("no \(attempt)")
        #expect(told.last == .waiting(attempt: attempt, reason: "no \(attempt)"))
        let before = clock.now
        guard let next = await clock.nextSleep() else { return }
        let bound = Duration.seconds(min(1 << (attempt - 1), 8))
        #expect((.zero...bound).contains(before.duration(to: next)))
        #expect(server.calls == attempt)
        await clock.advance(by: before.duration(to: next))
        #expect(told.last == .connecting(attempt: attempt + 1))
      }
      #expect(server.mostPending == 1)
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("E2 the count starts again only after the connection was up for `steadyAfter`")
  func steadiness() async {
    await followed { rig in
      let clock = rig.clock
      let server = rig.server
      let source = rig.source()
      var told: [ConnectionHealth] = []
      let subscriptions = [source.health.sink { told.append($0) }, source.sink { _ in }]
      await server.refuse()
      await clock.advance(by: .seconds(1))
      await server.accept()
      await clock.advance(by: .milliseconds(4_999))
      await server.connections[0].fail("short")
      #expect(told.last == .waiting(attempt: 2, reason: "short"))
      await clock.advance(by: .seconds(2))
      #expect(told.last == .connecting(attempt: 3))
      await server.accept()
      await clock.advance(by: .seconds(5))
      await server.connections[1].end()
      #expect(told.last == .waiting(attempt: 3, reason: "The connection has ended."))
      await clock.advance(by: .seconds(1))
      #expect(told.last == .connecting(attempt: 1))
      withExtendedLifetime(subscriptions) {}
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
      let source = rig.source()
      var told: [Int] = []
      var subscription = source.sink { told.append($0) }
      await server.accept()
      await server.connections[0].give(1)
      subscription.cancel()
      subscription = source.sink { told.append($0) }
      await server.accept()
      await server.connections[0].give(2)
      await server.connections[1].give(3)
      await server.connections[0].give(4)
      #expect(told == [1, 3] && source.lateValues == 1)
      #expect(server.connections[0].asked == 2, "an old connection is asked for nothing more")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E2 a call that ignores its cancellation delays the next attempt until it returns")
  func stubbornCall() async {
    await followed { rig in
      let server = ScriptedServer(heedsCancellation: false)
      let source = rig.source(server)
      var told: [String] = []
      let health = source.health.sink { told.append("\($0)") }
      source.sink { _ in }.cancel()
      let subscription = source.sink { told.append("\($0)") }
      #expect(server.calls == 1 && told.last == "connecting(attempt: 1)")
      await server.accept()
      #expect(server.calls == 2 && told.last == "connecting(attempt: 1)")
      await server.accept()
      #expect(told.last == "up")
      await server.connections[1].give(1)
      #expect(told.last == "1" && server.mostPending == 1)
      #expect(server.connections[0].asked == 0)
      withExtendedLifetime((health, subscription)) {}
    }
  }

  @Test("E2 an attempt that takes too long is given up, even if it ignores its cancellation")
  func timeout() async {
    await followed { rig in
      let clock = rig.clock
      for heedsCancellation in [true, false] {
        let server = ScriptedServer(heedsCancellation: heedsCancellation)
        let source = rig.source(server, attemptTimeout: .seconds(30))
        var told: [String] = []
        let health = source.health.sink { told.append("\($0)") }
        let subscription = source.sink { told.append("\($0)") }
        await clock.advance(by: .seconds(30))
        #expect(
          told.last
            == "waiting(attempt: 1, reason: \"The attempt has taken longer than 30.0 seconds.\")")
        await clock.advance(by: .seconds(1))
        #expect(server.calls == 2)
        if !heedsCancellation { await server.accept() }
        #expect(told.last == "connecting(attempt: 2)", "the late connection does not count")
        await server.accept()
        await clock.advance(by: .seconds(60))
        #expect(told.last == "up", "the timeout is for the attempt only")
        withExtendedLifetime((health, subscription)) {}
      }
    }
  }

  @Test("E2 a stubborn call of a subscriber that has left is waited for no longer than its timeout")
  func timeoutOfAbandoned() async {
    await followed { rig in
      let clock = rig.clock
      let server = ScriptedServer(heedsCancellation: false)
      let source = rig.source(server, attemptTimeout: .seconds(30))
      source.sink { _ in }.cancel()
      await clock.advance(by: .seconds(20))
      let subscription = source.sink { _ in }
      #expect(server.calls == 1)
      await clock.advance(by: .seconds(10))
      #expect(server.calls == 2)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E2 subscribers of the health may end the connection and begin it again")
  func reentry() async {
    await followed { rig in
      let clock = rig.clock
      let server = rig.server
      let source = rig.source()
      var subscription: Subscription? = source.sink { _ in }
      var told: [ConnectionHealth] = []
      let health = source.health.sink {
        told.append($0)
        switch $0 {
        case .up, .waiting: subscription = nil
        case .idle where told.count < 4: subscription = source.sink { _ in }
        case .idle, .connecting: break
        }
      }
      await server.accept()
      #expect(told == [.up, .idle, .connecting(attempt: 1)])
      await server.refuse()
      #expect(told.suffix(2) == [.waiting(attempt: 1, reason: "refused"), .idle])
      await clock.run()
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
        if calls == 3_000 { subscription?.cancel() }
        throw ScriptedServer.Refusal(description: "no")
      }
      subscription = source.sink { _ in }
      while calls < 3_000 { await settled() }
      await settled()
      #expect(calls == 3_000)
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
      let server = rig.server
      let source = rig.source()
      var told: [String] = []
      let combined = combineLatest(
        source.health, source.health.map { $0 == .idle }.removeDuplicates()
      ).sink { told.append("\($0) \($1)") }
      let subscription = source.sink { _ in }
      await server.accept()
      subscription.cancel()
      #expect(told == ["connecting(attempt: 1) false", "up false", "idle true"])
      withExtendedLifetime(combined) {}
    }
  }
}
