import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests that wrong features do not pass exact closures, in a table of mistakes.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ExactClosureTests {
  typealias Change = @MainActor @Sendable (inout Screen) -> Void

  /// A feature, and a closure that does not describe it.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    let before: Screen
    let feature: Change
    let closure: Change
    var testDescription: String { name }

    init(
      _ name: String, _ before: Screen = Screen(), _ feature: @escaping Change,
      not closure: @escaping Change
    ) {
      self.name = name
      self.before = before
      self.feature = feature
      self.closure = closure
    }
  }

  /// The failures of a dispatch in a store, exhaustive or not.
  private func failures(
    from before: Screen, _ feature: @escaping Change, exhaustive: Bool, expecting: Change?,
    including: Change? = nil
  ) async -> [String] {
    let store = TestStore<Screen, Job>(
      state: before, actionable: Handling { _, store in store.update { feature(&$0) } },
      exhaustive: exhaustive)
    return await SignalboxTests.failures {
      await store.dispatch("go", expecting: expecting, including: including)
      if expecting == nil { store.expect { _ in } } else { await store.finish() }
    }
  }

  @Test("T5 T8 a closure that does not give the state after fails", arguments: mistakes)
  func mistake(_ mistake: Mistake) async {
    for exhaustive in [false, true] {
      let right = await failures(
        from: mistake.before, mistake.feature, exhaustive: exhaustive, expecting: mistake.feature)
      #expect(right.isEmpty, "\(right)")
      let wrong = await failures(
        from: mistake.before, mistake.feature, exhaustive: exhaustive, expecting: mistake.closure)
      #expect(wrong.only.hasPrefix("dispatch(go): "))
      // Two states that differ are shown to differ.
      let lines = wrong.only.section("Difference:")
      #expect(!lines.isEmpty, "\(wrong)")
      for case let values? in lines.map({ $0.wholeMatch(of: /.*: expected (.*), is (.*)/) }) {
        #expect(values.1 != values.2 || values.1 == "<redacted>", "\(lines)")
      }
    }
  }

  @Test("T5 a list that including: assigns must be that list", arguments: lists)
  func list(_ mistake: Mistake) async {
    let wrong = await failures(
      from: mistake.before, mistake.feature, exhaustive: false, expecting: nil,
      including: mistake.closure)
    #expect(wrong.first?.headline == "dispatch(go): the state is not as expected.")
  }

  @Test("T5 a closure that never ends on the state after runs once, and fails")
  func endless() async {
    let found = await failures(
      from: Screen(), { $0.page = 11 }, exhaustive: false,
      expecting: { while $0.page != 10 { $0.page += 1 } })
    #expect(found.only.section("Difference:") == ["page: expected 10, is 11"])
  }

  @Test("T5 a closure that would trap on the state after runs once")
  func trap() async {
    let feature: Change = {
      $0.draft.removeFirst(5)
      $0.page += 1
    }
    let found = await failures(
      from: Screen(draft: "hello"), feature, exhaustive: false, expecting: nil,
      including: { $0.draft.removeFirst(5) })
    #expect(found.isEmpty)
  }

  @Test("T4 elements in another order are shown with their places")
  func order() async {
    let found = await failures(
      from: Screen(rows: ["b", "a", "x"]), { $0.rows.removeLast() }, exhaustive: false,
      expecting: { $0.rows = ["a", "b"] })
    #expect(found.only.section("Difference:") == [#"rows[0 → 1]: expected "a" at [0], is at [1]"#])
    let items = await failures(
      from: Screen(items: [ShownItem(id: 1), ShownItem(id: 2), ShownItem(id: 3)]),
      { $0.items.reverse() },
      exhaustive: false, expecting: { $0.items.swapAt(0, 1) })
    #expect(
      items.only.section("Difference:") == ["items[2 → 0, id: 3]: expected at [2], is at [0]"])
  }
}

private typealias Screen = ExactClosureTests.Screen
private typealias ShownItem = ExactClosureTests.ShownItem
private typealias ShownModel = ExactClosureTests.ShownModel

private let spinner: ExactClosureTests.Change = { $0.isLoading = true }

