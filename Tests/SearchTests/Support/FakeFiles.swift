import Signalbox
import SignalboxTesting
import Terminal

@testable import Search

/// Files without a disk, whose findings a test defines and whose search steps take a second each.
@MainActor
final class FakeFiles {
  let clock = TestClock()
  /// The remaining steps of the search for each query.
  var steps: [String: ArraySlice<SearchStep>] = [:]
  private(set) var queries: [String] = []
  private let abandoned = Locked<[String]>([])

  /// The queries of searches that were abandoned before their end.
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
