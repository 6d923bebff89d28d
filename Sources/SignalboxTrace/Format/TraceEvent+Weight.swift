internal import SignalboxInspection

extension TraceEvent {
  /// Roughly the bytes of memory that the event takes.
  var weight: Int {
    var scale = Scale()
    scale.weight += child?.utf8.count ?? 0
    scale.add(kind)
    return scale.weight
  }
}

/// Adds up the weights of the parts of an event.
private struct Scale {
  var weight = 200

  mutating func add(_ kind: TraceEvent.Kind) {
    switch kind {
    case .pending, .confirmed, .takenBack, .released, .stopped, .advanced: break
    case .store(let info): weight += info.state.utf8.count + info.action.utf8.count
    case .loopStopped(let chain): for link in chain { weight += 16 + link.utf8.count }
    case .duplicateChild(let text), .testFailed(let text): weight += text.utf8.count
    case .started(let tree), .state(let tree), .hookFired(_, let tree), .called(_, _, let tree):
      add(tree)
    case .began(let work), .finished(let work, _), .cancelled(let work, _): add(work.tree)
    case .failed(let work, let failure): add(work.tree, failure)
    case .unhandled(let failure, let tree): add(tree, failure)
    case .changed(let edits), .lost(_, let edits), .dropped(.change(let edits)):
      for edit in edits { add(edit) }
    case .derived(_, let old, let new): for tree in [old, new] { add(tree) }
    case .dropped(.action(let tree)): add(tree)
    case .dropped: break
    case .answered(_, _, .response(let tree)): add(tree)
    case .answered(_, _, .error(let failure)): add(nil, failure)
    case .answered(_, _, .cancelled): break
    }
  }

  private mutating func add(_ tree: ValueTree?, _ failure: TraceEvent.Failure) {
    add(tree)
    add(failure.error)
    weight += failure.text.utf8.count
  }

  private mutating func add(_ tree: ValueTree?) {
    guard let tree else { return }
    switch tree {
    case .null, .bool, .integer, .redacted, .omitted: weight += 32
    case .number(let text), .string(let text): weight += 32 + text.utf8.count
    case .text(let type, let text): weight += 48 + type.utf8.count + text.utf8.count
    case .some(let inner):
      weight += 64
      add(inner)
    case .list(_, let trees), .set(let trees):
      weight += 64
      for tree in trees { add(tree) }
    case .dictionary(let entries):
      weight += 64
      for entry in entries {
        add(entry.key)
        add(entry.value)
      }
    case .record(let record):
      weight += 96
      for field in record.fields {
        weight += 32
        add(field.value)
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
    for step in edit.path { add(step) }
    switch edit.change {
    case .replaced(let old, let new):
      add(old)
      add(new)
    case .inserted(let tree), .removed(let tree): add(tree)
    case .elements(let elements):
      weight += 16 * elements.moved.count
      for element in elements.removed + elements.inserted { add(element.value) }
    case .members(let removed, let inserted):
      for tree in removed + inserted { add(tree) }
    case .text(_, let old, let new): weight += 64 + old.utf8.count + new.utf8.count
    }
  }
}
