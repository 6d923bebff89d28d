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
  /// The actions of the store itself, any of which may have the name of a run.
  private var actions: Set<Int> = []
  /// The names of the store's own runs in progress, by their work.
  private var running: [Int: ValueTree] = [:]
  /// The names of all of the store's own runs.
  private var names: [ValueTree] = []

  mutating func note(_ event: TraceEvent) {
    switch event.kind {
    case .cancelled(_, .storeReleased): return
    case .called(let endpoint, _, _) where event.store != nil: endpoints.insert(endpoint)
    case .began(let began): if let id = event.work { begin(began, id, of: event.child) }
    case .finished, .failed, .cancelled: if let id = event.work { end(id) }
    default: break
    }
  }

  private mutating func begin(_ began: TraceEvent.Work, _ id: Int, of child: String?) {
    work.insert(id)
    guard child == nil else { return }
    switch began {
    case .action: actions.insert(id)
    case .run(let name?):
      running[id] = name
      if !names.contains(where: { $0.matches(name) }) { names.append(name) }
    case .run(nil): break
    }
  }

  private mutating func end(_ id: Int) {
    work.remove(id)
    actions.remove(id)
    running[id] = nil
  }

  func lines(_ surroundings: Trace.Surroundings) -> [String] {
    // A call of an endpoint that does not heed cancellation stays pending.
    let isHeeded = !(surroundings.setup + [surroundings.subject]).contains {
      $0.contains("heedsCancellation: false")
    }
    let calls =
      work.isEmpty && isHeeded ? endpoints.sorted().map { "#expect(\($0).pending.isEmpty)" } : []
    let runs = names.compactMap { name -> String? in
      let isRunning = running.values.contains { $0.matches(name) }
      guard isRunning || actions.isEmpty else { return nil }
      return name.literal(surroundings, isTyped: true).map {
        "#expect(\(isRunning ? "" : "!")store.isRunning(id: \($0)))"
      }
    }
    return calls + runs
  }
}
