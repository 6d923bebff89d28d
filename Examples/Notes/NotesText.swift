import SignalboxStorage
import Terminal

/// The sentences that show the state, in a terminal and for a script.
extension Notebook {
  /// The notes that are shown, in their order.
  var shown: [Note] {
    let notes = Dictionary(notes.map { ($0.id, $0) }) { first, _ in first }
    return search.found.compactMap { notes[$0] }
  }

  var status: String {
    if case .failed(let reason) = saving { return reason }
    if let draft { return "\(draft.words) \(draft.words == 1 ? "word" : "words")" }
    return "\(shown.count) of \(notes.count) notes, \(settings.order.sentence)"
  }
}

extension Order {
  fileprivate var sentence: String {
    switch self {
    case .newest: "newest first"
    case .alphabetical: "in alphabetical order"
    }
  }
}

extension Note {
  var line: String {
    ([isPinned ? "*" : " ", "\(id)", text] + [remark].compactMap(\.self)).joined(separator: " ")
      .printable
  }

  private var remark: String? {
    isSharing ? "(sharing…)" : (problem ?? link).map { "(\($0))" }
  }
}

extension AttachedFile {
  var lines: [String] {
    (text ?? problem ?? "loading…").split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).printable }
  }
}
