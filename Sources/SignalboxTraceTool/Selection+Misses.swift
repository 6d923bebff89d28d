import SignalboxInspection
import SignalboxTrace

extension Selection {
  /// Sentences about the options that fit no event, with names that would.
  func misses(in events: [TraceEvent]) -> [String] {
    var sentences: [String] = []
    func check(_ option: String, _ name: String, fits: Bool, _ names: Set<String>) {
      if fits { return }
      // The shortest first, because the paths of elements are long.
      let names = names.filter { !$0.isEmpty }
      let known = names.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(8)
      let rest = names.count > known.count ? ", and \(names.count - known.count) more" : ""
      let remark =
        known.isEmpty
        ? "There are none at all." : "These would: \(known.joined(separator: ", "))\(rest)."
      sentences.append("No event fits \(option) \(name). \(remark)")
    }
    for path in paths {
      let changes = events.flatMap(\.kind.changes)
      check(
        "--state", path.text, fits: changes.contains { path.fits($0.path) },
        Set(changes.map { Self.names(in: $0.path) }))
    }
    let actionNames = Set(events.flatMap(\.kind.actionNames))
    for action in actions {
      check("--action", action, fits: actionNames.contains(action), actionNames)
    }
    let hookNames = Set(
      events.compactMap { event in
        if case .hookFired(let name, _) = event.kind { name } else { nil }
      })
    for hook in hooks { check("--hook", hook, fits: hookNames.contains(hook), hookNames) }
    if sentences.isEmpty, !events.contains(where: fits), let since {
      let end = events.map(\.time).max() ?? 0
      sentences.append(
        "Nothing that fits happened from \(since) s on. The recording ends at \(end) s.")
    }
    return sentences
  }

  private static func names(in path: [ValueEdit.Step]) -> String {
    path.compactMap { if case .field(let name) = $0 { name } else { nil } }.joined(separator: ".")
  }
}
