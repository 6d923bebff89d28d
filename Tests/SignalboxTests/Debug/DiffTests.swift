import Foundation
import Signalbox
import Testing

struct DiffTests: DiffReading {
  @Test("D2 a change of one field of 20 is a diff of five lines")
  func wide() {
    var new = Wide()
    new.g = 5
    #expect(
      tree(Wide(), new) == """
          Wide(
        -   g: 0
        +   g: 5
            … 19 unchanged
          )
        """)
    #expect(paths(Wide(), new) == ["g: 0 → 5"])
  }

  @Test("D2 a change of one element of 1,000 is a diff of eight lines")
  func longArray() {
    let old = (0..<1_000).map { Note(id: $0) }
    var new = old
    new[400].text = "other"
    #expect(
      tree(old, new) == """
          [
            [400, id: 400]: Note(
        -     text: "text"
        +     text: "other"
              … 2 unchanged
            )
            … 999 unchanged
          ]
        """)
    #expect(paths(old, new) == [#"[400, id: 400].text: "text" → "other""#])
  }

  @Test("D2 elements are inserted and removed by their identity, not by their index")
  func insertions() {
    #expect(paths([1, 2, 3, 4], [1, 3, 4, 7]) == ["- [1]: 2", "+ [3]: 7"])
    #expect(paths(["a", "b", "c"], ["a", "x", "c"]) == [#"[1]: "b" → "x""#])
    #expect(paths([1, 2, 3], [0, 1, 2, 3, 4]) == ["+ [0]: 0", "+ [4]: 4"])
    let plain: [Any] = [1, "a", { (x: Int) in x }, 2.0]
    #expect(
      paths(plain, [1, { (x: Int) in x }, 2.0, "z"] as [Any]) == [#"- [1]: "a""#, #"+ [3]: "z""#])
  }

  @Test("D2 an element that moved is shown as moved, whether it changed or not")
  func moves() {
    #expect(paths([1, 2, 3, 4, 5], [1, 5, 2, 3, 4]) == ["[4 → 1]: 5"])
    let old = (0..<5).map { Note(id: $0) }
    var new = old
    new.insert(new.remove(at: 4), at: 1)
    new[1].text = "moved"
    new.remove(at: 2)
    #expect(
      tree(old, new) == """
          [
            [4 → 1, id: 4]: Note(
        -     text: "text"
        +     text: "moved"
              … 2 unchanged
            )
        -   [1]: Note(id: 1, text: "text", tags: [])
            … 3 unchanged
          ]
        """)
    #expect(
      paths(old, new) == [
        #"[4 → 1, id: 4].text: "text" → "moved""#, #"- [1]: Note(id: 1, text: "text", tags: [])"#,
      ])
  }

  @Test("D2 a new order of many elements is shown with the fewest moves")
  func manyMoves() {
    let old = (0..<5_000).map { Note(id: $0) }
    var new = old
    new.swapAt(10, 4_990)
    #expect(paths(old, new)?.count == 2)
    let numbers = Array(0..<5_000)
    #expect(paths(numbers, Array(numbers.dropFirst() + [0])) == ["[0 → 4999]: 0"])
  }

  @Test("D2 sets and dictionaries are compared by their contents")
  func unordered() {
    #expect(
      tree(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 5, "d": 4]) == """
          [
        -   "b": 2
        +   "b": 5
        -   "c": 3
        +   "d": 4
            … 1 unchanged
          ]
        """)
    #expect(
      paths(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 5, "d": 4])
        == [#"["b"]: 2 → 5"#, #"- ["c"]: 3"#, #"+ ["d"]: 4"#])
    #expect(paths(Set([1, 2]), Set([2, 3])) == ["- 1", "+ 3"])
    #expect(paths(["a": Int?.none], ["a": Int?.some(1)]) == [#"["a"]: nil → 1"#])
    #expect(paths(["a": Int?.none], [String: Int?]()) == [#"- ["a"]: nil"#])
  }

  @Test("D2 values of one case are compared by payload, other values as a whole")
  func enums() {
    #expect(
      tree(Shape.named("x", size: 1), Shape.named("x", size: 2)) == """
          Shape.named(
        -   size: 1
        +   size: 2
            … 1 unchanged
          )
        """)
    #expect(paths(Shape.named("x", size: 1), Shape.named("x", size: 2)) == ["named.size: 1 → 2"])
    #expect(
      tree(Generic(value: Shape.point), Generic(value: Shape.circle(1))) == """
          Generic<Shape>(
        -   value: Shape.point
        +   value: Shape.circle(1.0)
          )
        """)
  }

  @Test("D2 the path of a tuple's element without a label ends with its number")
  func tuples() {
    #expect(
      paths(Generic(value: (1, name: "a", 1)), Generic(value: (1, name: "b", 2)))
        == [#"value.name: "a" → "b""#, "value.2: 1 → 2"])
  }

  @Test("D2 optionals differ by their depth, including nested ones")
  func optionals() {
    #expect(paths(Int?.none as Any, Int?.some(1) as Any) == ["nil → 1"])
    #expect(paths(Int??.none as Any, Int??.some(nil) as Any) == ["nil → some(nil)"])
    #expect(
      paths(Int???.some(nil) as Any, Int???.some(.some(nil)) as Any)
        == ["some(nil) → some(some(nil))"])
    #expect(paths(Optional(Plain()) as Any, Optional(Plain(a: 2)) as Any) == ["a: 1 → 2"])
    let (none, ofNone) = (Generic<Any?>(value: nil), Generic<Any?>(value: Int?.none as Any))
    #expect(tree(none, ofNone) != nil)
    #expect(tree(ofNone, none) != nil)
    #expect(tree(ofNone, ofNone) == nil)
  }

  @Test("D2 values that look the same are told apart")
  func distinctions() {
    #expect(tree(1, UInt8(1)) == "- 1 as Int\n+ 1 as UInt8")
    #expect(tree("a", Character("a")) == "- \"a\" as String\n+ \"a\" as Character")
    #expect(tree(Optional(1) as Any, 1) == "- 1 as Optional<Int>\n+ 1 as Int")
    #expect(tree(Badge(), Badge())?.contains("looks the same") == true)
    #expect(
      tree(Generic(value: Badge()), Generic(value: Badge())) == """
          Generic<Badge>(
        -   value: Badge #1()
        +   value: Badge #2() (not equal, though it looks the same)
          )
        """)
    #expect(tree("é", "e\u{301}") == nil)
    #expect(paths("a\u{200B}", "a") == [#""a\u{200B}" → "a""#])
    let date = Date(timeIntervalSinceReferenceDate: 1e-11)
    #expect(
      paths(date, Date(timeIntervalSinceReferenceDate: 2e-11)) == [
        "2001-01-01T00:00:00.000000000Z (1e-11 s since 2001) → "
          + "2001-01-01T00:00:00.000000000Z (2e-11 s since 2001)"
      ])
    struct Vague: CustomDebugStringConvertible {
      var number: Int
      var debugDescription: String { "Vague" }
    }
    #expect(paths(Vague(number: 1), Vague(number: 2)) == ["number: 1 → 2"])
    #expect(paths(Animal(name: "a"), Animal(name: "b")) == ["Animal(a) → Animal(b)"])
  }

  @Test("D2 there is a difference exactly when == says so")
  func equality() {
    struct ById: Equatable {
      var id: Int
      var rest: Int
      static func == (a: ById, b: ById) -> Bool { a.id == b.id }
    }
    #expect(tree(ById(id: 1, rest: 1), ById(id: 1, rest: 2)) == nil)
    #expect(tree([ById(id: 1, rest: 1)], [ById(id: 1, rest: 2)]) == nil)
    #expect(tree(["a": ById(id: 1, rest: 1)], ["a": ById(id: 1, rest: 2)]) == nil)
    #expect(tree(ById(id: 1, rest: 1), ById(id: 2, rest: 1)) != nil)
    let token = Badge()
    #expect(tree(Generic(value: token), Generic(value: token)) == nil)
    #expect(tree([Badge()], [Badge()]) != nil)
  }

  @Test("D2 values without == are compared by their contents")
  func contents() {
    #expect(tree(Chain(1, Chain(2, nil)), Chain(1, Chain(2, nil))) == nil)
    #expect(paths(Chain(1, Chain(2, nil)), Chain(1, Chain(3, nil))) == ["next.value: 2 → 3"])
    #expect(tree([Holder(inner: Inner())], [Holder(inner: Inner())]) == nil)
    #expect(
      tree([1: Holder(inner: Inner())], [1: Holder(inner: nil)]) != nil)
    #expect(tree({ (x: Int) in x }, { (x: Int) in x + 1 }) == nil)
    #expect(paths(Int.self, String.self)?.first?.contains("Int.self") == true)
    #expect(paths(Int.self, Int.self) == nil)
    let worker = Worker()
    #expect(tree(worker, worker) == nil)
    #expect(
      tree(worker, Worker())
        == "- Worker #1()\n+ Worker #2() (not equal, though it looks the same)")
  }

  @Test("D2 NaN is equal to itself, whatever contains it")
  func nan() {
    #expect(tree(Double.nan, Double.nan) == nil)
    #expect(tree(Double.nan, -Double.nan) == nil)
    let long = String(repeating: "a", count: 20)
    func make() -> [Generic<[Double]>] { [Generic(value: [.nan, 1]), Generic(value: [.nan])] }
    #expect(tree(make(), make()) == nil)
    #expect(tree([long + "b": Double.nan], [long + "b": -Double.nan]) == nil)
    #expect(tree(Shape.circle(.nan), Shape.circle(-.nan)) == nil)
    #expect(tree(Set([1, Double.nan]), Set([1, .nan])) == nil)
    #expect(tree(Generic(value: Set([Double.nan])), Generic(value: Set([Double.nan]))) == nil)
    #expect(tree(Set([1, Double.nan]), Set([2, .nan]))?.contains("nan") == false)
    #expect(paths(Set([Double.nan]), Set([Double.nan, 1, .nan]))?.count == 2)
    #expect(paths(Shape.circle(.nan), Shape.circle(1)) == ["circle: nan → 1.0"])
  }

  @Test("D2 property wrappers are compared as a whole and shown as the property")
  func wrappers() {
    var new = Knob()
    new.count = 4
    #expect(paths(Knob(), new) == ["count: 3 → 4"])
    #expect(
      paths(Knob(), Knob(upper: 5)) == ["_count.upper: 10 → 5"])
  }

  @Test("D2 NaN in a list is matched when other elements are inserted or removed")
  func nanInLists() {
    #expect(
      paths([1, .nan, 2, 3], [Double.nan, 2, 3, 7, 8])
        == ["- [0]: 1.0", "+ [3]: 7.0", "+ [4]: 8.0"])
  }

  private enum Here { struct Item {} }
  private enum There { struct Item {} }

  @Test("D2 two types of one name are told apart by their full names")
  func sameName() {
    let text = Diff(from: Here.Item(), to: There.Item())?.description ?? ""
    #expect(text.contains("Here.Item") && text.contains("There.Item"), "\(text)")
  }

  private struct Shifting: CustomReflectable {
    var names: [String]
    var customMirror: Mirror { Mirror(self, children: names.map { (label: $0, value: 1) }) }
  }

  @Test("D2 parts that a custom mirror no longer shows are removed, and new ones are inserted")
  func shiftingParts() {
    let paths =
      Diff(from: Shifting(names: ["a", "b"]), to: Shifting(names: ["a", "c"]))?.paths ?? []
    #expect(Set(paths) == ["- b: 1", "+ c: 1"], "\\(paths)")
  }

  private final class Node: Identifiable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  @Test("D2 elements that are identified only by their addresses are compared by their contents")
  func addresses() {
    func nodes(_ names: String...) -> [Node] { names.map { Node($0) } }
    let paths = Diff(from: nodes("a", "b", "c", "d"), to: nodes("a", "x", "y", "d"))?.paths ?? []
    #expect(paths.count == 2 && paths.allSatisfy { $0.contains("name") }, "\\(paths)")
  }
}
