internal import Signalbox
internal import SignalboxInspection

/// What a test asserts of work when it ends, so that a cancel that the feature forgets is noticed.
///
/// A recording has only calls that were answered, so none is known to be pending, and none is known
/// not to be unless all work has ended.
struct InFlightAtEnd {
  /// The endpoints that the store's work has called.
  private var endpoints: Set<String> = []
  private var work: Set<Int> = []
  /// The names of the store's own runs, with whether they run.
  private var runs: [(name: ValueTree, isRunning: Bool)] = []

  mutating func note(_ event: TraceEvent) {
    switch event.kind {
    case .cancelled(_, .storeReleased): return
    case .called(let endpoint, _, _) where event.store != nil: endpoints.insert(endpoint)
    case .began: if let id = event.work { work.insert(id) }
    case .finished, .failed, .cancelled: if let id = event.work { work.remove(id) }
    default: break
    }
    guard event.child == nil else { return }
    switch event.kind {
    case .began(.run(let name?)): setRun(name, isRunning: true)
    // Another run of the name goes on.
    case .cancelled(_, .superseded?), .cancelled(_, .ignored?): break
    case .finished(.run(let name?), _), .failed(.run(let name?), _),
      .cancelled(.run(let name?), _):
      setRun(name, isRunning: false)
    default: break
    }
  }

  private mutating func setRun(_ name: ValueTree, isRunning: Bool) {
    if let index = runs.firstIndex(where: { $0.name.matches(name) }) {
      runs[index].isRunning = isRunning
    } else {
      runs.append((name, isRunning))
    }
  }

  func lines(_ surroundings: Trace.Surroundings) -> [String] {
    // A call of an endpoint that does not heed cancellation stays pending.
    let isHeeded = !(surroundings.setup + [surroundings.subject]).contains {
      $0.contains("heedsCancellation: false")
    }
    let calls =
      work.isEmpty && isHeeded ? endpoints.sorted().map { "#expect(\($0).pending.isEmpty)" } : []
    let running = runs.compactMap { name, isRunning in
      name.literal(surroundings, isTyped: true).map {
        "#expect(\(isRunning ? "" : "!")store.isRunning(id: \($0)))"
      }
    }
    return calls + running
  }
}
