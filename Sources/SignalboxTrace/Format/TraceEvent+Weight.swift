internal import Signalbox

extension TraceEvent {
  /// Roughly the bytes of memory that the event takes.
  var weight: Int {
    let parts: Int =
      switch kind {
      case .released, .stopped, .advanced: 0
      case .store(let info): info.state.utf8.count + info.action.utf8.count
      case .loopStopped(let chain): chain.reduce(0) { $0 + 16 + $1.utf8.count }
      case .duplicateChild(let text), .testFailed(let text): text.utf8.count
      case .started(let tree), .state(let tree), .dispatched(let tree), .hookFired(_, let tree),
        .finished(let tree, _), .cancelled(let tree, _), .called(_, _, let tree),
        .dropped(.action(let tree)), .answered(_, _, .response(let tree)):
        tree.weight
      case .runStarted(let tree), .runFinished(let tree, _), .runCancelled(let tree, _):
        tree?.weight ?? 0
      case .failed(let tree, let failure): tree.weight + failure.weight
      case .runFailed(let tree, let failure), .unhandled(let failure, let tree):
        (tree?.weight ?? 0) + failure.weight
      case .changed(let edits), .lost(_, let edits), .dropped(.change(let edits)):
        edits.reduce(0) { $0 + $1.weight }
      case .answered(_, _, .error(let failure)): failure.weight
      case .dropped, .answered(_, _, .cancelled): 0
      }
    return 200 + (child?.utf8.count ?? 0) + parts
  }
}

extension TraceEvent.Failure {
  fileprivate var weight: Int { error.weight + text.utf8.count }
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
  fileprivate var weight: Int { path.reduce(64) { $0 + $1.weight } + change.weight }
}

extension ValueEdit.Step {
  fileprivate var weight: Int {
    switch self {
    case .field(let label): 48 + label.utf8.count
    case .index(_, let id): 48 + (id?.utf8.count ?? 0)
    case .key(let key): 16 + key.weight
    }
  }
}

extension ValueEdit.Change {
  fileprivate var weight: Int {
    switch self {
    case .replaced(let old, let new): old.weight + new.weight
    case .inserted(let tree), .removed(let tree): tree.weight
    case .elements(let elements):
      (elements.removed + elements.inserted).reduce(16 * elements.moved.count) {
        $0 + 16 + $1.value.weight
      }
    case .members(let removed, let inserted): (removed + inserted).reduce(0) { $0 + $1.weight }
    case .text(_, let old, let new): 64 + old.utf8.count + new.utf8.count
    }
  }
}
