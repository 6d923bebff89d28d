import Signalbox
import SignalboxInspection
import SignalboxTrace

extension TraceEvent {
  /// What happened, on one line without control characters.
  var text: String {
    let place = child.map { "\($0): " } ?? ""
    return (place + kind.text).withoutControls
  }
}

extension TraceEvent.Kind {
  private static var room: Int { 100 }

  fileprivate var text: String {
    switch self {
    case .store(let info): "store \(info.name ?? info.state)"
    case .started(let state): "started with \(state.text(room: Self.room))"
    case .state: "state"
    case .began(let work): work.text(room: Self.room)
    case .finished(let work, let seconds):
      "\(work.text(room: 40)) finished after \(Self.duration(seconds))"
    case .cancelled(let work, let reason): "\(work.text(room: 40)) \(reason.text)"
    case .failed(let work, let failure): "\(work.text(room: 40)) failed: \(failure.text)"
    case .hookFired(let name, let value): "hook \(name): \(value.text(room: Self.room))"
    case .changed(let changes): changes.text(room: Self.room)
    case .pending: "pending change"
    case .confirmed: "confirmed change"
    case .takenBack: "change taken back"
    case .derived(let name, let old, let new):
      "derived \(name): \(old.text(room: Self.room)) → \(new.text(room: Self.room))"
    case .unhandled(let failure, _): "unhandled error: \(failure.text)"
    case .dropped(let dropped): "dropped \(dropped.text)"
    case .loopStopped(let chain): "stopped a loop: \(chain.joined(separator: " → "))"
    case .duplicateChild(let place): "two elements have the id of \(place)"
    case .released: "store released"
    case .lost(let count, let changes):
      "\(count) events were not recorded"
        + (changes.isEmpty ? "" : ": \(changes.text(room: Self.room))")
    case .called(let endpoint, _, let request):
      "\(endpoint) called with \(request.text(room: Self.room))"
    case .answered(let endpoint, _, let answer): "\(endpoint) \(answer.text)"
    case .advanced(let seconds): "clock advanced by \(seconds) s"
    case .testFailed(let text): "the test failed: \(text.prefix { $0 != "\n" })"
    case .stopped: "recording stopped"
    }
  }

  private static func duration(_ seconds: Double) -> String {
    if seconds >= 1 { return "\((seconds * 100).rounded() / 100) s" }
    if seconds >= 0.001 { return "\(Int((seconds * 1_000).rounded())) ms" }
    return "\(Int((seconds * 1_000_000).rounded())) µs"
  }
}

extension TraceEvent.Dropped {
  fileprivate var text: String {
    switch self {
    case .change(let changes): "change: \(changes.text(room: 100))"
    case .action(let action): action.text(room: 100)
    case .run: "run"
    case .cancel: "cancel"
    }
  }
}

extension EventCancellation? {
  fileprivate var text: String {
    switch self {
    case .superseded?: "superseded"
    case .ignored?: "ignored"
    case .storeReleased?: "ended: the store is gone"
    case .endedWithState?: "ended with its state"
    case .requested?, nil: "cancelled"
    }
  }
}

extension TraceEvent.Answer {
  fileprivate var text: String {
    switch self {
    case .response(let value): "answered \(value.text(room: 100))"
    case .error(let failure): "failed: \(failure.text)"
    }
  }
}

extension String {
  /// The text with control characters as escapes, because a terminal obeys them.
  var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may do something else than show it, such as write from right to left.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200D
    default: false
    }
  }
}
