internal import SignalboxInspection

extension TraceEvent {
  /// Roughly the bytes of memory that the event takes.
  var weight: Int { 200 + (child?.utf8.count ?? 0) + kind.trees.weight }
}

extension TraceEvent.Kind {
  /// The values in it, and its texts as values.
  fileprivate var trees: [ValueTree] {
    switch self {
    case .pending, .confirmed, .takenBack, .released, .stopped, .advanced: []
    case .store(let info): [.string(info.state), .string(info.action)]
    case .loopStopped(let chain): chain.map { .string($0) }
    case .duplicateChild(let text), .testFailed(let text): [.string(text)]
    case .started(let tree), .state(let tree), .hookFired(_, let tree), .called(_, _, let tree),
      .dropped(.action(let tree)), .answered(_, _, .response(let tree)):
      [tree]
    case .began(let work), .finished(let work, _), .cancelled(let work, _): [work.tree ?? .null]
    case .failed(let work, let failure): [work.tree ?? .null] + failure.trees
    case .unhandled(let failure, let tree): [tree ?? .null] + failure.trees
    case .changed(let edits), .lost(_, let edits), .dropped(.change(let edits)):
      edits.flatMap(\.trees)
    case .derived(_, let old, let new): [old, new]
    case .answered(_, _, .error(let failure)): failure.trees
    case .dropped: []
    }
  }
}

extension TraceEvent.Failure {
  fileprivate var trees: [ValueTree] { [error, .string(text)] }
}

extension ValueEdit {
  fileprivate var trees: [ValueTree] {
    let steps: [ValueTree] = path.map { step in
      switch step {
      case .field(let label): .string(label)
      case .index(_, let id): .string(id ?? "")
      case .key(let key): key
      }
    }
    switch change {
    case .replaced(let old, let new): return steps + [old, new]
    case .inserted(let tree), .removed(let tree): return steps + [tree]
    case .elements(let elements):
      return steps + (elements.removed + elements.inserted).map(\.value)
        + elements.moved.map { .integer($0.new) }
    case .members(let removed, let inserted): return steps + removed + inserted
    case .text(_, let old, let new): return steps + [.string(old), .string(new)]
    }
  }
}

extension [ValueTree] {
  fileprivate var weight: Int { reduce(0) { $0 + $1.weight } }
}

extension ValueTree {
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .integer, .redacted, .omitted: 32
    case .number(let text), .string(let text): 32 + text.utf8.count
    case .text(let type, let text): 48 + type.utf8.count + text.utf8.count
    case .some(let inner): 64 + inner.weight
    case .list(_, let trees), .set(let trees): 64 + trees.weight
    case .dictionary(let entries): entries.reduce(64) { $0 + $1.key.weight + $1.value.weight }
    case .record(let record): record.fields.reduce(96) { $0 + 32 + $1.value.weight }
    }
  }
}
