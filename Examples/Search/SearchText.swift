import Terminal

/// The sentences that show the state, in a terminal and for a script.
extension SearchState {
  /// The lines below the prompt in a window of this size.
  func lines(columns: Int, rows: Int) -> [String] {
    // The last column remains free, as in `Prompt`.
    let width = columns - 1
    let sentences = [status, findings.trouble].compactMap(\.self).map {
      String($0.printable.prefix(columns: width))
    }
    // A long path is cut at the start, because its end tells more.
    let paths = findings.paths.elements.prefix(rows).map(\.printable).map {
      $0.columns <= width ? $0 : "…" + $0.suffix(columns: width - 1)
    }
    return Array((sentences + paths).prefix(rows - 1))
  }

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
