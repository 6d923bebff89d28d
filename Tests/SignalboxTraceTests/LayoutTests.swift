import Signalbox
import SignalboxInspection
import SignalboxTrace
import Testing

/// What is read from memory shows what reflection shows.
@MainActor
@Suite("R3 layouts of values in recordings")
struct LayoutTests {
  @Test("R3 numbers, texts, optionals, enums and structs are recorded as reflection shows them")
  func trees() {
    #expect(
      ValueTree(Fields()).json == #"""
        {"type":"LayoutTests.Fields","fields":[["id",7],["big",{"number":"18446744073709551615"}],\#
        ["ratio",{"number":"0.5"}],["name","é"],["part","bc"],["isOn",true],["some",3],["none",null],\#
        ["nested",{"some":null}],["mode",{"type":"LayoutTests.Mode","case":"off"}],\#
        ["inner",{"type":"LayoutTests.Inner","fields":[["x",1],["y",{"number":"2.0"}]]}],\#
        ["list",[1,2]],["size",{"fields":[["wide",1],[2]]}]]}
        """#)
    let shapes: [Shape] = [.empty, .circle(radius: 2), .pair(1, "x"), .inner(Inner()), .none(nil)]
    #expect(
      ValueTree(shapes).json == #"""
        [{"type":"LayoutTests.Shape","case":"empty"},\#
        {"type":"LayoutTests.Shape","case":"circle","fields":[["radius",2]]},\#
        {"type":"LayoutTests.Shape","case":"pair","fields":[[1],["x"]]},\#
        {"type":"LayoutTests.Shape","case":"inner","fields":\#
        [[{"type":"LayoutTests.Inner","fields":[["x",1],["y",{"number":"2.0"}]]}]]},\#
        {"type":"LayoutTests.Shape","case":"none","fields":[[null]]}]
        """#)
  }

  @Test("R3 types that show something else than what they store are read by reflection")
  func others() {
    let object = Object()
    let referring = Referring(weak: object, unowned: object, strong: object)
    #expect(
      ValueTree(referring).json == #"""
        {"type":"LayoutTests.Referring","fields":[\#
        ["weak",{"type":"LayoutTests.Object","object":true,"custom":true,"fields":[["value",1]]}],\#
        ["unowned",{"type":"LayoutTests.Object","object":true,"custom":true,"fields":[]}],\#
        ["strong",{"type":"LayoutTests.Object","object":true,"custom":true,"fields":[]}]]}
        """#)
    #expect(
      ValueTree(Wrapping()).json == #"""
        {"type":"LayoutTests.Wrapping","custom":true,"fields":[["a",1],["secret",{"redacted":true}]]}
        """#)
    #expect(
      ValueTree(Tree.branch([.leaf(1)])).json == #"""
        {"type":"LayoutTests.Tree","case":"branch","fields":[[\#
        [{"type":"LayoutTests.Tree","case":"leaf","fields":[[1]]}]]]}
        """#)
  }

  @Test("R3 a value behind a protocol is recorded as itself")
  func existentials() {
    let error: any Error = Failed.because(code: 3)
    let text =
      #"{"type":"LayoutTests.Failed","case":"because","erased":true,"fields":[["code",3]]}"#
    #expect(ValueTree(error).json == text)
    #expect(ValueTree([error]).json == "[\(text)]")
    let result = Result<Int, any Error>.failure(error)
    #expect(ValueTree(result).json.contains(text))
    #expect(ValueTree([7 as any Sendable]).json == "[7]")
  }

  @Test("R3 an edit names the property that differs, and equal values have none")
  func edits() {
    func edits(_ change: (inout Fields) -> Void) -> [ValueEdit] {
      var fields = Fields()
      change(&fields)
      return ValueDifference.changes(from: Fields(), to: fields).edits
    }
    func replaced(_ old: ValueTree, _ new: ValueTree, _ path: String...) -> [ValueEdit] {
      [ValueEdit(path.map { .field($0) }, .replaced(old, by: new))]
    }
    #expect(edits { $0.id = 8 } == replaced(.integer(7), .integer(8), "id"))
    #expect(edits { $0.inner.x = 5 } == replaced(.integer(1), .integer(5), "inner", "x"))
    #expect(edits { $0.some = nil } == replaced(.integer(3), .null, "some"))
    #expect(edits { $0.some = 4 } == replaced(.integer(3), .integer(4), "some"))
    #expect(
      edits {
        $0.name = "b"
        $0.isOn = false
      } == replaced(.string("é"), .string("b"), "name")
        + replaced(.bool(true), .bool(false), "isOn"))
    #expect(edits { $0.list.append(3) }.map(\.path) == [[.field("list")]])
    // Two parts that only reflection reads.
    #expect(
      edits {
        $0.list.append(3)
        $0.size.wide = 2
      }.map(\.path) == [[.field("list")], [.field("size"), .field("wide")]])
    var two = Fields()
    (two.id, two.isOn) = (8, false)
    #expect(
      ValueDifference.changes(from: Fields(), to: two, room: 1).edits.map(\.path)
        == [[.field("id")], [.field("isOn")]], "an edit without room has no values")
    #expect(edits { $0.name = "e\u{301}" } == [])
    #expect(edits { $0.inner.y = 2 } == [])
  }

  @Test("R3 an edit of a long text is the part that differs")
  func longText() {
    let (begin, end) = (String(repeating: "a", count: 150), String(repeating: "z", count: 150))
    let edits = ValueDifference.changes(from: begin + "old" + end, to: begin + "new" + end).edits
    #expect(edits == [ValueEdit([], .text(offset: 150, "old", by: "new"))])
    let longer = ValueDifference.changes(from: begin + begin, to: begin + begin + "a").edits
    #expect(longer == [ValueEdit([], .text(offset: 300, "", by: "a"))])
  }

  @Test("R3 zeros, NaN and a == that sees other differences are compared as by reflection")
  func equality() {
    func edits<T>(_ old: T, _ new: T) -> [ValueEdit] {
      ValueDifference.changes(from: old, to: new).edits
    }
    #expect(edits(Inner(y: 0), Inner(y: -0.0)) == [])
    #expect(edits(Inner(y: .nan), Inner(y: .nan)) == [])
    #expect(edits(Inner(y: .nan), Inner(x: 2, y: .nan)).map(\.path) == [[.field("x")]])
    #expect(edits(Loose(shown: 1, cache: 1), Loose(shown: 1, cache: 2)) == [])
    #expect(edits(Outer(loose: Loose(cache: 1)), Outer(loose: Loose(cache: 2))) == [])
    #expect(edits(Odd(), Odd()) == [])
    #expect(edits(Odd(), Odd(value: 2)).map(\.path) == [[.field("value")]])
    // Hidden in the middle of what has a layout.
    #expect(
      edits(Wrapping(), Wrapping(secret: "b")) == [
        ValueEdit([.field("secret")], .replaced(.redacted, by: .redacted))
      ])
  }
}

extension LayoutTests {
  fileprivate enum Mode { case on, off }

  fileprivate struct Inner: Equatable {
    var x = 1
    var y = 2.0
  }

  fileprivate enum Shape {
    case empty
    case circle(radius: Int)
    case pair(Int, String)
    case inner(Inner)
    case none(Int?)
  }

  fileprivate struct Fields {
    var id = 7
    var big = UInt64.max
    var ratio: Float = 0.5
    var name = "é"
    var part = "abc".dropFirst()
    var isOn = true
    var some: Int? = 3
    var none: String?
    var nested: Int?? = .some(nil)
    var mode = Mode.off
    var inner = Inner()
    var list = [1, 2]
    var size: (wide: Int, Int) = (1, 2)
  }

  fileprivate enum Failed: Error { case because(code: Int) }

  fileprivate final class Object { let value = 1 }

  fileprivate struct Referring {
    weak var weak: Object?
    unowned let unowned: Object
    let strong: Object
  }

  fileprivate struct Wrapping: Equatable {
    var a = 1
    @Redacted var secret = "a"
  }

  fileprivate indirect enum Tree {
    case leaf(Int)
    case branch([Tree])
  }

  fileprivate struct Loose: Equatable {
    var shown = 1
    var cache = 1

    static func == (a: Self, b: Self) -> Bool { a.shown == b.shown }
  }

  fileprivate struct Outer { var loose = Loose() }

  /// Differs from every value, also from itself.
  fileprivate struct Odd: Equatable {
    var value = 1

    static func == (_: Self, _: Self) -> Bool { false }
  }
}
