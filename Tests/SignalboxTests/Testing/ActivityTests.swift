import Foundation
import Signalbox
import Synchronization
import Testing

@testable import SignalboxTesting

/// Tests that a wait ends, whatever the work does (T6).
@Suite(.timeLimit(.minutes(60))) @MainActor struct ActivityTests {
  /// Tells a thread that computes when to stop.
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  @Test("T6 a job that computes without an end is restless, also while it uses the processor")
  func busyJob() async {
    // In a process of its own, because the thread would take a processor from all other tests until
    // the main actor finds time for this one.
    await #expect(processExitsWith: .success) { @MainActor in
      Thread.detachNewThread { while true {} }
      let activity = Activity()
      activity.jobWasQueued(by: "work")
      let limits = Activity.JobLimits(idle: .seconds(600), busy: .milliseconds(100))
      #expect(await activity.rest(limits) { 1 } == .restless)
    }
  }

  @Test("T6 a wait for a rest ends when the last job has ended, without waiting for its limits")
  func lastJob() async {
    let activity = Activity()
    let limits = Activity.JobLimits(idle: .seconds(600), busy: .seconds(600))
    activity.jobWasQueued(by: "work")
    let wait = Task.atOnce { await activity.rest(limits) { 3 } }
    activity.jobHasEnded()
    #expect(await wait.value == .resting)
  }

  @Test("T6 changes after each rest, without an end, are restless")
  func ticking() async {
    let scope = TestScope.current
    var rounds = 0
    let end = await Patience(.seconds(1), mostRests: 1_000, in: scope).wait {
      rounds += 1
      scope.activity.hasChanged()
      return false
    }
    #expect(end == .restless)
    #expect(rounds == 1_000 + 2)
  }

  @Test("T6 a wait whose condition holds ends well, although other work never rests")
  func condition() async {
    let scope = TestScope.current
    scope.activity.mostChanges = 1_000
    let piece = InFlight(scope.activity).begin("spin")
    let flag = Flag()
    let spin = Task(executorPreference: piece) {
      while !flag.isSet.load(ordering: .relaxed) { await MainActor.run {} }
    }
    var calls = 0
    let end = await Patience(.seconds(1), in: scope).wait {
      calls += 1
      return calls == 2
    }
    #expect(end == .happened)
    flag.isSet.store(true, ordering: .relaxed)
    await spin.value
  }
}
