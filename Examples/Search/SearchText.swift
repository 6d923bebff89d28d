/// The sentences that show the state, in a terminal and for a script.
extension SearchState {
  var status: String {
    switch phase {
    case .idle: "Type a part of a name."
    case .waiting: "…"
    case .searching: "\(findings.summary) so far. Escape stops."
    case .finished: "\(findings.summary)."
    case .stopped: "Stopped: \(findings.summary)."
    }
  }
}

extension Findings {
  var summary: String { "\(paths.count) of \(lookedAt) names" }

  var trouble: String? {
    unreadable.elements.first.map {
      unreadable.count == 1
        ? $0.sentence : "\($0.sentence) \(unreadable.count - 1) more cannot be read."
    }
  }
}

extension UnreadableFolder {
  var sentence: String { "The folder \(path) cannot be read: \(reason)." }
}
