import Signalbox
import SignalboxTesting
import Testing

private struct Cat: Equatable, Identifiable {
  var id: Int
  var name: String
}

private enum Phase: Equatable {
  case idle
  case loading(percent: Int)
  case loaded([Cat])
  case both(Int, String)
}

private struct House: Equatable {
  var count = 0
  var ratio = 0.5
  var isOpen = false
  var title = ""
  var letter: Character = "a"
  var phase = Phase.idle
  var best: Cat?
  var cats: [Cat] = []
  var grid = [[1, 2], [3]]
  var scores: [String: Int] = [:]
  var owners: [String: Cat] = [:]
  var tags: Set<String> = []
  var front = Cat(id: 0, name: "")
  var delay = Duration.zero
  var size = Size()
  struct Size: Equatable {
    var (width, height) = (0, 0)
  }
}

/// Tests that the assertion a failure suggests holds when it is pasted.
@MainActor struct SuggestionTests {
  /// - Parameters:
  ///   - suggestion: The text that the failure must suggest.
  ///   - pasted: The same text as code.
  private func expect(
    from house: House = House(), _ change: @escaping (inout House) -> Void,
    suggests suggestion: String..., pasted: @escaping (inout House) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    func makeStore() -> TestStore<House, Job> {
      TestStore(
        state: house, actionable: Handling { _, store in store.update { change(&$0) } },
        exhaustive: true)
    }
    let text = await failures { await makeStore().dispatch("go") { _ in } }.only
    #expect(text.section("Write instead:") == suggestion, sourceLocation: sourceLocation)
    let left = await failures {
      let store = makeStore()
      await store.dispatch("go", expecting: pasted)
      await store.finish()
    }
    #expect(left.isEmpty, sourceLocation: sourceLocation)
  }

