internal import Signalbox
internal import SignalboxInspection

extension TraceEvent {
  /// The line, with a line break at its end.
  package var line: String { String(decoding: bytes, as: UTF8.self) }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", kind.name)
      if let store { writer.member("store", store) }
      if let child { writer.member("child", child) }
      if let id { writer.member("id", id) }
      if let cause { writer.member("cause", cause) }
      if let work { writer.member("work", work) }
      writer.key("t")
      writer.seconds(time)
      kind.write(to: &writer)
    }
    writer.endLine()
    return writer.bytes
  }
}

extension TraceEvent.Kind {
  package var name: String {
    switch self {
    case .store: "store"
    case .started: "started"
    case .state: "state"
    case .began(let work): work.isRun ? "runStarted" : "dispatched"
    case .finished(let work, _): work.isRun ? "runFinished" : "finished"
    case .cancelled(let work, _): work.isRun ? "runCancelled" : "cancelled"
    case .failed(let work, _): work.isRun ? "runFailed" : "failed"
    case .hookFired: "hook"
    case .changed: "changed"
    case .pending: "pending"
    case .confirmed: "confirmed"
    case .takenBack: "takenBack"
    case .derived: "derived"
    case .unhandled: "unhandled"
    case .dropped: "dropped"
    case .loopStopped: "loop"
    case .duplicateChild: "duplicate"
    case .released: "released"
    case .lost: "lost"
    case .called: "called"
    case .answered: "answered"
    case .advanced: "advanced"
    case .testFailed: "testFailed"
    case .stopped: "stopped"
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .store(let info): writer.info(info)
    case .started(let state), .state(let state): writer.member("state", state)
    case .began(let work): writer.work(work)
    case .finished(let work, let seconds):
      writer.work(work)
      writer.key("seconds")
      writer.seconds(seconds)
    case .cancelled(let work, let reason):
      writer.work(work)
      writer.reason(reason)
    case .failed(let work, let failure):
      writer.work(work)
      writer.failure(failure)
    case .hookFired(let name, let value):
      writer.member("name", name)
      writer.member("value", value)
    case .changed(let edits): writer.changes(edits)
    case .derived(let name, let old, let new):
      writer.member("name", name)
      writer.member("from", old)
      writer.member("to", new)
    case .unhandled(let failure, let action):
      if let action { writer.member("action", action) }
      writer.failure(failure)
    case .dropped(let dropped): writer.dropped(dropped)
    case .loopStopped(let chain):
      writer.key("chain")
      writer.array { writer in for link in chain { writer.string(link) } }
    case .duplicateChild(let place): writer.member("place", place)
    case .testFailed(let text): writer.member("text", text)
    case .pending, .confirmed, .takenBack, .released, .stopped: break
    case .lost(let count, let edits):
      writer.member("count", count)
      writer.changes(edits)
    case .called(let endpoint, let call, let request):
      writer.member("endpoint", endpoint)
      writer.member("call", call)
      writer.member("request", request)
    case .answered(let endpoint, let call, let answer):
      writer.member("endpoint", endpoint)
      writer.member("call", call)
      switch answer {
      case .response(let value): writer.member("response", value)
      case .error(let failure): writer.failure(failure)
      }
    case .advanced(let seconds): writer.member("by", seconds)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func info(_ info: TraceEvent.StoreInfo) {
    if let name = info.name { member("name", name) }
    member("state", info.state)
    member("action", info.action)
  }

  fileprivate mutating func work(_ work: TraceEvent.Work) {
    switch work {
    case .action(let action): member("action", action)
    case .run(let id): if let id { member("run", id) }
    }
  }

  fileprivate mutating func failure(_ failure: TraceEvent.Failure) {
    member("error", failure.error)
    member("text", failure.text)
  }

  fileprivate mutating func changes(_ changes: [ValueEdit]) {
    key("changes")
    edits(changes)
  }

  fileprivate mutating func dropped(_ dropped: TraceEvent.Dropped) {
    switch dropped {
    case .change(let edits):
      member("what", "change")
      changes(edits)
    case .action(let action):
      member("what", "action")
      member("action", action)
    case .run: member("what", "run")
    case .cancel: member("what", "cancel")
    }
  }

  fileprivate mutating func reason(_ reason: EventCancellation?) {
    let (name, event): (String, Int?) =
      switch reason {
      case .requested(let event): ("requested", event)
      case .superseded(let event): ("superseded", event)
      case .ignored(let event): ("ignored", event)
      case .storeReleased: ("released", nil)
      case .endedWithState: ("ended", nil)
      case nil: ("unknown", nil)
      }
    member("reason", name)
    if let event { member("by", event) }
  }
}
