import Signalbox
import SignalboxInspection
import Testing

private struct User: Equatable {
  var name = "ann"
  var age = 1
}

private struct Row: Equatable, Identifiable {
  var id: Int
  var text = "t"
  var isDone = false
}

private enum Load: Equatable {
  case idle
  case failed(code: Int, text: String)
}

/// Hides a property from texts.
private struct Account: Equatable, CustomReflectable {
  var name = "ann"
  var balance = 1
  var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

private struct Board: Equatable {
  var account = Account()
  var count = 0
  var other = 0
  var isOn = false
  var user = User()
  var list = ["a", "b"]
  var users = [User(name: "x", age: 1), User(name: "y", age: 2)]
  var rows = (0..<4).map { Row(id: $0) }
  var scores = ["a": 1, "b": 2]
  var maybe: [String: Int?] = ["a": 1]
  var load = Load.idle
  var ids: Set<Int> = [1]
}

/// Tests what the changes of an `including:` closure demand of the state after.
struct MissingChangesTests {
  private func unmet(
    _ before: Board = Board(), want: (inout Board) -> Void, got: (inout Board) -> Void
  ) -> [String] {
    var (wanted, actual) = (before, before)
    want(&wanted)
    got(&actual)
    return SourceChanges.missing(from: before, to: wanted, in: actual).all.map(\.line)
  }

  @Test("T5 what including: does not change may be anything")
  func free() {
    #expect(
      unmet(
        want: {
          $0.count += 1
          $0.user.name = "b"
          $0.scores["a"] = 5
          $0.ids.insert(2)
          $0.isOn = false
        },
        got: {
          $0.count = 1
          $0.user = User(name: "b", age: 9)
          $0.scores = ["a": 5, "b": 7, "c": 9]
          $0.ids = [2, 3]
          $0.isOn = true
        }
      ).isEmpty)
    #expect(unmet(want: { $0.isOn.toggle() }, got: { _ in }) == ["isOn: true → false"])
    #expect(
      unmet(want: { $0.maybe["b"] = .some(nil) }, got: { $0.maybe["b"] = 1 })
        == [#"maybe["b"]: .some(nil) → 1"#])
    #expect(
      unmet(
        Board(load: .failed(code: 1, text: "a")), want: { $0.load = .failed(code: 1, text: "b") },
        got: { $0.load = .failed(code: 9, text: "b") }
      ).count == 1, "an enum is one part")
  }

