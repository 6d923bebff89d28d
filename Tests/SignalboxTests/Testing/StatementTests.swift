import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import Testing

private enum Answer: Equatable {
  case none
  case both(Int, String)
  case labelled(code: Int)
}

private enum Problem: Error, Equatable { case offline }

private struct Described: Equatable, CustomStringConvertible {
  var raw = "a"
  var description: String { "<\(raw)>" }
}

private final class Handle: Equatable {
  var count: Int
  init(_ count: Int) { self.count = count }
  static func == (a: Handle, b: Handle) -> Bool { a.count == b.count }
}

private struct Cupboard: Equatable {
  struct Size: Equatable { var width = 1 }
  var size: Size?
  var answer: Answer?
  var date = Date(timeIntervalSince1970: 0)
  var id = UUID()
  var ratio = 1.0
  var plain: Described?
  var slice: ArraySlice<Int> = [1, 2, 3]
  var days: [Date: Int] = [:]
  var answers: [String: Answer] = [:]
  var range = 1...3
  var anything: [AnyHashable: Int] = [:]
  var tags: Set<String> = ["a"]
  var problems: [Problem] = []
  var handle = Handle(0)
  var text = ""
  var height: CGFloat = 1
}

private struct Brooch: Equatable, Identifiable {
  let id: Int
  var name = "pin"
}

private struct Coat: Equatable { var brooch = Brooch(id: 1) }

/// Tests the statements that make a change.
struct StatementTests {
  private func statements(_ change: (inout Cupboard) -> Void) -> [String] {
    let old = Cupboard()
    var new = old
    change(&new)
    return SourceChanges(from: old, to: new).all.compactMap(\.statement)
  }

