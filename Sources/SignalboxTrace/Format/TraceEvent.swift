package import Signalbox
package import SignalboxInspection

/// A line of a recording, except for the first one.
///
///     line ──▶ JSONValue ──▶ TraceEvent(store: 1, id: 5, kind: .dispatched(.send))
///
/// `Documentation/Recordings.md` describes the format.
package struct TraceEvent: Sendable {
  /// The number of the store in the recording; `nil` if the line is about no store.
  package var store: Int?
  /// Where in the state of the store the child lives in which it happened, as in `\.rows[id: 3]`.
  package var child: String?
  /// The number of the event within its store; `nil` if the line is no event of the store.
  package var id: Int?
  package var cause: Int?
  /// The number of the event that began the work that this event belongs to.
  package var work: Int?
  /// The seconds since the recording was started.
  package var time: Double
  package var kind: Kind

  package enum Kind: Sendable, Equatable {
    /// A store, before its first event.
    case store(StoreInfo)
    /// The first event of a store, with its state.
    case started(ValueTree)
    /// The whole state after the events so far, against which a reader checks the changes.
    case state(ValueTree)
    case began(Work)
    case finished(Work, seconds: Double)
    /// The reason is `nil` if a later version has added it.
    case cancelled(Work, EventCancellation?)
    case failed(Work, Failure)
    case hookFired(name: String, ValueTree)
    case changed([ValueEdit])
    /// A change was shown that is not certain, became a part of the truth, or was taken back.
    case pending, confirmed, takenBack
    case derived(name: String, from: ValueTree, to: ValueTree)
    case unhandled(Failure, action: ValueTree?)
    case dropped(Dropped)
    case loopStopped([String])
    case duplicateChild(String)
    case released
    /// Events for which the file was too slow, and what they changed in all.
    case lost(count: Int, [ValueEdit])
    /// A call of a test endpoint, and how it ended.
    case called(endpoint: String, call: Int, request: ValueTree)
    case answered(endpoint: String, call: Int, Answer)
    case advanced(seconds: String)
    case testFailed(String)
    case stopped
  }

  package struct StoreInfo: Sendable, Equatable {
    package var name: String?
    package var state: String
    package var action: String
  }

  package enum Work: Sendable, Equatable {
    case action(ValueTree)
    /// A run with its name.
    case run(ValueTree?)

    var isRun: Bool { if case .run = self { true } else { false } }

    package var tree: ValueTree? {
      switch self {
      case .action(let action): action
      case .run(let name): name
      }
    }
  }

  package struct Failure: Sendable, Equatable {
    package var error: ValueTree
    package var text: String
  }

  /// What stale work tried.
  package enum Dropped: Sendable, Equatable {
    case change([ValueEdit])
    case action(ValueTree)
    case run
    case cancel
  }

  package enum Answer: Sendable, Equatable {
    case response(ValueTree)
    case error(Failure)
  }
}
