internal import Signalbox

/// Writes the test of a store while it follows its events.
///
///     hook measured 17.0          ──▶  sensor.send(17.0)
///     ├─ changed celsius               await store.settle()
///     └─ hook cold                     store.expect {
///        └─ changed isHeated             $0.celsius = 17.0
///                                        $0.isHeated = true
///                                      }
struct TestWriter {
  private let surroundings: Trace.Surroundings
  private let store: Int
  private let info: TraceEvent.StoreInfo
  private let name: String
  private var start: ValueTree?
  /// The state after the events so far, and after what was last expected.
  private var state = ValueTree.null
  private var expected = ValueTree.null
  private var lines: [String] = []
  /// Whether something cannot be written on which all that follows depends.
  private var isOver = false
  /// Whether the last thing that came from outside may make hooks fire by itself.
  private var mayFireHooks = false
  private var request = ValueTree.omitted

  init(
    _ surroundings: Trace.Surroundings, store: Int, info: TraceEvent.StoreInfo, name: String
  ) {
    self.surroundings = surroundings
    self.store = store
    self.info = info
    self.name = name
  }

  mutating func add(_ event: TraceEvent) throws {
    if isOver { return }
    guard event.store == store || event.store == nil else { return }
    switch event.kind {
    case .called, .answered, .advanced: addSurroundings(event.kind)
    case .started(let tree), .state(let tree):
      if start == nil {
        start = tree
        (state, expected) = (tree, tree)
      }
    case .changed(let edits): change(edits, isFromOutside: event.cause == nil && event.work == nil)
    case .dispatched(let action) where event.cause == nil: dispatch(action, in: event.child)
    case .hookFired(let hook, let value) where event.cause == nil:
      fire(hook, value, in: event.child)
    case .cancelled(_, .requested(by: nil)), .runCancelled(_, .requested(by: nil)):
      if event.cause == nil { end("Something was cancelled from outside.") }
    case .unhandled:
      flush()
      lines.append("store.expectError()")
    case .lost: end("Events were lost.")
    case .released: isOver = true
    default: break
    }
  }

  // MARK: - What came from outside

  private mutating func dispatch(_ action: ValueTree, in child: String?) {
    guard let literal = action.literal() else {
      return end("An action cannot be written as Swift: \(action.text()).")
    }
    guard let child else { return outside("store.send(\(literal))") }
    guard let handle = handle(of: child) else {
      return end(
        "The child \(child) got \(action.text()). Name its interactor in `children`.")
    }
    outside("\(handle)?.send(\(literal))")
  }

  /// The expression of a child, as in `store.child(\.rows, id: 3, Row.self)`.
  private func handle(of child: String) -> String? {
    let names = Why.names(inChildPath: child)
    guard let property = names.first, let type = surroundings.children[property] else { return nil }
    switch names.count {
    case 1: return "store.child(\\.\(property), \(type).self)"
    case 2 where names[1].hasPrefix("[id: "):
      let id = names[1].dropFirst("[id: ".count).dropLast()
      return "store.child(\\.\(property), id: \(id), \(type).self)"
    default: return nil
    }
  }

  private mutating func fire(_ hook: String, _ value: ValueTree, in child: String?) {
    guard child == nil, let trigger = surroundings.hooks[hook] else {
      // What wakes up on a clock, and what connects with its first value, fires by itself.
      if mayFireHooks || lines.isEmpty { return }
      let place = child.map { "\($0): " } ?? ""
      return end("The hook \(place)\(hook) received \(value.text()). Say in `hooks` how it fires.")
    }
    if trigger.isEmpty { return }
    guard let literal = value.literal() else {
      return end("The hook \(hook) received \(value.text()), which cannot be written as Swift.")
    }
    outside(trigger.replacing("$0", with: literal))
  }

  private mutating func addSurroundings(_ kind: TraceEvent.Kind) {
    guard start != nil else { return }
    switch kind {
    case .called(_, _, let tree): request = tree
    case .answered(let endpoint, _, let answer): self.answer(endpoint, answer)
    case .advanced("all"):
      outside("await clock.run()", settles: false)
      mayFireHooks = true
    case .advanced(let seconds):
      outside("await clock.advance(by: .seconds(\(seconds)))", settles: false)
      mayFireHooks = true
    default: break
    }
  }

