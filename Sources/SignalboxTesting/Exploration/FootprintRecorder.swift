import Signalbox

/// Records what the current step of an exploration touches.
///
/// Only parts that exist when a step begins can be touched by another step that may come instead.
/// They have the same numbers in each order that begins with the same steps. What a step makes anew
/// is therefore not recorded.
@MainActor final class FootprintRecorder: Sendable {
  private struct Recording {
    var footprint: Footprint?
    /// The places of the pieces of work and calls in the order in which they began.
    var places: [Int: Int] = [:]
    /// The number of places when the step began.
    var known = 0
    var endpoints: [ObjectIdentifier: Int] = [:]
  }

  private nonisolated let recording = LockedValue(Recording())
  /// Whether the order of all events counts, because the scenario looks at it.
  let keepsHistory: Bool
  /// Whether the scenario has looked at the order of events.
  private(set) var wantsHistory = false

  init(keepingHistory keepsHistory: Bool) { self.keepsHistory = keepsHistory }

  /// Records that the scenario looks at the order of the events of a store.
  func readsHistory(of store: Int) {
    wantsHistory = true
    touch(.record(store: store))
  }

  /// The recorder of the exploration to which the current task belongs, if it needs one.
  nonisolated static var current: FootprintRecorder? { ExploredScope.current?.footprints }

  // MARK: - Steps

  /// Begins to record.
  ///
  /// - Parameter isBlind: whether a store holds objects, which change without being written.
  func begin(isBlind: Bool = false) {
    recording.withLock { recording in
      recording.footprint = Footprint()
      if isBlind { recording.footprint?.addUnknown() }
      recording.known = recording.places.count
    }
  }

  /// Ends the recording.
  func end() -> Footprint {
    recording.withLock { recording in
      defer { recording.footprint = nil }
      return recording.footprint ?? Footprint()
    }
  }

  // MARK: - What a step touches

  nonisolated func touch(_ part: @autoclosure () -> Footprint.Part) {
    recording.withLock { recording in
      if recording.footprint != nil { recording.footprint?.add(part()) }
    }
  }

  nonisolated func touchUnknown() { recording.withLock { $0.footprint?.addUnknown() } }

  nonisolated func access(_ store: Int, _ bytes: Range<Int>?, isWrite: Bool) {
    recording.withLock { $0.footprint?.addAccess(to: store, bytes, isWrite: isWrite) }
  }

  /// Records that a piece of work or a call begins.
  nonisolated func begins(_ number: Int) {
    recording.withLock { $0.places[number] = $0.places.count }
  }

  /// Records that a piece of work or a call is touched.
  nonisolated func touch(process number: Int) {
    recording.withLock { recording in
      guard let place = recording.places[number] else {
        // A call from a detached task, which is not counted.
        recording.footprint?.addUnknown()
        return
      }
      if place < recording.known { recording.footprint?.add(.process(place)) }
    }
  }

  /// Gives an endpoint of the exploration its number.
  func add(_ endpoint: AnyObject) {
    recording.withLock { $0.endpoints[ObjectIdentifier(endpoint)] = $0.endpoints.count }
  }

  /// Records that a call arrives at an endpoint.
  nonisolated func arrives(at endpoint: AnyObject) {
    recording.withLock { recording in
      if let number = recording.endpoints[ObjectIdentifier(endpoint)] {
        recording.footprint?.add(.arrivals(endpoint: number))
      } else {
        recording.footprint?.addUnknown()
      }
    }
  }
}

/// Passes the accesses to the state of one store on to a recorder.
@MainActor final class StateAccesses: StateTracker {
  private let store: Int
  private let recorder: FootprintRecorder
  private let inFlight: InFlight

  init(of store: Int, _ inFlight: InFlight, to recorder: FootprintRecorder) {
    self.store = store
    self.inFlight = inFlight
    self.recorder = recorder
  }

  func accesses(_ bytes: Range<Int>?, isWrite: Bool, work: Int?) {
    recorder.access(store, bytes, isWrite: isWrite)
    // Another piece of work may write with the store of this one.
    inFlight.touch(work)
  }
}
