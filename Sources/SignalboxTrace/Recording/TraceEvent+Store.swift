internal import Signalbox
internal import SignalboxInspection

extension TraceEvent.Kind {
  /// The number of parts of an action, an error or the value of a hook that are recorded.
  private static let room = 10_000

  /// - Parameter isHidden: whether the value of a hook, a derived value or a change is redacted.
  @MainActor init?<State, Action>(_ event: StoreEvent<State, Action>, isHidden: Bool) {
    switch event.kind {
    case .started, .stateChanged, .child: return nil
    case .dispatched(let action): self = .began(Self.work(action))
    case .finished(let action, let time):
      self = .finished(Self.work(action), seconds: time / .seconds(1))
    case .cancelled(let action): self = .cancelled(Self.work(action), event.cancellation)
    case .failed(let action, let error):
      self = .failed(Self.work(action), TraceEvent.Failure(error))
    case .runStarted(let id): self = .began(Self.work(run: id))
    case .runFinished(let id, let time):
      self = .finished(Self.work(run: id), seconds: time / .seconds(1))
    case .runCancelled(let id): self = .cancelled(Self.work(run: id), event.cancellation)
    case .runFailed(let id, let error):
      self = .failed(Self.work(run: id), TraceEvent.Failure(error))
    case .hookFired(let name, let value):
      self = .hookFired(name: name, isHidden ? .redacted : Self.tree(value))
    case .pending: self = .pending
    case .confirmed: self = .confirmed
    case .takenBack: self = .takenBack
    case .derived(let name, let old, let new):
      self = .derived(
        name: name, from: isHidden ? .redacted : Self.tree(old),
        to: isHidden ? .redacted : Self.tree(new))
    case .unhandled(let error, let action):
      self = .unhandled(
        TraceEvent.Failure(error), action: action.map { Self.tree(message: $0) })
    case .dropped(.change) where isHidden:
      self = .dropped(.change([ValueEdit([], .replaced(.redacted, by: .redacted))]))
    case .dropped(let dropped): self = .dropped(TraceEvent.Dropped(dropped))
    case .loopStopped(let chain): self = .loopStopped(chain)
    case .duplicateChild(let place): self = .duplicateChild(place)
    }
  }

  static func of(_ input: TestInput) -> [Self] {
    switch input {
    case .advanced(nil): return [.advanced(seconds: "all")]
    case .advanced(let duration?):
      // As a `Double`, it may be too short for what sleeps until then.
      return [.advanced(seconds: String(tree(duration).text().dropLast(" seconds".count)))]
    case .answered(let endpoint, let call, let request, let result):
      let answer: TraceEvent.Answer =
        switch result {
        case .success(let response): .response(tree(response))
        case .failure(let error): .error(TraceEvent.Failure(error))
        }
      // The call may have come from any thread, so it is written with its answer.
      return [
        .called(endpoint: endpoint, call: call, request: tree(request)),
        .answered(endpoint: endpoint, call: call, answer),
      ]
    }
  }

  private static func work(_ action: Any) -> TraceEvent.Work { .action(tree(message: action)) }
  private static func work(run id: Any?) -> TraceEvent.Work { .run(id.map { tree($0) }) }

  fileprivate static func tree(message: Any) -> ValueTree {
    tree(Redaction.shown(message: message))
  }

  fileprivate static func tree(_ value: Any) -> ValueTree { ValueTree(value, room: room) }
}

extension TraceEvent.Failure {
  fileprivate init(_ error: any Error) {
    self.init(
      error: TraceEvent.Kind.tree(error), text: String(Dump.description(of: error).prefix(10_000)))
  }
}

extension TraceEvent.Dropped {
  fileprivate init<State, Action>(_ dropped: StoreEvent<State, Action>.Dropped) {
    switch dropped {
    case .change(let old, let new):
      self = .change(ValueDifference.changes(from: old, to: new).edits)
    case .action(let action): self = .action(TraceEvent.Kind.tree(message: action))
    case .run: self = .run
    case .cancel: self = .cancel
    }
  }
}
