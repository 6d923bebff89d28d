internal import SignalboxInspection

extension TraceEvent {
  /// Roughly the bytes of memory that the event takes.
  var weight: Int { weight(upTo: .max) }

  /// Whether the event takes less memory than so many bytes, of which no more are looked at.
  func isLighter(than most: Int) -> Bool { weight(upTo: most) < most }

  private func weight(upTo most: Int) -> Int {
    var scale = Scale(most: most)
    scale.weight += child?.utf8.count ?? 0
    scale.add(kind)
    return scale.weight
  }
}

/// Adds up the weights of the parts of an event, up to a limit.
private struct Scale {
  let most: Int
  var weight = 200

  init(most: Int) { self.most = most }

  mutating func add(_ kind: TraceEvent.Kind) {
    switch kind {
    case .released, .stopped, .advanced: break
    case .store(let info): weight += info.state.utf8.count + info.action.utf8.count
    case .loopStopped(let chain): addAll(chain) { $0.weight += 16 + $1.utf8.count }
    case .duplicateChild(let text), .testFailed(let text): weight += text.utf8.count
    case .started(let tree), .state(let tree), .dispatched(let tree), .hookFired(_, let tree),
      .finished(let tree, _), .cancelled(let tree, _), .called(_, _, let tree):
      add(tree)
    case .runStarted(let tree), .runFinished(let tree, _), .runCancelled(let tree, _): add(tree)
    case .failed(let tree, let failure): add(tree, failure)
    case .runFailed(let tree, let failure): add(tree, failure)
    case .unhandled(let failure, let tree): add(tree, failure)
    case .changed(let edits), .lost(_, let edits), .dropped(.change(let edits)):
      addAll(edits) { $0.add($1) }
    case .dropped(.action(let tree)): add(tree)
    case .dropped: break
    case .answered(_, _, .response(let tree)): add(tree)
    case .answered(_, _, .error(let failure)): add(nil, failure)
    case .answered(_, _, .cancelled): break
    }
  }

  private mutating func addAll<T>(
    _ elements: some Sequence<T>, _ add: (inout Self, T) -> Void
  ) {
    for element in elements {
      if weight >= most { return }
      add(&self, element)
    }
  }

  private mutating func add(_ tree: ValueTree?, _ failure: TraceEvent.Failure) {
    add(tree)
    add(failure.error)
    weight += failure.text.utf8.count
  }

  private mutating func add(_ tree: ValueTree?) {
    guard let tree, weight < most else { return }
    switch tree {
    case .null, .bool, .integer, .redacted, .omitted: weight += 32
    case .number(let text), .string(let text): weight += 32 + text.utf8.count
    case .text(let type, let text): weight += 48 + type.utf8.count + text.utf8.count
    case .some(let inner):
      weight += 64
      add(inner)
    case .list(_, let trees), .set(let trees):
      weight += 64
      addAll(trees) { $0.add($1) }
    case .dictionary(let entries):
      weight += 64
      addAll(entries) {
        $0.add($1.key)
        $0.add($1.value)
      }
    case .record(let record):
      weight += 96
      addAll(record.fields) {
        $0.weight += 32
        $0.add($1.value)
      }
    }
  }

  private mutating func add(_ step: ValueEdit.Step) {
    switch step {
    case .field(let label): weight += 48 + label.utf8.count
    case .index(_, let id): weight += 48 + (id?.utf8.count ?? 0)
    case .key(let key): add(key)
    }
  }

  private mutating func add(_ edit: ValueEdit) {
    weight += 64
    addAll(edit.path) { $0.add($1) }
    switch edit.change {
    case .replaced(let old, let new):
      add(old)
      add(new)
    case .inserted(let tree), .removed(let tree): add(tree)
    case .elements(let elements):
      weight += 16 * elements.moved.count
      addAll(elements.removed) { $0.add($1.value) }
      addAll(elements.inserted) { $0.add($1.value) }
    case .members(let removed, let inserted):
      addAll(removed) { $0.add($1) }
      addAll(inserted) { $0.add($1) }
    case .text(_, let old, let new): weight += 64 + old.utf8.count + new.utf8.count
    }
  }
}
