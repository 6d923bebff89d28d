import Foundation
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

/// Tests of the statements that a test has for a change.
struct TestChangesTests {
  private struct Item: Identifiable, Equatable {
    let id: Int
    var name = "n"
  }

  private enum Mode: Equatable {
    case off
    case on(level: Int)
  }

  private struct Part: Equatable {
    var size = 1
    var point = (1, 2)
    static func == (l: Part, r: Part) -> Bool { l.size == r.size && l.point == r.point }
  }

  private struct Account: Equatable {
    var name = "ann"
    @Redacted var token = ""
  }

  private struct Whole: Equatable {
    var items = [Item(id: 1), Item(id: 2), Item(id: 3)]
    var numbers = [1, 2]
    var choices: [Item]?
    var table = ["a": Part()]
    var many: [String: Int] = ["a": 1]
    var tags: Set<String> = []
    var mode = Mode.off
    var part = Part()
    var maybe: Part?
    var account = Account()
  }

  private func statements(
    root: String = "$0", _ surroundings: Trace.Surroundings = Trace.Surroundings(subject: ""),
    before: (inout Whole) -> Void = { _ in }, _ change: (inout Whole) -> Void
  ) -> [String] {
    var old = Whole()
    before(&old)
    var new = old
    change(&new)
    var optionals = OptionalProperties()
    optionals.note(ValueTree(Whole()))
    let changes = TestChanges(
      from: ValueTree(old), to: ValueTree(new), root: .init(root: root), surroundings, optionals)
    return changes.statements.map { $0.replacing("TestChangesTests.", with: "") }
      + changes.comparisons + changes.comments.map { "// \($0)" }
  }

