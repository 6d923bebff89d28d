import Foundation
import SignalboxTesting
import Testing

@testable import Signalbox

/// Streams of hooks in explorations.
extension SequenceHookTests {
  @Test("I2 I8 a stream that the scenario feeds is part of an exploration")
  func explored() async {
    let report = await explore { world in
      let load = world.endpoint("load") { (text: String) in text }
      let (stream, continuation) = makeStream()
      let store = makeStore { store in
        Signal(slow(stream).map { $0 * 2 }).map { Job("\($0)") }.sink { store.dispatch($0) }
      } handle: { job, store in
        store.log.append(try await load(job.text))
      }
      world.may("send") { for number in 1...2 { continuation.yield(number) } }
      world.always("at once") { store.triggeredActions.count.isMultiple(of: 2) }
      await world.run()
      world.outcome(store.state.log)
    }
    #expect(report.failure == nil && report.isExhaustive)
    #expect(Set(report.outcomes.map(\.description)) == [#"["2", "4"]"#, #"["4", "2"]"#, "[]"])
  }

  @Test("I8 a stream that another thread feeds is a failure that names the hook")
  func outside() async {
    let found = await kitFailures {
      await explore { world in
        let (stream, continuation) = makeStream()
        let store = makeStore { store in Signal(stream).sink { store.count += $0 } }
        world.may("send") {
          let hasSent = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            continuation.yield(1)
            hasSent.signal()
          }
          hasSent.wait()
        }
        await world.run()
        withExtendedLifetime(store) {}
      }
    }
    #expect(found.count == 1)
    #expect(
      found.first?.text.contains("\nhook only waits for something outside of the exploration")
        == true, "\(found)")
  }
}
