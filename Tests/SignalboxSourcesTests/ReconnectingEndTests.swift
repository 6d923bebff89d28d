import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ReconnectingEndTests {
  @Test("E2 code that runs when a connection is cancelled may begin again, and health is right")
  func beginningInTheEnd() async {
    await followed { rig in
      let ends = MainActorCall()
      var connections = 0
      let source = Reconnecting<Int>(clock: rig.clock) { @MainActor in
        connections += 1
        return AsyncStream<Int> { continuation in
          continuation.onTermination = { _ in ends() }
        }
      }
      var last: ConnectionHealth?
      let health = source.health.sink { last = $0 }
      let first = source.sink { _ in }
      await settled()
      #expect(last == .up)
      var second: Subscription?
      ends.body = { second = source.sink { _ in } }
      first.cancel()
      #expect(second != nil && last != .idle)
      await settled()
      #expect(connections == 2 && last == .up)
      ends.body = nil
      second?.cancel()
      #expect(last == .idle)
      withExtendedLifetime(health) {}
    }
  }

  @Test("E2 on a clock whose sleep returns at once, an attempt that was given up calls nothing")
  func hastyClock() {
    var calls = 0
    let source = Reconnecting<Int>(attemptTimeout: .seconds(1), clock: HastyClock()) {
      @MainActor () async throws -> AsyncStream<Int> in
      calls += 1
      throw ScriptedServer.Refusal(description: "no")
    }
    var told: [ConnectionHealth] = []
    let health = source.health.sink { told.append($0) }
    source.sink { _ in }.cancel()
    let reason = "The attempt has taken longer than 1.0 seconds."
    #expect(told == [.connecting(attempt: 1), .waiting(attempt: 1, reason: reason), .idle])
    #expect(calls == 0)
    withExtendedLifetime(health) {}
  }

  @Test("E2 a timeout in which no attempt could succeed traps with a message")
  func impossibleTimeout() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      _ = Reconnecting<Int>(attemptTimeout: .zero) { AsyncStream<Int> { _ in } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Reconnecting(attemptTimeout: 0.0 seconds): no attempt could succeed."))
  }

  private struct Refused: Error, CustomStringConvertible {
    @Redacted var token = "s3cret"
    var description: String { "bad token \(token)" }
  }

  private struct Expired: Error { var token = "s3cret" }

  @Test("E2 D4 the reason of a wait leaves out what is redacted in the error")
  func redactedReason() async {
    DebugStore.redact(\Expired.token)
    for error in [Refused(), Expired()] as [any Error] {
      await followed { rig in
        let subscription = rig.subscribe()
        await rig.server.refuse(with: error)
        let last = rig.told.last ?? ""
        #expect(last.contains("token: <redacted>") && !last.contains("s3cret"), "\(last)")
        withExtendedLifetime(subscription) {}
      }
    }
  }
}

/// A closure that code without isolation calls on the main actor.
@MainActor private final class MainActorCall {
  var body: (@MainActor () -> Void)?
  nonisolated func callAsFunction() { MainActor.assumeIsolated { body?() } }
}

/// A clock on which nothing takes any time.
private struct HastyClock: CallbackClock {
  typealias Instant = JumpingClock.Instant
  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}

  @MainActor func call(
    at deadline: Instant, _ body: @escaping @MainActor () -> Void,
    drop: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void {
    body()
    return {}
  }
}
