import Signalbox
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

private struct Board: Equatable {
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

/// Tests what an expectation demands of the state after.
struct UnmetChangesTests {
  private func unmet(
    _ before: Board = Board(), want: (inout Board) -> Void, got: (inout Board) -> Void
  ) -> [String] {
    var (wanted, actual) = (before, before)
    want(&wanted)
    got(&actual)
    var again: Board?
    if SourceChanges.mayRunAgain(on: actual, after: before, wanting: wanted) {
      again = actual
      again.map {
        var copy = $0
        want(&copy)
        again = copy
      }
    }
    return SourceChanges.unmet(from: before, to: wanted, again: again, in: actual).all.map(\.line)
  }

  @Test("T8 what a closure writes is demanded, also where it equals the value before")
  func writes() {
    #expect(unmet(want: { $0.isOn = false }, got: { $0.isOn = true }) == ["isOn: false → true"])
    #expect(
      unmet(want: { $0.user = User(name: "b", age: 1) }, got: { $0.user = User(name: "b", age: 9) })
        == ["user.age: 1 → 9"])
    #expect(
      unmet(want: { $0.list = ["a", "c"] }, got: { $0.list = ["x", "c"] })
        == [#"list[0]: "a" → "x""#])
    #expect(
      unmet(want: { $0.scores = ["a": 5, "b": 2] }, got: { $0.scores = ["a": 5, "b": 2, "c": 9] })
        == [#"scores["c"]: nil → 9"#])
    #expect(
      unmet(
        want: { $0 = Board(count: 1) },
        got: {
          $0.count = 1
          $0.other = 3
        }) == ["other: 0 → 3"])
    #expect(!unmet(want: { $0.ids = [1, 2] }, got: { $0.ids = [1, 2, 3] }).isEmpty)
    #expect(
      unmet(want: { $0.maybe = ["a": 1] }, got: { $0.maybe["b"] = .some(nil) })
        == [#"+ maybe["b"]: nil"#])
    #expect(
      unmet(
        want: { $0.rows[1].isDone = false },
        got: {
          $0.rows[1].isDone = true
          $0.rows.append(Row(id: 9))
        }) == ["rows[1, id: 1].isDone: false → true"])
    #expect(
      !unmet(
        Board(load: .failed(code: 1, text: "a")), want: { $0.load = .failed(code: 1, text: "b") },
        got: { $0.load = .failed(code: 9, text: "b") }
      ).isEmpty)
  }

  @Test("T8 relative changes in a closure go on meaning what they mean")
  func relative() {
    let found = unmet(
      want: {
        $0.count += 1
        $0.isOn.toggle()
        $0.list.append("z")
        $0.ids.insert(2)
      },
      got: {
        $0.count = 1
        $0.isOn = true
        $0.list.append("z")
        $0.ids.insert(2)
        $0.other = 5
      })
    #expect(found.isEmpty)
    #expect(unmet(want: { $0.isOn.toggle() }, got: { _ in }) == ["isOn: true → false"])
  }

