internal import Signalbox
internal import SignalboxInspection

/// What came from outside, beside actions, as statements of a test.
extension TestWriter {
  /// - Returns: whether the values may arrive later.
  mutating func fire(_ hook: String, _ value: ValueTree, in child: String?) -> Bool {
    let name = TestSteps.name(of: hook, in: child)
    guard let trigger = surroundings.hooks[name] else {
      end("The hook \(name) received \(value.text()). Say in `hooks` how it fires.")
      return false
    }
    guard let literal = value.literal(surroundings) else {
      end("The hook \(name) received \(value.text()), which cannot be written as Swift.")
      return false
    }
    lines.append(trigger.replacing("$0", with: literal))
    // What is sent on the main actor has arrived (S14).
    return !trigger.contains(".send(") || trigger.contains("await ")
  }

  mutating func answer(
    _ endpoint: String, _ request: ValueTree, _ answer: TraceEvent.Answer, _ isOldest: Bool
  ) {
    let isComparable = !request.isTuple && !surroundings.withoutLiterals.contains(endpoint)
    let literal = isComparable ? request.literal(surroundings) : nil
    guard literal != nil || isOldest else {
      return end(
        "\(endpoint) answered a call that cannot be written as Swift, before an older one.")
    }
    switch answer {
    case .response(let tree):
      guard let response = tree.literal(surroundings) else {
        return end("\(endpoint) answered \(tree.text()), which cannot be written as Swift.")
      }
      let subject = literal.map { "to: \($0), " } ?? ""
      lines.append("await \(endpoint).reply(\(subject)with: \(response))")
    case .error(let failure):
      guard
        let error = surroundings.expressions[failure.text]
          ?? failure.error.literal(surroundings)
      else {
        return end(
          "\(endpoint) failed with an error that cannot be written as Swift: \(failure.text)")
      }
      let subject = literal.map { "\($0), " } ?? ""
      lines.append("await \(endpoint).fail(\(subject)with: \(error))")
    }
  }

  mutating func write(_ edits: [ValueEdit], to root: TestChanges.Place, _ step: TestStep) {
    // A secret is a text in the state, which has its expression.
    var (state, surroundings) = (step.start, surroundings)
    for edit in edits {
      guard case .replaced(_, .redacted) = edit.change else { continue }
      let name = edit.path.compactMap { if case .field(let name) = $0 { name } else { nil } }
        .joined(separator: ".")
      let used = usedSecrets[name, default: 0]
      guard let secrets = surroundings.secrets[name], used < secrets.count else {
        return end("\(name) was written, and is redacted. Say in `secrets` what to write.")
      }
      usedSecrets[name] = used + 1
      surroundings.expressions["\(name) \(used)"] = secrets[used]
      let secret = ValueTree.text(type: "", "\(name) \(used)")
      do {
        try state.apply([ValueEdit(edit.path, .replaced(.redacted, by: secret))])
      } catch {
        return end("\(name) was written, and its place is not known.")
      }
    }
    let changes = TestChanges(from: step.before, to: state, root: root, surroundings, optionals)
    lines += changes.statements
    if !changes.comments.isEmpty || !changes.comparisons.isEmpty {
      end(changes.comments.first ?? "A property without a literal was written from outside.")
    }
  }
}
