internal import Signalbox

extension TraceEvent {
  /// Roughly the bytes of memory that the event takes.
  var weight: Int {
    let trees: [ValueTree?] =
      switch kind {
      case .store, .loopStopped, .duplicateChild, .released, .stopped, .advanced, .testFailed: []
      case .started(let tree), .state(let tree), .dispatched(let tree), .hookFired(_, let tree),
        .finished(let tree, _), .cancelled(let tree, _), .called(_, _, let tree):
        [tree]
      case .failed(let tree, let failure): [tree, failure.error]
      case .runStarted(let tree), .runFinished(let tree, _), .runCancelled(let tree, _): [tree]
      case .runFailed(let tree, let failure): [tree, failure.error]
      case .unhandled(let failure, let tree): [tree, failure.error]
      case .changed(let edits), .lost(_, let edits), .dropped(.change(let edits)):
        edits.flatMap(\.trees)
      case .dropped(.action(let tree)): [tree]
      case .dropped: []
      case .answered(_, _, .response(let tree)): [tree]
      case .answered(_, _, .error(let failure)): [failure.error]
      case .answered(_, _, .cancelled): []
      }
    return trees.reduce(200) { $0 + ($1?.weight ?? 0) }
  }
}

extension ValueTree {
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .integer, .redacted, .omitted: 32
    case .number(let text), .string(let text): 32 + text.utf8.count
    case .text(let type, let text): 48 + type.utf8.count + text.utf8.count
    case .some(let inner): 64 + inner.weight
    case .list(_, let trees), .set(let trees): trees.reduce(64) { $0 + $1.weight }
    case .dictionary(let entries): entries.reduce(64) { $0 + $1.key.weight + $1.value.weight }
    case .record(let record): record.fields.reduce(96) { $0 + 32 + $1.value.weight }
    }
  }
}

extension ValueEdit {
  fileprivate var trees: [ValueTree] {
    let keys = path.compactMap { step in if case .key(let key) = step { key } else { nil } }
    return switch change {
    case .replaced(let old, let new): keys + [old, new]
    case .inserted(let tree), .removed(let tree): keys + [tree]
    case .elements(let elements): keys + (elements.removed + elements.inserted).map(\.value)
    case .members(let removed, let inserted): keys + removed + inserted
    case .text(_, let old, let new): keys + [.string(old), .string(new)]
    }
  }
}
