import Terminal
import Testing

@testable import Search

struct SearchTextTests {
  private func state(_ paths: String..., unreadable: Int = 0) -> SearchState {
    var state = SearchState(phase: .finished)
    state.findings.add(
      SearchStep(
        paths: paths, lookedAt: 9,
        unreadable: (0..<unreadable).map { UnreadableFolder(path: "\($0)", reason: "No") }))
    return state
  }

  @Test func `the status comes first, then the problem, then the paths`() {
    #expect(
      state("a", "b", unreadable: 1).lines(columns: 80, rows: 24)
        == ["2 of 9 names.", "The folder 0 cannot be read: No.", "a", "b"])
  }

  @Test func `the lines fit into the window below the prompt`() {
    let state = state("a", "b", "c", "d")
    for rows in 1...8 {
      #expect(state.lines(columns: 80, rows: rows).count == min(rows - 1, 5))
    }
  }

  @Test func `a long path is cut at its start, and no line fills the last column`() {
    let state = state("folder/日本語/name.txt", unreadable: 2)
    #expect(state.lines(columns: 12, rows: 9).last == "…/name.txt")
    #expect(state.lines(columns: 13, rows: 9).last == "…語/name.txt")
    for columns in 2...60 {
      #expect(state.lines(columns: columns, rows: 9).allSatisfy { $0.columns < columns })
    }
  }

  @Test func `control characters in a name are escaped`() {
    let lines = state("a\u{1B}[2J\n").lines(columns: 80, rows: 9)
    #expect(lines.last == "a\\u{1B}[2J\\u{A}")
  }
}