/// A spinner stays on, whatever else changes.
private let spinners: [ExactClosureTests.Mistake] = [
  .init(
    "a list gets shorter", Screen(rows: ["a", "b"]),
    {
      $0.rows = ["c"]
      $0.isLoading = true
    },
    not: {
      $0.rows = ["c"]
      $0.isLoading = false
    }),
  .init(
    "a row is removed", Screen(rows: ["a", "b"]),
    {
      $0.rows.removeFirst()
      $0.isLoading = true
    },
    not: {
      $0.rows.removeFirst()
      $0.isLoading = false
    }),
  .init(
    "a text is cleared", Screen(draft: "hello"),
    {
      $0.rows.append($0.draft)
      $0.draft = ""
      $0.isLoading = true
    },
    not: {
      $0.rows = ["hello"]
      $0.draft = ""
      $0.isLoading = false
    }),
  .init(
    "an optional is cleared beside a number", Screen(selection: 3),
    {
      $0.selection = nil
      $0.page = 1
      $0.isLoading = true
    },
    not: {
      $0.selection = nil
      $0.page = 1
      $0.isLoading = false
    }),
  .init(
    "an unsigned number is cleared", Screen(unread: 3),
    {
      $0.unread = 0
      $0.isLoading = true
    },
    not: {
      $0.unread = 0
      $0.isLoading = false
    }),
  .init("nothing else changes", Screen(), spinner, not: { $0.isLoading = false }),
  .init("nothing is said", Screen(), spinner, not: { _ in }),
]

/// A list is assigned or changed as a whole, and it is another one.
private let lists: [ExactClosureTests.Mistake] = [
  .init(
    "an element more", Screen(rows: ["a", "b", "c"]), { $0.rows = ["x", "y"] },
    not: { $0.rows = ["x"] }),
  .init("empty", Screen(rows: ["a", "b", "c"]), { $0.rows = [] }, not: { $0.rows = ["b"] }),
  .init(
    "another order", Screen(rows: ["a", "b", "c"]), { $0.rows = ["c", "a"] },
    not: { $0.rows = ["a", "c"] }),
  .init("not cleared", Screen(rows: ["a"]), { $0.rows = ["new"] }, not: { $0.rows = [] }),
  .init(
    "appended instead of inserted", Screen(rows: ["a"]), { $0.rows.append("n") },
    not: { $0.rows.insert("n", at: 0) }),
  .init(
    "appended twice", Screen(items: [ShownItem(id: 1)]),
    { $0.items += [ShownItem(id: 2), ShownItem(id: 3)] },
    not: { $0.items.append(ShownItem(id: 2)) }),
  .init(
    "an element of an assigned list", Screen(items: [ShownItem(id: 1), ShownItem(id: 2)]),
    { $0.items = [ShownItem(id: 2, isOn: true)] }, not: { $0.items = [ShownItem(id: 2)] }),
  .init(
    "the wrong element is removed", Screen(items: [ShownItem(id: 1), ShownItem(id: 2)]),
    { $0.items.removeFirst() }, not: { $0.items.removeLast() }),
  .init(
    "sorted the wrong way", Screen(items: [ShownItem(id: 2), ShownItem(id: 3), ShownItem(id: 1)]),
    { $0.items.sort { $0.id > $1.id } }, not: { $0.items.sort { $0.id < $1.id } }),
]

