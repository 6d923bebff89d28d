import Foundation
import Signalbox
import SignalboxSources
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Not parallel, because dispositions belong to the process.
@Suite(.serialized, .timeLimit(.minutes(60))) @MainActor struct ProcessSignalsTests {
  private static func disposition(of number: Int32) -> [UInt] {
    var action = sigaction()
    _ = unsafe sigaction(number, nil, &action)
    // The handler, which comes first, and the flags.
    return unsafe withUnsafeBytes(of: action) {
      unsafe [$0.load(as: UInt.self), UInt(action.sa_flags)]
    }
  }

  /// Lets a child process run a script of the shell, in which `$1` is this process.
  private nonisolated static func run(_ script: String) throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script, "sh", "\(getpid())"]
    try shell.run()
    shell.waitUntilExit()
  }

  @Test("E4 10,000 signals of a child process arrive, and two of a kind may be one")
  func manySignals() async throws {
    let log = SourceLog<Int32>()
    let subscription = log.record(Signal.processSignals(SIGUSR1, SIGUSR2))
    Thread.detachNewThread {
      try? Self.run(
        "i=0; while [ $i -lt 10000 ]; do kill -USR1 $1; i=$((i+1)); done; kill -USR2 $1")
    }
    await log.until { $0.contains(SIGUSR2) }
    #expect((1...10_000).contains(log.entries.count { $0 == SIGUSR1 }))
    #expect(log.entries.count { $0 == SIGUSR2 } == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("E4 a signal that arrives after the one before was handled is never lost")
  func oneByOne() async {
    let log = SourceLog<Int32>()
    let subscription = log.record(Signal.processSignals(SIGUSR1, SIGUSR2))
    for count in 1...500 {
      let number = count.isMultiple(of: 3) ? SIGUSR2 : SIGUSR1
      _ = kill(getpid(), number)
      await log.reach(count)
      #expect(log.entries.last == number)
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("S1 E4 a signal reaches every subscriber, in order, before the next one does")
  func subscribers() async {
    let log = SourceLog<Int32>()
    let signals = Signal.processSignals(SIGUSR1, SIGUSR2)
    var told: [Int32] = []
    let subscriptions = [
      signals.sink { told += [0, $0] }, signals.sink { told += [1, $0] }, log.record(signals),
    ]
    for count in 1...1_000 {
      _ = kill(getpid(), SIGUSR1)
      _ = kill(getpid(), SIGUSR2)
      await log.reach(2 * count)
    }
    #expect(told == log.entries.flatMap { [0, $0, 1, $0] })
    withExtendedLifetime(subscriptions) {}
  }

  @Test("E4 the former disposition comes back after the last subscription, whatever it was")
  func dispositions() async {
    for former in [SIG_DFL, SIG_IGN] {
      signal(SIGUSR1, former)
      let before = Self.disposition(of: SIGUSR1)
      let signals = Signal.processSignals(SIGUSR1)
      let (first, second) = (SourceLog<Int32>(), SourceLog<Int32>())
      let subscription = first.record(signals)
      let both = second.record(Signal.processSignals(SIGUSR1, SIGUSR2))
      #expect(Self.disposition(of: SIGUSR1) != before)
      _ = kill(getpid(), SIGUSR1)
      await first.reach(1)
      await second.reach(1)
      subscription.cancel()
      _ = kill(getpid(), SIGUSR1)
      await second.reach(2)
      #expect(first.entries == [SIGUSR1])
      both.cancel()
      #expect(Self.disposition(of: SIGUSR1) == before)
    }
    signal(SIGUSR1, SIG_DFL)
  }

  @Test("E4 a disposition that other code has set in between is left alone")
  func replacedDisposition() {
    let subscription = Signal.processSignals(SIGUSR1).sink { _ in }
    signal(SIGUSR1, SIG_IGN)
    let other = Self.disposition(of: SIGUSR1)
    subscription.cancel()
    #expect(Self.disposition(of: SIGUSR1) == other)
    signal(SIGUSR1, SIG_DFL)
  }

  @Test("E4 300 subscriptions in a row leave no descriptor and receive their signal")
  func manySubscriptions() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let before = Descriptors.count
      for _ in 1...300 {
        let log = SourceLog<Int32>()
        let subscription = log.record(Signal.processSignals(SIGUSR1))
        _ = kill(getpid(), SIGUSR1)
        await log.reach(1)
        subscription.cancel()
      }
      #expect(await Descriptors.fall(to: before))
    }
  }

  @Test("E4 a number that cannot be received traps with a message")
  func impossibleNumber() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in _ = Signal.processSignals(SIGINT, SIGKILL)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("processSignals(9): this signal cannot be received."))
    for number in [0, -1, 64, 1_000, SIGSEGV] as [Int32] {
      await #expect(processExitsWith: .failure) { @MainActor [number = number as Int32] in
        _ = Signal.processSignals(number)
      }
    }
  }
}