  @Test(
    "T5 inserted, changed, moved and removed elements are demanded, and other elements are free")
  func lists() {
    let z = User(name: "z")
    #expect(
      unmet(
        want: { $0.users.append(z) },
        got: {
          $0.users[0].age = 77
          $0.users.append(z)
        }
      ).isEmpty)
    #expect(
      unmet(want: { $0.users.append(z) }, got: { $0.users = [User(), z, User(name: "r")] }).isEmpty)
    #expect(
      unmet(
        want: { $0.rows.append(Row(id: 9)) },
        got: {
          $0.rows[1].isDone = true
          $0.rows.remove(at: 0)
          $0.rows.append(Row(id: 9))
        }
      ).isEmpty)
    #expect(
      unmet(
        want: { $0.rows[1].text = "u" },
        got: {
          $0.rows[1].text = "u"
          $0.rows.swapAt(1, 2)
        }
      ).isEmpty)
    #expect(
      unmet(
        want: { $0.rows.swapAt(0, 3) },
        got: {
          $0.rows.swapAt(0, 3)
          $0.rows.remove(at: 1)
        }
      ).isEmpty)
  }

  @Test("T5 an element that is missing, at another place or not removed is a failure that names it")
  func missingElements() {
    let z = User(name: "z")
    let missing = [#"- users[2]: User(name: "z", age: 1)"#]
    #expect(unmet(want: { $0.users.append(z) }, got: { _ in }) == missing)
    #expect(
      unmet(want: { $0.users.append(z) }, got: { $0.users.insert(z, at: 0) }) == missing)
    #expect(
      unmet(want: { $0.list.insert("z", at: 0) }, got: { $0.list.append("z") })
        == [#"- list[0]: "z""#])
    #expect(
      unmet(want: { $0.rows.insert(Row(id: 9), at: 1) }, got: { $0.rows.append(Row(id: 9)) })
        == ["rows[1, id: 9]: is at [4]"])
    #expect(
      unmet(want: { $0.rows.remove(at: 1) }, got: { $0.rows.remove(at: 2) })
        == [#"+ rows[1, id: 1]: Row(id: 1, text: "t", isDone: false)"#])
    #expect(
      unmet(want: { $0.rows[1].text = "u" }, got: { $0.rows[1].isDone = true })
        == [#"rows[1, id: 1].text: "u" → "t""#])
    #expect(unmet(want: { $0.ids.insert(2) }, got: { $0.ids.insert(3) }) == ["- ids: 2"])
    #expect(unmet(want: { $0.ids.remove(1) }, got: { $0.ids.insert(3) }) == ["+ ids: 1"])
  }

  @Test("T5 T8 a list that the closure clears must be empty, and its last element may be replaced")
  func cleared() {
    #expect(unmet(want: { $0.list = [] }, got: { $0.list = ["z"] }) == [#"list: [] → ["z"]"#])
    var short = Board()
    short.list = ["a"]
    #expect(unmet(short, want: { $0.list.removeFirst() }, got: { $0.list = ["z"] }) == [])
    // The spinner is still on, although the text was cleared.
    #expect(
      unmet(
        want: {
          $0.user.name = ""
          $0.isOn = false
        },
        got: {
          $0.user.name = ""
          $0.isOn = true
        }) == ["isOn: false → true"])
  }

  @Test("T5 an element that is removed from an optional's list is not removed twice")
  func optional() {
    struct Basket: Equatable { var items = [1, 2] }
    struct Shop: Equatable {
      var basket: Basket? = Basket()
      var isOpen = true
    }
    var (wanted, actual) = (Shop(), Shop())
    wanted.basket?.items.removeFirst()
    actual.basket?.items = [5, 2]
    actual.isOpen = false
    var again = actual
    again.basket?.items.removeFirst()
    #expect(
      SourceChanges.unmet(from: Shop(), to: wanted, again: again, in: actual).all.isEmpty)
  }

  @Test("T5 a changed element is not found elsewhere while its old value is still there")
  func changedElsewhere() {
    #expect(unmet(want: { $0.list[1] = "z" }, got: { $0.list.append("z") }) == [#"+ list[1]: "b""#])
    #expect(unmet(want: { $0.list[1] = "z" }, got: { $0.list = ["new", "a", "z"] }) == [])
  }

  @Test("T5 elements at their indices are found, however often their values occur")
  func repeated() {
    var flags = Board()
    flags.list = ["off", "on", "on"]
    #expect(
      unmet(flags, want: { $0.list[1] = "off" }, got: { $0.list = ["on", "off", "on"] }) == [])
    #expect(
      unmet(flags, want: { $0.list[1] = "off" }, got: { $0.list = ["off", "on", "off"] }) != [])
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

  @Test("T8 a closure does not run on a state that lacks what the state before has")
  func mayRunAgain() {
    func mayRun(
      _ change: (inout Board) -> Void, want: (inout Board) -> Void = { _ in }
    ) -> Bool {
      var (wanted, actual) = (Board(), Board())
      want(&wanted)
      change(&actual)
      return SourceChanges.mayRunAgain(on: actual, after: Board(), wanting: wanted)
    }
    #expect(mayRun { $0.list = ["x", "y", "z"] })
    #expect(!mayRun { $0.list = ["a"] })
    #expect(!mayRun { $0.rows[1] = Row(id: 7) })
    #expect(!mayRun { $0.scores["a"] = nil })
    #expect(
      !SourceChanges.mayRunAgain(
        on: [Int?.none], after: [Int?.some(1)], wanting: [Int?.some(1)]))
    #expect(!mayRun { $0.ids = [2] })
    #expect(mayRun { $0.ids = [1, 2] })
    #expect(!mayRun({ $0.user.name = "" }, want: { $0.user.name = "an" }))
    #expect(mayRun({ $0.user.name = "" }, want: { $0.user.name = "" }))
    #expect(mayRun { $0.user.name = "b" })
    // A number may be changed by as much again, unless it would overflow.
    #expect(mayRun { $0.count = 5 })
    #expect(mayRun({ $0.count = 5 }, want: { $0.count = 5 }))
    #expect(!mayRun({ $0.count = .min }, want: { $0.count = -1 }))
    #expect(mayRun({ $0.user.age = 0 }, want: { $0.user.age = 0 }))
    #expect(!mayRun({ $0.count = 1 }, want: { $0.count = .max }))
    #expect(
      !SourceChanges.mayRunAgain(on: UInt8(250), after: UInt8(240), wanting: UInt8(250)))
    #expect(!SourceChanges.mayRunAgain(on: UInt(1), after: UInt(3), wanting: UInt(1)))
    // Another case has another payload.
    let failed = Load.failed(code: 1, text: "a")
    #expect(!SourceChanges.mayRunAgain(on: Load.idle, after: failed, wanting: failed))
    #expect(SourceChanges.mayRunAgain(on: failed, after: Load.idle, wanting: Load.idle))
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
