import Foundation
import Signalbox
import Testing

/// Differences within texts.
struct TextDiffTests: DiffReading {
  @Test("D2 only the differences of long texts are shown")
  func texts() {
    let old = (0..<40).map { "line \($0)" }
    var new = old
    new[20] = "other"
    new.append("last")
    #expect(
      tree(Generic(value: old.joined(separator: "\n")), Generic(value: new.joined(separator: "\n")))
        == """
          Generic<String>(
            value: \"\"\"
              … 20 unchanged
        -     line 20
        +     other
              … 19 unchanged
        +     last
            \"\"\"
          )
        """)
    let long = String(repeating: "a", count: 500)
    let around = String(repeating: "a", count: 24)
    #expect(
      tree(long + "x" + long, long + "y" + long) == """
        - … 476 unchanged, "\(around)x\(around)", … 476 unchanged
        + … 476 unchanged, "\(around)y\(around)", … 476 unchanged
        """)
    // One long line with a line break at its end.
    #expect(
      tree(long + "x\n", long + "y\n") == """
        - … 476 unchanged, "\(around)x\\n"
        + … 476 unchanged, "\(around)y\\n"
        """)
    let others = (0..<500).map { "line \($0)" }.joined(separator: "\n")
    #expect(paths("\(long)\n\(others)", "\(others)\n\(long)")?.count == 2)
    let path = paths(String(repeating: "a", count: 9_000), String(repeating: "b", count: 9_000))
    #expect(path?.first?.utf8.count ?? .max < 2_000)
    #expect(tree(Data([1, 2]), Data([1, 3])) == "- Data(0102)\n+ Data(0103)")
  }

  @Test("D2 long descriptions are shown where they differ, with trailing spaces visible")
  func longDescriptions() {
    let long = String(repeating: "a", count: 9_000)
    let around = String(repeating: "a", count: 24)
    #expect(
      paths(Animal(name: long + "x" + long), Animal(name: long + "y" + long)) == [
        #"… 8983 unchanged, "\#(around)x\#(around)", … 8977 unchanged → "#
          + #"… 8983 unchanged, "\#(around)y\#(around)", … 8977 unchanged"#
      ])
    let lines = (0..<300).map { "line \($0)" }.joined(separator: "\n")
    #expect(
      paths(Animal(name: lines + "x"), Animal(name: lines + "y"))
        == [#"- "line 299x)""#, #"+ "line 299y)""#])
    #expect(tree("a \nb", "a\nb")?.contains("-   a\\u{20}\n+   a\n") == true)
  }

  @Test("D2 the unchanged lines after the last change of a text are counted")
  func linesAfterwards() {
    let text = Diff(from: "a\nb\nc\nd", to: "a\nx\nc\nd")?.description ?? ""
    #expect(text.contains("… 1 unchanged") && text.contains("… 2 unchanged"), "\(text)")
  }

  @Test("D2 the difference of long texts begins and ends with whole characters")
  func wholeCharacters() throws {
    let same = String(repeating: "a", count: 200)
    let pairs = [
      ("é", "è"), ("é", "ĩ"), ("e\u{301}", "e\u{300}"), ("e\u{301}", "o\u{301}"), ("б", "в"),
      ("А", "ѐ"), ("👨‍👩‍👧", "👨‍👩‍👦"), ("👍🏽", "👍🏿"), ("🇩🇪", "🇩🇰"), ("🇩🇪", "🇬🇪"),
    ]
    for (old, new) in pairs {
      for (before, after) in [("", same), (same, ""), (same, same), ("", old + same)] {
        let lines = try #require(tree(before + old + after, before + new + after))
          .split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(old) && lines[1].contains(new), "\(lines)")
        #expect(lines.allSatisfy { $0.contains("unchanged") }, "\(lines)")
      }
    }
  }
}
