import Signalbox

@testable import Search

/// Names to search, without a disk: a test says what is found, and when.
@MainActor
final class FakeFiles {
  struct Search {
    let query: String
    let steps: AsyncStream<SearchStep>.Continuation
    /// Fires when nobody looks at the search any more.
    let ended: Emitter<Void>
  }

  /// Fires with the query when a search begins.
  let began = Emitter<String>()
  private(set) var searches: [Search] = []

  var queries: [String] { searches.map(\.query) }

  var service: SearchService {
    SearchService { [self] query in
      let (stream, steps) = AsyncStream.makeStream(of: SearchStep.self)
      let ended = Emitter<Void>()
      steps.onTermination = { _ in ended.post(()) }
      searches.append(Search(query: query, steps: steps, ended: ended))
      began.send(query)
      return stream
    }
  }
}
