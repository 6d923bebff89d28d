import Foundation
import Signalbox
import SignalboxSources
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the system does rarely, and no test can make it do.
@Suite(.timeLimit(.minutes(60))) @MainActor struct SystemFaultsTests {
  @Test(
    "E4 E5 a read that is interrupted, or has nothing after all, is made again",
    arguments: [EINTR, EAGAIN])
  func interruptedRead(failure: Int32) async throws {
    let pipe = Pipe()
    let calls = Atomic<Int>(0)
    let reader = try ByteReader(pipe.fileHandleForReading.fileDescriptor) { _ in
      let call = calls.wrappingAdd(1, ordering: .relaxed).oldValue
      return call < 3 ? ([], failure) : (Array("text".utf8), 0)
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data("text".utf8))
    guard case .bytes(let bytes) = await reader.read() else {
      Issue.record("The read has failed.")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "text")
    reader.close()
  }

  #if os(Linux)
  @Test("E4 a handler leaves the errno of the code that it interrupts alone")
  func errnoOfInterruptedCode() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let log = SourceLog<Int32>()
      let subscription = log.record(Signal.processSignals(SIGUSR1))
      // The process may have been started by a thread that blocks all signals.
      var none = sigset_t()
      _ = unsafe (sigemptyset(&none), pthread_sigmask(SIG_SETMASK, &none, nil))
      for number in 1...100 as ClosedRange<Int32> {
        errno = number
        _ = raise(SIGUSR1)
        let code = errno
        #expect(code == number)
      }
      await log.reach(1)
      // As when so many signals are pending that the system cannot count them.
      errno = EPERM
      PendingSignals.add(SIGUSR2) { errno = EOVERFLOW }
      let code = errno
      #expect(code == EPERM)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E4 a signal that was meant for earlier subscribers does not reach later ones")
  func signalForEarlier() async {
    await #expect(processExitsWith: .success) { @MainActor in
      // As when its handler runs after the last subscription and its thread have ended.
      PendingSignals.add(SIGUSR1) {}
      let log = SourceLog<Int32>()
      let subscription = log.record(Signal.processSignals(SIGUSR1, SIGUSR2))
      PendingSignals.add(SIGUSR2)
      await log.reach(1)
      #expect(log.entries == [SIGUSR2])
      withExtendedLifetime(subscription) {}
    }
  }
  #endif
}
