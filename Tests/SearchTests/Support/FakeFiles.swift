import Signalbox
import SignalboxTesting
import Terminal

@testable import Search

/// Names to search, without a disk: a test says what is found, and each step takes a second.
@MainActor
final class FakeFiles {
  let clock = TestClock()
  /// What a search for a query is still to find, step by step.
  var steps: [String: ArraySlice<SearchStep>] = [:]
  private(set) var queries: [String] = []
  private let abandoned = Locked<[String]>([])

  /// The searches that nobody looks at any more, though they were not at their end.
  var abandonedQueries: [String] { abandoned.withLock(\.self) }

  var service: SearchService {
    SearchService { [self] query in
      queries.append(query)
      return AsyncStream {
        await self.nextStep(of: query)
      } onCancel: { [abandoned] in
        abandoned.withLock { $0.append(query) }
      }
    }
  }

  private func nextStep(of query: String) async -> SearchStep? {
    guard (try? await clock.sleep(for: .seconds(1))) != nil else { return nil }
    return steps[query]?.popFirst()
  }
}

extension SearchStep {
  static func found(_ paths: String..., lookingAt count: Int = 1) -> SearchStep {
    SearchStep(paths: paths, lookedAt: count)
  }

  static func unreadable(_ path: String) -> SearchStep {
    SearchStep(unreadable: [UnreadableFolder(path: path, reason: "No")])
  }
}
