import Terminal
import Testing

@testable import Search

struct SearchPageTests {
  private func state(
    _ paths: [String], of limit: Int = .max, query: String = "", unreadable: Int = 0
  ) -> SearchState {
    var state = SearchState(query: query, phase: .finished, findings: Findings(limit: limit))
    state.findings.add(
      SearchStep(
        paths: paths, lookedAt: 9,
        unreadable: (0..<unreadable).map { UnreadableFolder(path: "\($0)", reason: "No") }))
    return state
  }

  private func lines(
    _ state: SearchState, from start: Int = 0, columns: Int = 80, rows: Int = 24
  ) -> [String] {
    SearchPage(state, from: start, columns: columns, rows: rows).lines
  }

  @Test func `the status comes first, then the problem, then the paths`() {
    #expect(
      lines(state(["a", "b"], unreadable: 1))
        == ["2 of 9 names.", "The folder 0 cannot be read: No.", "a", "b"])
  }

  @Test func `the lines fit into the window below the prompt, wherever it is scrolled`() {
    let state = state(["a", "b", "c", "d"])
    for rows in 1...8 {
      for start in -1...5 {
        let page = SearchPage(state, from: start, columns: 80, rows: rows)
        #expect(page.lines.count == min(rows - 1, 5))
        #expect(page.paths.count == min(page.height, 4))
      }
    }
  }

  @Test(arguments: [
    (-7, ["a", "b", "More: 4 below. The arrow keys scroll."]),
    (0, ["a", "b", "More: 4 below. The arrow keys scroll."]),
    (1, ["b", "c", "More: 1 above, 3 below. The arrow keys scroll."]),
    (4, ["e", "f", "More: 4 above. The arrow keys scroll."]),
    (9, ["e", "f", "More: 4 above. The arrow keys scroll."]),
  ])
  func `paths that do not fit are counted`(start: Int, shown: [String]) {
    let state = state(["a", "b", "c", "d", "e", "f"])
    #expect(lines(state, from: start, rows: 5) == ["6 of 9 names."] + shown)
  }

  @Test func `paths that are not kept are counted apart`() {
    let state = state(["a", "b", "c", "d"], of: 3)
    #expect(
      lines(state, rows: 4).dropFirst()
        == ["a", "More: 2 below, 1 not listed. The arrow keys scroll."])
    #expect(lines(state).dropFirst() == ["a", "b", "c"])
  }

  @Test func `the part of the name that matches is marked`() {
    let state = state(["seen/Seen.txt", "é/x", "odd"], query: "SEE")
    #expect(
      lines(state).dropFirst() == ["seen/\u{1B}[7mSee\u{1B}[27mn.txt", "é/x", "odd"])
    #expect(SearchPage(state, columns: 11, rows: 9).paths[0].text == "…/Seen.txt")
    let line = PathLine("a/Gru\u{308}ße", filter: NameFilter("GRÜSS"), columns: 9)
    #expect(line.match == "")
    #expect(PathLine("a/Gru\u{308}ße", filter: NameFilter("rü"), columns: 9).match == "ru\u{308}")
  }

  @Test func `a long path is cut at its start, and no line fills the last column`() {
    let state = state(["folder/日本語/name.txt"], query: "m", unreadable: 2)
    #expect(SearchPage(state, columns: 12, rows: 9).paths.last?.text == "…/name.txt")
    #expect(SearchPage(state, columns: 13, rows: 9).paths.last?.text == "…語/name.txt")
    for columns in 2...60 {
      let page = SearchPage(state, columns: columns, rows: 9)
      #expect((page.sentences + page.paths.map(\.text)).allSatisfy { $0.columns < columns })
      #expect(
        page.paths.map(\.text).allSatisfy { "folder/日本語/name.txt".hasSuffix($0.drop { $0 == "…" }) }
      )
    }
  }

  @Test func `control characters in a name are escaped`() {
    #expect(lines(state(["a\u{1B}[2J\n"])).last == "a\\u{1B}[2J\\u{A}")
  }
}