  @Test("R7 elements that enter or leave a list are expected alone, and others as a list")
  func lists() {
    let item = #"Item(id: 9, name: "n")"#
    #expect(statements { $0.items.append(Item(id: 9)) } == ["$0.items.append(\(item))"])
    #expect(
      statements { $0.items += [Item(id: 9), Item(id: 9)] }
        == ["$0.items.append(contentsOf: [\(item), \(item)])"])
    #expect(
      statements { $0.items.insert(Item(id: 9), at: 1) } == ["$0.items.insert(\(item), at: 1)"])
    #expect(statements { $0.items.remove(at: 1) } == ["$0.items.remove(at: 1)"])
    #expect(statements { $0.items[2].name = "x" } == [#"$0.items[2].name = "x""#])
    #expect(statements { $0.items = [] } == ["$0.items = []"])
    #expect(statements { $0.items = [Item(id: 9)] } == ["$0.items = [\(item)]"])
    #expect(statements { $0.items.swapAt(0, 1) }.first?.hasPrefix("$0.items = [Item(id: 2") == true)
    #expect(statements { $0.numbers.append(3) } == ["$0.numbers = [1, 2, 3]"])
    #expect(
      statements {
        $0.choices = [Item(id: 1)]
      } _: {
        $0.choices?.append(Item(id: 9))
      } == ["$0.choices?.append(\(item))"])
  }

  @Test("R7 entries of a dictionary and properties of a value are expected alone")
  func parts() {
    #expect(statements { $0.table["a"]?.size = 2 } == [#"$0.table["a"]?.size = 2"#])
    #expect(statements { $0.many["b"] = 2 } == [#"$0.many["b"] = 2"#])
    #expect(
      statements {
        $0.many["b"] = 2
        $0.many["a"] = nil
      }.sorted() == [#"$0.many["a"] = nil"#, #"$0.many["b"] = 2"#])
    #expect(statements { $0.many = [:] } == ["$0.many = [:]"])
    #expect(statements { $0.tags = ["a"] } == [#"$0.tags = ["a"]"#])
    #expect(statements { $0.part.size = 2 } == ["$0.part.size = 2"])
    #expect(statements { $0.part.point.1 = 3 } == ["$0.part.point = (1, 3)"])
    #expect(
      statements {
        $0.maybe = Part()
      } _: {
        $0.maybe?.size = 2
      } == ["$0.maybe?.size = 2"])
    #expect(statements { $0.account.name = "bob" } == [#"$0.account.name = "bob""#])
    #expect(statements { $0.account.token = "1" } == [])
    // The values of a case cannot be written alone.
    #expect(
      statements {
        $0.mode = .on(level: 1)
      } _: {
        $0.mode = .on(level: 2)
      } == ["$0.mode = .on(level: 2)"])
    #expect(statements(root: "store") { $0.part.size = 2 } == ["store.part.size = 2"])
  }

  private struct Gaps: Equatable {
    var slots: [Item?] = [Item(id: 1), Item(id: 2)]
    var table: [String: Item?] = ["a": Item(id: 1), "b": Item(id: 2)]
    var twice: Item?? = Item(id: 1)
  }

  @Test("R7 a property whose elements, entries or optional have been nil is written as a whole")
  func gaps() {
    var new = Gaps()
    new.slots[1]?.name = "x"
    new.table["a"] = Item(id: 1, name: "x")
    new.twice = Item(id: 1, name: "x")
    let whole = [
      #"$0.slots = [Item(id: 1, name: "n"), Item(id: 2, name: "x")]"#,
      #"$0.table = ["a": Item(id: 1, name: "x"), "b": Item(id: 2, name: "n")]"#,
      #"$0.twice = Item(id: 1, name: "x")"#,
    ]
    var optionals = OptionalProperties()
    optionals.note(ValueTree(Gaps(slots: [nil], table: ["a": nil], twice: .some(nil))))
    let changes = TestChanges(
      from: ValueTree(Gaps()), to: ValueTree(new), root: .init(root: "$0"),
      Trace.Surroundings(subject: ""),
      optionals)
    #expect(changes.statements.map { $0.replacing("TestChangesTests.", with: "") } == whole)
  }

  @Test("R7 a state that is no struct is expected only if it has changed")
  func plain() {
    func statements(_ new: Int) -> [String] {
      TestChanges(
        from: ValueTree(0), to: ValueTree(new), root: .init(root: "$0"),
        Trace.Surroundings(subject: ""),
        OptionalProperties()
      ).statements
    }
    #expect(statements(0).isEmpty)
    #expect(statements(1) == ["$0 = 1"])
  }

  @Test("R7 the arguments of a generic type are not broken apart")
  func generic() {
    let names = (1...4).map { "element\($0)WithALongName" }.joined(separator: ", ")
    let source = TestSource.text(
      name: "test", imports: [],
      body: ["call(Box<Dictionary<String, Item>>(\(names)), other < 3)"])
    #expect(source.contains("Box<Dictionary<String, Item>>("), "\(source)")
  }

  private struct Options: OptionSet { let rawValue: Int }

  private struct Player {
    var current: Item? = Item(id: 1)
    var last = Item(id: 1)
    var options: Options = []
  }

  private struct Login {
    var id = 1
    @Redacted var token = "t"
  }

  private struct Door { var login = Login() }

  @Test("R7 a value with another id or raw value, which are hardly ever variables, is assigned")
  func constants() {
    let new = Player(current: Item(id: 2), last: Item(id: 3), options: Options(rawValue: 1))
    var optionals = OptionalProperties()
    optionals.note(ValueTree(Player(current: nil)))
    let changes = TestChanges(
      from: ValueTree(Player()), to: ValueTree(new), root: .init(root: "$0"),
      Trace.Surroundings(subject: ""),
      optionals)
    #expect(
      changes.statements.map { $0.replacing("TestChangesTests.", with: "") } == [
        #"$0.current = Item(id: 2, name: "n")"#, #"$0.last = Item(id: 3, name: "n")"#,
        "$0.options = Options(rawValue: 1)",
      ])
    let login = TestChanges(
      from: ValueTree(Door()), to: ValueTree(Door(login: Login(id: 2))), root: .init(root: "$0"),
      Trace.Surroundings(subject: ""), OptionalProperties())
    #expect(login.statements == ["$0.login.id = 2"], "what is redacted has no literal")
  }

  private enum Sheet { case item(Item) }

  private struct Sheets { var sheet = Sheet.item(Item(id: 1)) }

  @Test("R7 a part of a payload is written in its child, and another payload in the parent")
  func payloads() {
    func statements(_ new: Item) -> [String] {
      TestChanges(
        from: ValueTree(Sheets()), to: ValueTree(Sheets(sheet: .item(new))),
        root: .init(root: "store"),
        Trace.Surroundings(subject: "", children: ["sheet.item": "Editor?"]), OptionalProperties()
      ).statements.map { $0.replacing("TestChangesTests.", with: "") }
    }
    #expect(
      statements(Item(id: 1, name: "x"))
        == [#"store.child(case: \.sheet, Sheet.item, Editor.self)?.name = "x""#])
    #expect(statements(Item(id: 2)) == [#"store.sheet = .item(Item(id: 2, name: "n"))"#])
  }

  @Test("R7 a property with the name of something of a test store is written in the store's state")
  func members() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/SignalboxTesting")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let members = try files.filter { $0.hasPrefix("TestStore") && $0.hasSuffix(".swift") }.flatMap {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        .matches(of: /public (?:internal\(set\) )?(?:var|func) (\w+)/).map { String($0.1) }
    }
    #expect(members.count > 20)
    let store = TestChanges.Place(root: "store")
    #expect(members.map { store.property($0).text } == members.map { "store.state.\($0)" })
    #expect(store.text == "store.state")
    #expect(store.property("events.count").text == "store.state.events.count")
    #expect(store.property("name").text == "store.name")
    #expect(TestChanges.Place(root: "$0").property("events").text == "$0.events")
  }

  @Test("R7 the caller says what is written as a whole, compared or left out")
  func surroundings() {
    let wholes = Trace.Surroundings(subject: "", wholes: ["part", "items.name"])
    #expect(statements(wholes) { $0.part.size = 2 } == ["$0.part = Part(size: 2, point: (1, 2))"])
    #expect(statements(wholes) { $0.items[0].name = "x" } == [#"$0.items[0].name = "x""#])
    let children = Trace.Surroundings(subject: "", children: ["part": "Feature?"])
    #expect(statements(children) { $0.part.size = 2 } == ["$0.part?.size = 2"])
    let compared = Trace.Surroundings(
      subject: "", withoutLiterals: ["part", "mode"], compared: ["part.size", "part.point"])
    #expect(statements(compared) { $0.part.size = 2 } == ["#expect(store.part.size == 2)"])
    #expect(
      statements(compared) { $0.mode = .on(level: 1) }
        == ["// mode cannot be written as Swift: .on(level: 1)"])
    let defaults = Trace.Surroundings(
      subject: "", defaults: ["TestChangesTests.Item.name": #""n""#])
    #expect(
      statements(defaults) { $0.items.append(Item(id: 9)) } == ["$0.items.append(Item(id: 9))"])
  }
}
