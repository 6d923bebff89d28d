import Signalbox
import SignalboxTesting
import Terminal
import Testing

@testable import Search

/// Lets the searches of three keystrokes find files in every order.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct SearchOrderTests {
  @Test func `only what the last keystroke searches for is shown`() async {
    let report = await explore { world in
      let disk = world.endpoint("disk", heedsCancellation: false) { (step: String) in
        step.hasSuffix("1") ? SearchStep(paths: [step], lookedAt: 1) : nil
      }
      let service = SearchService { query in
        let steps = Locked(0)
        return AsyncStream {
          let number = steps.withLock { count in
            count += 1
            return count
          }
          return try? await disk("\(query)\(number)")
        }
      }
      let store = TestStore(
        state: SearchState(), interactor: SearchInteractor(service: service, clock: world.clock))
      var last = "a"
      for query in ["ab", "abc"] {
        world.may("type \(query)") {
          last = query
          store.send(.search(query))
        }
      }
      world.always("nothing old is shown") {
        store.findings.paths.elements.allSatisfy { $0 == "\(last)1" }
      }
      world.finally("the last search has finished") {
        store.phase == .finished && store.findings.paths.elements == ["\(last)1"]
      }
      store.send(.search("a"))
      await world.run()
    }
    #expect(report.isExhaustive)
    #expect(report.orders == 185)
    #expect(report.outcomes.count == 3)
  }
}