  @Test("T11 a statement is valid Swift")
  func valid() {
    #expect(statements { $0.size = .init() } == ["$0.size = Cupboard.Size(width: 1)"])
    #expect(statements { $0.answer = Answer.none } == ["$0.answer = Answer.none"])
    #expect(
      statements { $0.answer = .both(1, "\"\u{200B}\n") }
        == [#"$0.answer = .both(1, "\"\u{200B}\n")"#])
    #expect(statements { $0.answer = .labelled(code: 1) } == ["$0.answer = .labelled(code: 1)"])
    #expect(statements { $0.answers["a"] = Answer.none } == [#"$0.answers["a"] = Answer.none"#])
    #expect(statements { $0.ratio = .nan } == ["$0.ratio = .nan"])
    #expect(statements { $0.ratio = -.infinity } == ["$0.ratio = -.infinity"])
    #expect(statements { $0.plain = Described() } == [#"$0.plain = Described(raw: "a")"#])
    #expect(statements { $0.slice[1] = 4 } == ["$0.slice = [1, 4, 3]"])
    #expect(statements { $0.range = -1...4 } == ["$0.range = (-1...4)"])
    #expect(statements { $0.anything["a"] = 3 } == [#"$0.anything["a"] = 3"#])
    #expect(statements { $0.tags.insert("b") } == [#"$0.tags.insert("b")"#])
    #expect(statements { $0.height = 2.5 } == ["$0.height = 2.5"])
    #expect(statements { $0.problems = [.offline] } == ["$0.problems = [Problem.offline]"])
  }

  @Test("T11 a value with another id is assigned, because an id is hardly ever a variable")
  func identity() {
    let changes = SourceChanges(from: Coat(), to: Coat(brooch: Brooch(id: 2)))
    #expect(changes.statements == [#"$0.brooch = Brooch(id: 2, name: "pin")"#])
    let long = Brooch(id: 2, name: String(repeating: "long ", count: 100))
    #expect(SourceChanges(from: Coat(), to: Coat(brooch: long)).statements.isEmpty)
  }

  private struct Level: RawRepresentable { let rawValue: Int }

  @Test("T11 no statement assigns to a raw value, which is hardly ever a variable")
  func rawValue() {
    let changes = SourceChanges(from: [Level(rawValue: 1)], to: [Level(rawValue: 2)])
    #expect(changes.statements == ["$0[0] = StatementTests.Level(rawValue: 2)"])
  }

  struct Options: OptionSet { let rawValue: Int }

  private struct Page { var options: Options = [] }

  @Test("T11 a statement assigns an option set by its raw value")
  func optionSet() {
    let changes = SourceChanges(from: Page(), to: Page(options: Options(rawValue: 8)))
    #expect(changes.statements == ["$0.options = StatementTests.Options(rawValue: 8)"])
  }

  private protocol Figure {}
  private enum Mark: Figure, Hashable { case dot }
  private struct Square: Figure, Hashable { var side = 1 }
  private struct Drawing {
    var one: (any Figure)? = Square()
    var key: AnyHashable = 1
  }

  @Test("T11 no statement has a path into a value behind a protocol, and its cases have their type")
  func existential() {
    #expect(
      SourceChanges(from: Drawing(), to: Drawing(one: Mark.dot)).statements
        == ["$0.one = StatementTests.Mark.dot"])
    #expect(
      SourceChanges(from: Drawing(), to: Drawing(key: Mark.dot)).statements
        == ["$0.key = StatementTests.Mark.dot"])
    #expect(
      SourceChanges(from: Drawing(), to: Drawing(one: Square(side: 2))).statements
        == ["$0.one = StatementTests.Square(side: 2)"])
  }

  @Test("T11 elements that are too long for one statement are inserted by several")
  func longElements() {
    let long = (1...3).map { "\($0)" + String(repeating: " long", count: 20) }
    let changes = SourceChanges(from: [String](), to: long)
    #expect(changes.statements == long.map { #"$0.append("\#($0)")"# })
    let more = SourceChanges(from: ["z"], to: ["a", "b"] + long + ["z"])
    #expect(
      more.statements == [
        #"$0.insert(contentsOf: ["a", "b", "\#(long[0])"], at: 0)"#,
        #"$0.insert("\#(long[1])", at: 3)"#, #"$0.insert("\#(long[2])", at: 4)"#,
      ])
  }

  @Test("T11 there is no statement for a value that has no literal")
  func absent() {
    #expect(statements { $0.date = Date(timeIntervalSince1970: 1) }.isEmpty)
    #expect(statements { $0.id = UUID() }.isEmpty)
    #expect(statements { $0.days[Date(timeIntervalSince1970: 1)] = 1 }.isEmpty)
    #expect(statements { $0.handle = Handle(1) }.isEmpty)

    #expect(statements { $0.text = String(repeating: "long ", count: 100) }.isEmpty)
  }

  @Test("T11 the statements of a list make the new list of the old one", arguments: UInt64(1)...4)
  func lists(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<LawPrograms.count(500) {
      let kinds = 2 + random.below(30)
      let old = random.list(random.below(10)) { $0.below(kinds) }
      let new =
        random.oneIn(3)
        ? old.shuffled(using: &random) : random.list(random.below(10)) { $0.below(kinds) }
      let statements = SourceChanges(from: old, to: new).all.compactMap(\.statement)
      var list = old
      for statement in statements { try run(statement, on: &list) }
      #expect(list == new, "\(old) \(new) \(statements)")
    }
  }

  /// Runs a statement on a list of numbers.
  private func run(_ statement: String, on list: inout [Int]) throws {
    let numbers = statement.dropFirst(2).matches(of: /\$0|-?\d+/).compactMap { Int($0.output) }
    switch statement.prefix(while: { $0 != "(" && $0 != "[" && $0 != "=" }) {
    case "$0.append": list.append(numbers[0])
    case "$0.remove": list.remove(at: numbers[0])
    case "$0.removeSubrange": list.removeSubrange(numbers[0]..<numbers[1])
    case "$0.insert" where statement.contains("remove"):
      list.insert(list.remove(at: numbers[0]), at: numbers[1])
    case "$0.insert":
      list.insert(contentsOf: numbers.dropLast(), at: try #require(numbers.last))
    case "$0 +": list += numbers
    case "$0 ": list = numbers
    case "$0": list[numbers[0]] = numbers[1]
    default: Issue.record("\(statement)")
    }
  }

  @Test("T11 a quote is escaped in code even if a mark combines with it")
  func combinedQuotes() throws {
    for mark in ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{20DD}"] {
      let code = try #require(SourceFormatter.code(of: "a\"\(mark)b"))
      // As scalars, because a character of the code may be a quote with its mark.
      #expect(code.unicodeScalars.starts(with: #""a\""#.unicodeScalars), "\(code)")
    }
  }
}
