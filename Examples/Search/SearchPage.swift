import Terminal

/// What a window shows of a search below the prompt: sentences, some of the paths, and how many
/// more there are.
struct SearchPage: Equatable {
  private(set) var sentences: [String]
  private(set) var paths: [PathLine]
  /// The index of the first path.
  let start: Int
  /// The number of paths that fit.
  let height: Int
  private(set) var rest: String?

  /// - Parameters:
  ///   - state: the search.
  ///   - start: the index of the first path. If fewer paths follow than fit, an earlier one comes
  ///     first.
  ///   - columns: the width of the window.
  ///   - rows: the height of the window, with the prompt.
  init(_ state: SearchState, from start: Int = 0, columns: Int, rows: Int) {
    // The last column remains free, as in `Prompt`.
    let width = columns - 1
    func fitting(_ text: String) -> String { String(text.printable.prefix(columns: width)) }
    let found = state.findings.paths
    let sentences = [state.status, state.findings.trouble].compactMap(\.self).prefix(rows - 1)
    self.sentences = sentences.map(fitting)
    let space = max(0, rows - 1 - sentences.count)
    height = found.count > space ? max(0, space - 1) : space
    self.start = max(0, min(start, found.elements.count - height))
    let shown = found.elements.dropFirst(self.start).prefix(height)
    let filter = NameFilter(state.query)
    paths = shown.map { PathLine($0, filter: filter, columns: width) }
    if found.count > space, space > 0 {
      rest = fitting(
        found.sentence(above: self.start, below: found.elements.count - shown.endIndex))
    }
  }

  var lines: [String] {
    sentences + paths.map(\.bytes) + [rest].compactMap(\.self)
  }
}

extension Beginning {
  /// Tells how many elements a window does not show.
  fileprivate func sentence(above: Int, below: Int) -> String {
    let numbers = [(above, "above"), (below, "below"), (count - elements.count, "not listed")]
    let words = numbers.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "More: \(words.joined(separator: ", ")). The arrow keys scroll."
  }
}
