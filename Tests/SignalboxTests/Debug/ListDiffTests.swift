import Foundation
import RandomPrograms
import Signalbox
import Testing

/// An element with a `==` and nothing else.
private struct Mark: Equatable { var a: Int }

private struct Chore: Equatable, Identifiable {
  var id: Int
  var text = "t"
}

private struct Member: Hashable, Identifiable {
  var id: Int
  var name: String
}

/// An element without a `==`.
private struct Bare { var (a, b) = (0, "") }

/// Tests the differences of lists and of what is large.
struct ListDiffTests: DiffReading {
  /// The length of the longest common subsequence.
  private func common(_ old: [Int], _ new: [Int]) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for a in old {
      var diagonal = 0
      for (j, b) in new.enumerated() {
        (diagonal, row[j + 1]) = (
          row[j + 1], a == b ? diagonal + 1 : max(row[j], row[j + 1])
        )
      }
    }
    return row[new.count]
  }

  @Test("D2 no edits of a list are fewer than those that a diff shows", arguments: UInt64(1)...4)
  func fewest(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<LawPrograms.count(1_000) {
      let kinds = 1 + random.below(6)
      let old = random.list(random.below(14)) { $0.below(kinds) }
      let new = random.list(random.below(14)) { $0.below(kinds) }
      let lines = paths(old.map { Mark(a: $0) }, new.map { Mark(a: $0) }, .unlimited) ?? []
      // A changed and a moved element count as removed and inserted.
      let edits = lines.reduce(0) { $0 + ($1.hasPrefix("-") || $1.hasPrefix("+") ? 1 : 2) }
      #expect(edits == old.count + new.count - 2 * common(old, new), "\(old) \(new) \(lines)")
      #expect(lines == paths(old.map { Mark(a: $0) }, new.map { Mark(a: $0) }, .unlimited) ?? [])
    }
  }

  @Test("D2 an insertion and an edit far apart are two changes of elements with nothing but ==")
  func farApart() {
    let old = (0..<10_000).map { Mark(a: $0) }
    var new = old
    new.insert(Mark(a: -1), at: 5)
    new[9_000].a = -2
    #expect(
      tree(old, new) == """
          [
        +   [5]: Mark(a: -1)
            [9000]: Mark(
        -     a: 8999
        +     a: -2
            )
            … 9999 unchanged
          ]
        """)
    #expect(paths(old, new) == ["+ [5]: Mark(a: -1)", "[9000].a: 8999 → -2"])
  }

  @Test("D2 one NaN in a list does not make other elements differ")
  func nan() {
    var old = (0..<200).map { Double($0) }
    old[100] = .nan
    var new = old
    new.insert(-1, at: 3)
    new[190] = 0.5
    #expect(paths(old, new) == ["+ [3]: -1.0", "[190]: 189.0 → 0.5"])
  }

  @Test("D2 a moved element is shown by its id, and a changed one shows its id beside its index")
  func identities() {
    let old = (0..<4).map { Chore(id: $0 + 10) }
    var new = old
    new.append(new.removeFirst())
    new[1].text = "u"
    #expect(
      tree(old, new) == """
          [
            [1, id: 12]: Chore(
        -     text: "t"
        +     text: "u"
              … 1 unchanged
            )
            [0 → 3, id: 10]
            … 2 unchanged
          ]
        """)
    #expect(paths(old, new) == [#"[1, id: 12].text: "t" → "u""#, "[0 → 3, id: 10]"])
    let members = (0..<9).map { Member(id: $0, name: "n") }
    #expect(
      paths(Set(members), Set(members.map { Member(id: $0.id, name: $0.id == 3 ? "m" : "n") }))
        == [#"[id: 3].name: "n" → "m""#])
    #expect(
      paths([Chore(id: 1)], [Chore(id: 2)])
        == [#"- [0]: Chore(id: 1, text: "t")"#, #"+ [0]: Chore(id: 2, text: "t")"#])
  }

  @Test("D4 an id that may be made of something redacted is not shown")
  func redactedIdentity() {
    struct Account: Identifiable, Equatable {
      @Redacted var mail: String
      var count = 0
      var id: String { mail }
    }
    let old = [Account(mail: "s3cret"), Account(mail: "other")]
    var new = old
    new[1].count = 1
    #expect(paths(old, new) == ["[1].count: 0 → 1"])
    #expect(tree(old, Array(old.reversed()))?.contains("s3cret") == false)
  }

  @Test("D3 what would take too long to compare is not compared, and the diff says so")
  func bounded() {
    func make() -> [Bare] { (0..<30_000).map { Bare(a: $0, b: "element \($0) of the list") } }
    let diff = tree(make(), make())
    #expect(diff?.contains(" unchanged, ") == true)
    #expect(diff?.contains(" too large to compare in full") == true)
    #expect(diff == tree(make(), make()))
  }

  @Test("D3 the diff of long texts shows where they begin to differ")
  func longTexts() {
    let old = String(repeating: "some words, ", count: 80_000)
    let middle = old.index(old.startIndex, offsetBy: 480_000)
    let new = old.replacingCharacters(in: middle...middle, with: "S")
    #expect(
      paths(old, new) == [
        #"… 479976 unchanged, "some words, some words, some words, some words, s", … 479975 unchanged"#
          + #" → … 479976 unchanged, "some words, some words, Some words, some words, s", … 479975 unchanged"#
      ])
    let other = tree(old, String(repeating: "another text, ", count: 80_000))
    #expect(other?.utf8.count ?? .max <= Limits.standard.bytes)
    #expect(other?.contains("more bytes") == true)
  }
}