  @Test("T5 a changed element is found by its id, or by its index, and the others may be anything")
  func changed() {
    #expect(
      unmet(
        want: { $0.rows[1].text = "u" },
        got: {
          $0.rows[1].text = "u"
          $0.rows.swapAt(1, 2)
          $0.rows.append(Row(id: 9))
        }
      ).isEmpty)
    #expect(
      unmet(want: { $0.rows[1].text = "u" }, got: { $0.rows[1].isDone = true })
        == [#"rows[1, id: 1].text: "u" → "t""#])
    #expect(
      unmet(want: { $0.rows[1].text = "u" }, got: { $0.rows.remove(at: 1) })
        == [#"- rows[1, id: 1]: Row(id: 1, text: "u", isDone: false)"#])
    #expect(
      unmet(
        want: { $0.list[1] = "z" },
        got: {
          $0.list = ["x", "z", "y"]
        }
      ).isEmpty)
    #expect(
      unmet(want: { $0.list[1] = "z" }, got: { $0.list.insert("z", at: 0) })
        == [#"list[1]: "z" → "a""#])
    #expect(unmet(want: { $0.list[1] = "z" }, got: { $0.list = ["z"] }) == [#"- list[1]: "z""#])
  }

  @Test("T5 a list in which including: adds, removes or moves elements must be that list")
  func lists() {
    let z = User(name: "z")
    #expect(unmet(want: { $0.users.append(z) }, got: { $0.users.append(z) }).isEmpty)
    for got: (inout Board) -> Void in [
      { _ in }, { $0.users.insert(z, at: 0) }, { $0.users = [z] },
      {
        $0.users.append(z)
        $0.users[0].age = 77
      },
      { $0.users += [z, User()] },
    ] {
      #expect(!unmet(want: { $0.users.append(z) }, got: got).isEmpty)
    }
    #expect(
      !unmet(
        want: {
          $0.users[0].age = 5
          $0.users.append(z)
        }, got: { $0.users[0].age = 5 }
      ).isEmpty)
    #expect(
      unmet(want: { $0.rows.remove(at: 1) }, got: { $0.rows.remove(at: 2) }).count == 2,
      "one is missing, and one is there")
    #expect(
      unmet(want: { $0.rows.swapAt(0, 3) }, got: { $0.rows.swapAt(0, 2) }).isEmpty == false)
    #expect(unmet(want: { $0.list = [] }, got: { $0.list = ["z"] }) == [#"list: [] → ["z"]"#])
    #expect(!unmet(want: { $0.list = ["b", "a"] }, got: { $0.list = ["b", "a", "c"] }).isEmpty)
  }

  @Test("T5 a list of plain values that including: replaces must be that list")
  func replaced() {
    let got: (inout Board) -> Void = { $0.list = ["z", "y", "x"] }
    #expect(unmet(want: { $0.list = ["z", "y"] }, got: got) == [#"+ list[2]: "x""#])
    #expect(
      unmet(Board(list: ["old"]), want: { $0.list = ["z"] }, got: got)
        == [#"+ list[1]: "y""#, #"+ list[2]: "x""#])
    #expect(
      unmet(
        Board(users: [User()]), want: { $0.users[0].age = 5 },
        got: { $0.users = [User(age: 5), User()] }
      ).isEmpty, "elements with parts are changed, not replaced")
  }

  @Test("T5 a value whose mirror leaves out properties is one part")
  func mirror() {
    let want: (inout Board) -> Void = { $0.account = Account(name: "bob", balance: 2) }
    #expect(unmet(want: want, got: want).isEmpty)
    #expect(!unmet(want: want, got: { $0.account = Account(name: "bob", balance: 3) }).isEmpty)
  }

  @Test("T5 each member that including: inserts or removes must be there or gone")
  func members() {
    #expect(unmet(want: { $0.ids.insert(2) }, got: { $0.ids.insert(3) }) == ["- ids: 2"])
    let two = Board(ids: [1, 2])
    #expect(unmet(two, want: { $0.ids.remove(1) }, got: { $0.ids.insert(3) }) == ["+ ids: 1"])
  }

  @Test("T5 a set or a dictionary that including: empties must be empty")
  func emptied() {
    #expect(unmet(want: { $0.ids = [] }, got: { $0.ids.insert(3) }) == ["ids: [] → [1, 3]"])
    #expect(unmet(want: { $0.ids = [] }, got: { $0.ids = [2] }) == ["ids: [] → [2]"])
    #expect(
      unmet(want: { $0.scores = [:] }, got: { $0.scores = ["c": 3] }) == [
        #"scores["c"]: nil → 3"#
      ])
  }

  @Test("T11 of forty elements, a failure shows the one that is wrong")
  func oneOfMany() {
    let users = (0..<40).map { User(name: "user \($0)", age: $0) }
    #expect(
      unmet(
        want: { $0.users = users },
        got: {
          $0.users = users
          $0.users[30].age = 999
        }) == ["users[30].age: 30 → 999"])
  }

  private final class Reference: Equatable {
    var count = 0
    static func == (a: Reference, b: Reference) -> Bool { a.count == b.count }
  }

  private struct Shared: Equatable {
    var items = [Reference()]
    var text = ""
  }

  @Test("T8 a change of an object that two states share is found")
  func objects() {
    #expect(ObjectSnapshot(of: Board()) == nil)
    let state = Shared()
    let snapshot = ObjectSnapshot(of: state)
    var copy = state
    copy.text = "a"
    copy.items.append(Reference())
    #expect(snapshot != nil && snapshot?.changedType == nil)
    copy.items[0].count = 3
    #expect(snapshot?.changedType == "Reference")
  }
}