  @Test("T4 the suggestion for scalars and strings is code that holds")
  func scalars() async {
    await expect({ $0.count = -3 }, suggests: "$0.count = -3", pasted: { $0.count = -3 })
    await expect({ $0.ratio = 0.1 }, suggests: "$0.ratio = 0.1", pasted: { $0.ratio = 0.1 })
    await expect({ $0.isOpen = true }, suggests: "$0.isOpen = true", pasted: { $0.isOpen = true })
    await expect({ $0.letter = "\"" }, suggests: #"$0.letter = "\"""#, pasted: { $0.letter = "\"" })
    await expect(
      { $0.title = "say \"hi\"\n\\" }, suggests: #"$0.title = "say \"hi\"\n\\""#,
      pasted: { $0.title = "say \"hi\"\n\\" })
    await expect(
      { $0.delay = .milliseconds(1_500) }, suggests: "$0.delay = .milliseconds(1500)",
      pasted: { $0.delay = .milliseconds(1500) })
  }

  @Test("T4 the suggestion for enums with and without payloads is code that holds")
  func enums() async {
    await expect(
      from: House(phase: .loaded([])), { $0.phase = .idle }, suggests: "$0.phase = .idle",
      pasted: { $0.phase = .idle })
    await expect(
      { $0.phase = .loading(percent: 3) }, suggests: "$0.phase = .loading(percent: 3)",
      pasted: { $0.phase = .loading(percent: 3) })
    await expect(
      { $0.phase = .both(1, "a") }, suggests: #"$0.phase = .both(1, "a")"#,
      pasted: { $0.phase = .both(1, "a") })
    await expect(
      { $0.phase = .loaded([Cat(id: 1, name: "a")]) },
      suggests: #"$0.phase = .loaded([Cat(id: 1, name: "a")])"#,
      pasted: { $0.phase = .loaded([Cat(id: 1, name: "a")]) })
  }

  @Test("T4 the suggestion for optionals that appear, disappear and change is code that holds")
  func optionals() async {
    let cat = Cat(id: 1, name: "a")
    await expect(
      { $0.best = cat }, suggests: #"$0.best = Cat(id: 1, name: "a")"#,
      pasted: { $0.best = Cat(id: 1, name: "a") })
    await expect(
      from: House(best: cat), { $0.best = nil }, suggests: "$0.best = nil",
      pasted: { $0.best = nil })
    await expect(
      from: House(best: cat), { $0.best?.name = "b" }, suggests: #"$0.best?.name = "b""#,
      pasted: { $0.best?.name = "b" })
  }

  @Test("T4 the suggestion for nested structs and the elements of arrays is code that holds")
  func nested() async {
    let cats = [Cat(id: 1, name: "a"), Cat(id: 2, name: "b")]
    await expect(
      { $0.front.name = "c" }, suggests: #"$0.front.name = "c""#,
      pasted: { $0.front.name = "c" })
    await expect(
      { $0.size.width = 3 }, suggests: "$0.size.width = 3", pasted: { $0.size.width = 3 })
    await expect(
      from: House(cats: cats), { $0.cats[1].name = "c" }, suggests: #"$0.cats[1].name = "c""#,
      pasted: { $0.cats[1].name = "c" })
    await expect(
      { $0.grid[0][1] = 9 }, suggests: "$0.grid[0][1] = 9", pasted: { $0.grid[0][1] = 9 })
  }

  @Test("T4 T11 the suggestion for arrays that grow and shrink is code that holds")
  func arrays() async {
    let cats = (1...4).map { Cat(id: $0, name: "a") }
    let new = Cat(id: 9, name: "n")
    await expect(
      { $0.cats = [new] }, suggests: #"$0.cats = [Cat(id: 9, name: "n")]"#,
      pasted: { $0.cats = [Cat(id: 9, name: "n")] })
    await expect(
      from: House(cats: cats), { $0.cats = [] }, suggests: "$0.cats = []",
      pasted: { $0.cats = [] })
    await expect(
      from: House(cats: cats), { $0.cats.append(new) },
      suggests: #"$0.cats.append(Cat(id: 9, name: "n"))"#,
      pasted: { $0.cats.append(Cat(id: 9, name: "n")) })
    await expect(
      { $0.grid += [[4], []] }, suggests: "$0.grid += [[4], []]",
      pasted: { $0.grid += [[4], []] })
    await expect(
      from: House(cats: cats), { $0.cats.insert(new, at: 1) },
      suggests: #"$0.cats.insert(Cat(id: 9, name: "n"), at: 1)"#,
      pasted: { $0.cats.insert(Cat(id: 9, name: "n"), at: 1) })
    await expect(
      from: House(cats: cats), { $0.cats.removeSubrange(1..<3) },
      suggests: "$0.cats.removeSubrange(1..<3)", pasted: { $0.cats.removeSubrange(1..<3) })
    await expect(
      { $0.grid[0].append(5) }, suggests: "$0.grid[0].append(5)",
      pasted: { $0.grid[0].append(5) })
  }

  @Test("T4 the suggestion for dictionaries and sets is code that holds")
  func collections() async {
    let scores = ["a": 1, "b": 2]
    await expect(
      from: House(scores: scores),
      {
        $0.scores["a"] = nil
        $0.scores["b"] = 3
        $0.scores["c"] = 4
      }, suggests: #"$0.scores["a"] = nil"#, #"$0.scores["b"] = 3"#, #"$0.scores["c"] = 4"#,
      pasted: {
        $0.scores["a"] = nil
        $0.scores["b"] = 3
        $0.scores["c"] = 4
      })
    await expect(
      from: House(owners: ["a": Cat(id: 1, name: "a")]), { $0.owners["a"]?.name = "b" },
      suggests: #"$0.owners["a"]?.name = "b""#, pasted: { $0.owners["a"]?.name = "b" })
    await expect(
      { $0.tags = ["b", "a"] }, suggests: #"$0.tags = ["a", "b"]"#,
      pasted: { $0.tags = ["a", "b"] })
  }

  @Test("T4 the suggestion for a state that is not a struct assigns the whole state")
  func whole() async {
    let store = TestStore<Int, Job>(
      state: 1, actionable: Handling { _, store in store.state = 2 }, exhaustive: true)
    let text = await failures { await store.dispatch("go") { _ in } }.only
    #expect(text.section("Difference:") == ["state: 1 → 2"])
    #expect(text.section("Write instead:") == ["$0 = 2"])
    let list = TestStore<[Int], Job>(
      state: [1], actionable: Handling { _, store in store.state = [1, 2] }, exhaustive: true)
    let grown = await failures { await list.dispatch("go") { _ in } }.only
    #expect(grown.section("Write instead:") == ["$0.append(2)"])
  }

  @Test("T4 the suggestion for an action that was not received names that action")
  func receive() async {
    struct Store: Equatable {}
    enum Move: Equatable {
      case go
      case step(Int, to: String)
    }
    let store = TestStore<Store, Move>(
      state: Store(),
      actionable: Handling { move, store in
        if move == .go { store.send(.step(1, to: "a")) }
      })
    store.send(.go)
    let text = await failures { await store.receive(.go, timeout: .zero) }.only
    #expect(text.section("Write instead:") == [#"await store.receive(.step(1, to: "a"))"#])
    await store.receive(.step(1, to: "a"))
  }
}