private let values: [ExactClosureTests.Mistake] = [
  .init(
    "an error stays after a reset", Screen(rows: ["a"]),
    {
      $0 = Screen()
      $0.error = "late"
    }, not: { $0 = Screen() }),
  .init(
    "an error is not cleared", Screen(error: "old"), { $0.page = 1 },
    not: {
      $0.page = 1
      $0.error = nil
    }),
  .init(
    "another element changes, too", Screen(items: [ShownItem(id: 1), ShownItem(id: 2)]),
    {
      $0.items[0].isOn = true
      $0.items[1].isOn = true
    }, not: { $0.items[0].isOn = true }),
  .init(
    "another payload", Screen(), { $0.phase = .loading(0.5) }, not: { $0.phase = .loading(0.6) }),
  .init(
    "a payload that looks alike", Screen(), { $0.phase = .loaded(["a", "b"]) },
    not: { $0.phase = .loaded(["b", "a"]) }),
  .init(
    "another case", Screen(phase: .loading(1)), { $0.phase = .idle },
    not: { $0.phase = .loaded([]) }),
  .init("a nested property", Screen(), { $0.nested.deep.x = 1 }, not: { $0.nested.deep.y = 1 }),
  .init(
    "a sibling of a nested one", Screen(),
    {
      $0.nested.deep.x = 1
      $0.nested.title = "t"
    }, not: { $0.nested.deep.x = 1 }),
  .init(
    "an optional of an optional", Screen(), { $0.choice = .some(nil) }, not: { $0.choice = nil }),
  .init("an optional that is zero", Screen(), { $0.selection = 0 }, not: { $0.selection = nil }),
  .init(
    "a key is left", Screen(scores: ["a": 1, "b": 2]), { $0.scores["a"] = nil },
    not: { $0.scores = [:] }),
  .init("a key with nil", Screen(), { $0.maybe["a"] = .some(nil) }, not: { $0.maybe["a"] = nil }),
  .init(
    "a key is not removed", Screen(maybe: ["a": 1]), { $0.maybe["a"] = .some(nil) },
    not: { $0.maybe["a"] = nil }),
  .init(
    "a member more", Screen(tags: ["a"]), { $0.tags.formUnion(["b", "c"]) },
    not: { $0.tags.insert("b") }),
  .init(
    "a member is left", Screen(tags: ["a", "b"]), { $0.tags.remove("a") }, not: { $0.tags = [] }),
  .init("a number instead of NaN", Screen(ratio: .nan), { $0.ratio = 0 }, not: { $0.ratio = .nan }),
  .init("NaN instead of a number", Screen(), { $0.ratio = .nan }, not: { $0.ratio = 0 }),
  .init("the last bit of a number", Screen(), { $0.ratio = 0.1 + 0.2 }, not: { $0.ratio = 0.3 }),
  .init(
    "a millisecond", Screen(), { $0.date += 0.001 }, not: { $0.date += 0.002 }),
  .init(
    "less than a nanosecond", Screen(), { $0.date = Date(timeIntervalSinceReferenceDate: 1e-10) },
    not: { $0.date = Date(timeIntervalSinceReferenceDate: 2e-10) }),
  .init(
    "an object by its value", Screen(), { $0.model = ShownModel(2) },
    not: { $0.model = ShownModel(3) }),
  .init("a redacted value", Screen(), { $0.token = "right" }, not: { $0.token = "wrong" }),
  .init("what a computed property writes", Screen(), { $0.percent = 50 }, not: { $0.percent = 5 }),
  .init(
    "the end of a long text", Screen(draft: long), { $0.draft += "b" }, not: { $0.draft += "c" }),
  .init(
    "a line of a text", Screen(draft: "a\nb\nc\n"), { $0.draft = "a\nx\nc\n" },
    not: { $0.draft = "a\ny\nc\n" }),
  .init("a letter that looks alike", Screen(), { $0.draft = "a\u{200B}" }, not: { $0.draft = "a" }),
  .init(
    "a row of a grid", Screen(grid: [[1], [2]]), { $0.grid[1] = [3] }, not: { $0.grid[0] = [3] }),
  .init("data", Screen(), { $0.data = Data([1, 2]) }, not: { $0.data = Data([1, 3]) }),
  .init("twice instead of once", Screen(), { $0.page += 2 }, not: { $0.page += 1 }),
  .init("toggled back", Screen(), { _ in }, not: { $0.isLoading.toggle() }),
]

private let mistakes = spinners + lists + values

private let long = String(repeating: "a", count: 5_000)

extension ExactClosureTests {
  struct Screen: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
      case idle
      case loading(Double)
      case loaded([String])
    }

    struct Nested: Equatable, Sendable {
      struct Deep: Equatable, Sendable { var x = 0, y = 0 }
      var deep = Deep()
      var title = ""
    }

    var isLoading = false
    var page = 0
    var unread: UInt = 0
    var draft = ""
    var error: String?
    var selection: Int?
    var choice: Int??
    var rows: [String] = []
    var items: [ShownItem] = []
    var grid: [[Int]] = []
    var tags: Set<String> = []
    var scores: [String: Int] = [:]
    var maybe: [String: Int?] = [:]
    var phase = Phase.idle
    var nested = Nested()
    var ratio = 0.0
    var date = Date(timeIntervalSince1970: 0)
    var data = Data()
    var model = ShownModel(1)
    @Redacted var token = ""

    var percent: Double {
      get { ratio * 100 }
      set { ratio = newValue / 100 }
    }
  }

  struct ShownItem: Equatable, Identifiable, Sendable {
    var id: Int
    var isOn = false
  }

  final class ShownModel: Equatable, Sendable {
    let count: Int
    init(_ count: Int) { self.count = count }
    static func == (a: ShownModel, b: ShownModel) -> Bool { a.count == b.count }
  }
}
