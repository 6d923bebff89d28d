import Signalbox
import SignalboxTesting

/// A desk for the tests of assertions, with a hook that turns texts into actions.
@MainActor struct AssertedDesk {
  let input = Emitter<String>()

  /// Writes the title and the log, and dispatches a follow-up action after a hop.
  func makeStore(exhaustive: Bool = false, _ state: Desk = Desk()) -> DeskTest {
    DeskTest(
      state: state,
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [input] _, store in input.assign(toAction: { Job($0) }, using: store) },
        handle: { job, store in
          switch job.text {
          case "nothing": break
          case "chain":
            store.count += 1
            store.run { store in
              await farAway()
              store.send("link")
            }
          default:
            store.title = job.text
            store.log.append(job.text)
          }
        }), exhaustive: exhaustive)
  }

  static func headlines(_ body: @MainActor () async -> Void) async -> [String] {
    await failures(of: body).map(\.headline)
  }

  /// The failure of an assertion that misses a change.
  static func more(_ call: String) -> String {
    "\(call): more has changed than what the closure changes. The label including: asserts only that."
  }
}
