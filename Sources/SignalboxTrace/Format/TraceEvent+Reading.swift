internal import Signalbox
internal import SignalboxInspection

extension TraceEvent {
  /// Reads a line; `nil` if it lacks something or is of a kind that this version does not know.
  init?(_ json: JSONValue) {
    guard let kind = Kind(json), let time = json["t"]?.double else { return nil }
    self.init(
      store: json["store"]?.int, child: json["child"]?.string, id: json["id"]?.int,
      cause: json["cause"]?.int, work: json["work"]?.int, time: time, kind: kind)
  }
}

extension TraceEvent.Kind {
  fileprivate init?(_ json: JSONValue) {
    func tree(_ key: String) -> ValueTree? { json[key].map { ValueTree($0) } }
    func text(_ key: String) -> String? { json[key]?.string }
    let kind: TraceEvent.Kind? =
      switch text("kind") {
      case "store": TraceEvent.StoreInfo(json).map { .store($0) }
      case "started": tree("state").map { .started($0) }
      case "state": tree("state").map { .state($0) }
      case "released": .released
      case "stopped": .stopped
      case "changed": edits(json).map { .changed($0) }
      case "lost": edits(json).map { .lost(count: json["count"]?.int ?? 0, $0) }
      case "pending": .pending
      case "confirmed": .confirmed
      case "takenBack": .takenBack
      case "hook": text("name").map { .hookFired(name: $0, tree("value") ?? .omitted) }
      case "unhandled": .unhandled(TraceEvent.Failure(json), action: tree("action"))
      case "dropped": TraceEvent.Dropped(json).map { .dropped($0) }
      case "derived":
        text("name").map {
          .derived(name: $0, from: tree("from") ?? .omitted, to: tree("to") ?? .omitted)
        }
      case "loop": .loopStopped((json["chain"]?.array ?? []).compactMap(\.string))
      case "duplicate": .duplicateChild(text("place") ?? "")
      case "testFailed": .testFailed(text("text") ?? "")
      default: Self.work(json) ?? Self.surroundings(json)
      }
    guard let kind else { return nil }
    self = kind
  }

  private static func work(_ json: JSONValue) -> Self? {
    let kind = json["kind"]?.string
    let work: TraceEvent.Work =
      kind?.hasPrefix("run") == true
      ? .run(json["run"].map { ValueTree($0) })
      : .action(json["action"].map { ValueTree($0) } ?? .omitted)
    let seconds = json["seconds"]?.double ?? 0
    if seconds < 0 { return nil }
    return switch kind {
    case "dispatched", "runStarted": .began(work)
    case "finished", "runFinished": .finished(work, seconds: seconds)
    case "cancelled", "runCancelled": .cancelled(work, EventCancellation(json))
    case "failed", "runFailed": .failed(work, TraceEvent.Failure(json))
    default: nil
    }
  }

  /// Reads what a test did with its endpoints and its clock.
  private static func surroundings(_ json: JSONValue) -> Self? {
    let endpoint = json["endpoint"]?.string ?? ""
    let call = json["call"]?.int ?? 0
    switch json["kind"]?.string {
    case "called":
      return .called(
        endpoint: endpoint, call: call, request: json["request"].map { ValueTree($0) } ?? .omitted)
    case "answered":
      let response = json["response"].map { TraceEvent.Answer.response(ValueTree($0)) }
      return .answered(
        endpoint: endpoint, call: call, response ?? .error(TraceEvent.Failure(json)))
    case "advanced": return json["by"]?.string.map { .advanced(seconds: $0) }
    default: return nil
    }
  }
}

/// Reads the changes of a line; `nil` if one of them is not understood.
private func edits(_ json: JSONValue) -> [ValueEdit]? {
  (json["changes"]?.array ?? []).completeMap { ValueEdit($0) }
}

extension TraceEvent.StoreInfo {
  fileprivate init?(_ json: JSONValue) {
    guard let state = json["state"]?.string else { return nil }
    self.init(
      name: json["name"]?.string, state: state, action: json["action"]?.string ?? "")
  }
}

extension TraceEvent.Failure {
  fileprivate init(_ json: JSONValue) {
    self.init(
      error: json["error"].map { ValueTree($0) } ?? .omitted, text: json["text"]?.string ?? "")
  }
}

extension TraceEvent.Dropped {
  fileprivate init?(_ json: JSONValue) {
    switch json["what"]?.string {
    case "change": self = .change(edits(json) ?? [])
    case "action": self = .action(json["action"].map { ValueTree($0) } ?? .omitted)
    case "run": self = .run
    case "cancel": self = .cancel
    default: return nil
    }
  }
}

extension EventCancellation {
  fileprivate init?(_ json: JSONValue) {
    let event = json["by"]?.int
    switch json["reason"]?.string {
    case "requested": self = .requested(by: event)
    case "superseded": self = .superseded(by: event)
    case "ignored": self = .ignored(for: event)
    case "released": self = .storeReleased
    case "ended": self = .endedWithState
    default: return nil
    }
  }
}