  private mutating func answer(_ endpoint: String, _ answer: TraceEvent.Answer) {
    let request = request.literal()
    switch answer {
    case .response(let tree):
      guard let response = tree.literal() else {
        return end("\(endpoint) answered \(tree.text()), which cannot be written as Swift.")
      }
      let subject = request.map { "to: \($0), " } ?? ""
      outside("await \(endpoint).reply(\(subject)with: \(response))", settles: false)
    case .error(let failure):
      guard case .record(let record) = failure.error, let type = record.type,
        let literal = failure.error.literal()
      else { return end("\(endpoint) failed with \(failure.text).") }
      // Where any error is expected, a case needs its type.
      let error = literal.hasPrefix(".") ? type + literal : literal
      let subject = request.map { "\($0), " } ?? ""
      outside("await \(endpoint).fail(\(subject)with: \(error))", settles: false)
    case .cancelled: break
    }
  }

  // MARK: - Changes

  private mutating func change(_ edits: [ValueEdit], isFromOutside: Bool) {
    var next = state
    guard (try? next.apply(edits)) != nil else { return end("A change does not fit the state.") }
    guard isFromOutside else {
      state = next
      return
    }
    flush()
    for field in Self.changed(from: state, to: next) {
      guard let literal = literal(of: field) else {
        state = next
        return end("\(field.label ?? "The state") was written from outside.")
      }
      lines.append("store.\(field.label ?? "state") = \(literal)")
    }
    state = next
    expected = next
    lines.append("await store.settle()")
    mayFireHooks = false
  }

  /// The properties that differ, with their new values.
  private static func changed(from old: ValueTree, to new: ValueTree) -> [ValueTree.Field] {
    guard case .record(let old) = old, case .record(let new) = new, new.caseName == nil,
      old.fields.map(\.label) == new.fields.map(\.label), new.fields.allSatisfy({ $0.label != nil })
    else { return old.matches(new) ? [] : [ValueTree.Field(label: nil, value: new)] }
    return zip(old.fields, new.fields).filter { !$0.value.matches($1.value) }.map { $1 }
  }

  private func literal(of field: ValueTree.Field) -> String? {
    if let label = field.label, surroundings.withoutLiterals.contains(label) { return nil }
    return field.value.literal()
  }

  // MARK: - Lines

  private mutating func outside(_ line: String, settles: Bool = true) {
    flush()
    mayFireHooks = false
    step(line, settles: settles)
  }

  private mutating func step(_ line: String, settles: Bool) {
    lines.append(line)
    if settles { lines.append("await store.settle()") }
  }

  /// Expects what has changed since the last expectation.
  private mutating func flush() {
    var writes: [String] = []
    for field in Self.changed(from: expected, to: state) {
      if let literal = literal(of: field) {
        writes.append("  $0\(field.label.map { ".\($0)" } ?? "") = \(literal)")
      } else {
        writes.append(
          "  // \(field.label ?? "The state") cannot be written as Swift: \(field.value.text(room: 60))"
        )
      }
    }
    expected = state
    guard !writes.isEmpty else { return }
    guard writes.contains(where: { !$0.hasPrefix("  //") }) else {
      lines += writes.map { String($0.dropFirst(2)) }
      return
    }
    lines += ["store.expect {"] + writes + ["}"]
  }

  private mutating func end(_ reason: String) {
    flush()
    isOver = true
    lines.append("// The recording goes on here, and the test does not: \(reason)")
  }

  /// The whole file.
  func source() throws(TraceTestError) -> String {
    var writer = self
    writer.flush()
    guard let state = surroundings.state ?? start?.literal(most: 20_000) else {
      throw .noState(info.state)
    }
    let usesFoundation = ([state] + writer.lines).contains { $0.contains("UUID(") }
    let imports =
      [
        "// swift-format-ignore-file", "import Signalbox", "import SignalboxTesting",
        "import Testing",
      ]
      + (usesFoundation ? ["import Foundation"] : []) + surroundings.imports
    var body = surroundings.setup
    body += ["let store = TestStore(", "  state: \(state),", "  \(surroundings.subject))"]
    // The hooks of a store may have fired when it was made.
    body.append("await store.settle()")
    body += writer.lines
    return
      (imports + ["", "@MainActor @Test func \(name)() async {"] + body.map { "  \($0)" } + ["}"])
      .joined(separator: "\n") + "\n"
  }
}
