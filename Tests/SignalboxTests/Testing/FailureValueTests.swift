import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests failures about values that are deep, cyclic, wrapped or hard to tell apart.
@MainActor struct FailureValueTests {
  private struct Change<State>: Sendable {
    let make: @Sendable @MainActor (inout State) -> Void
  }

  private func failure<State: Equatable>(
    _ state: State, _ make: @escaping @Sendable @MainActor (inout State) -> Void
  ) async -> String {
    await failures {
      let store = TestStore<State, Change<State>>(
        state: state,
        actionable: Handling { change, store in store.update { change.make(&$0) } },
        exhaustive: true)
      await store.dispatch(Change(make: make)) { _ in }
    }.only
  }

  private struct Form: Equatable {
    @Bounded var count = 1
    @Redacted var token: String? = "s3cret"
    var choice: Int?? = nil
    var text = "a"
    var date = Date(timeIntervalSince1970: 0)
    var data = Data([1])
  }

  @Test("T4 a wrapped property has its name in the code, and values that look alike are told apart")
  func telling() async {
    let text = await failure(Form()) {
      $0.count = 2
      $0.token = nil
      $0.choice = .some(nil)
      $0.text = "a\u{200B}"
      $0.date = Date(timeIntervalSince1970: 0.001)
      $0.data = Data([2])
    }
    #expect(
      text.contains(
        #"""
        Difference:
          count: 1 → 2
          token: <redacted> → <redacted>
          choice: nil → .some(nil)
          text: "a" → "a\u{200B}"
          date: 1970-01-01T00:00:00.000000000Z → 1970-01-01T00:00:00.00
        """#), "\(text)")
    #expect(text.contains("  data: Data(01) → Data(02)"))
    #expect(
      text.section("Write instead:").prefix(3) == [
        "$0.count = 2", "$0.choice = .some(nil)", #"$0.text = "a\u{200B}""#,
      ])
    #expect(
      text.section("Write instead:").suffix(3) == [
        "// token has changed, too", "// date has changed, too", "// data has changed, too",
      ])
  }

  private enum Meal: Equatable {
    case bread(slices: [Int])
    case soup(String)
  }

  private struct Kitchen: Equatable {
    var spoons = Set(0..<20)
    var meal = Meal.bread(slices: Array(0..<20))
    var recipe = String(repeating: "salt ", count: 100)
    var notes = String(repeating: "stir\n", count: 100)
    var badge = Badge()
  }

  private final class Badge: Equatable {
    static func == (a: Badge, b: Badge) -> Bool { a === b }
  }

  private struct Five: Equatable { var a = 0, b = 0, c = 0, d = 0, e = 0 }

  @Test("T4 the line of a commit counts the changes that it does not show")
  func manyChanges() async {
    let text = await failure(Five()) { $0 = Five(a: 1, b: 1, c: 1, d: 1, e: 1) }
    #expect(
      text.section("Last events:").contains {
        $0.hasPrefix("a: 0 → 1, b: 0 → 1, c: 0 → 1, … 2 more")
      }, "\(text)")
  }

  @Test("T4 a difference that one line cannot show is shown by the paths inside the value")
  func inside() async {
    let long = String(repeating: "salt ", count: 100)
    let text = await failure(Kitchen()) {
      $0.spoons.remove(19)
      $0.meal = .bread(slices: Array(0..<19) + [20])
      $0.recipe = long + "pepper"
      $0.notes += "serve"
      $0.badge = Badge()
    }
    #expect(
      text.section("Difference:") == [
        "- spoons: 19", "meal.bread.slices[19]: 19 → 20",
        #"recipe: … 476 unchanged, "alt salt salt salt salt " → "#
          + #"… 476 unchanged, "alt salt salt salt salt pepper""#,
        #"- notes: """#, #"+ notes: "serve""#,
        "badge: Badge() → Badge() (not equal, though it looks the same)",
      ])
  }

  @Test("T5 an expected member that is missing is named")
  func elements() async {
    let texts = await failures {
      let store = TestStore<Kitchen, Change<Kitchen>>(
        state: Kitchen(),
        actionable: Handling { change, store in store.update { change.make(&$0) } })
      await store.dispatch(Change { $0.spoons.insert(20) }, including: { $0.spoons.insert(21) })
    }
    #expect(
      texts.only.section("Difference:") == ["spoons: expected 21, is missing"],
      "the other new member is free")
  }

  private final class Knot: Equatable {
    var end: Knot?
    static func == (a: Knot, b: Knot) -> Bool { a === b }
  }

  private struct Tied: Equatable {
    var knot: Knot
  }

  @Test("T4 objects in a cycle that differ only by their == are a difference that is shown")
  func knots() async {
    let (old, new) = (Knot(), Knot())
    (old.end, new.end) = (old, new)
    defer { (old.end, new.end) = (nil, nil) }
    let text = await failure(Tied(knot: old)) { $0.knot = new }
    #expect(text.section("Difference:").count == 1, "\(text)")
    #expect(text.section("Difference:").first?.hasSuffix("though it looks the same)") == true)
    #expect(Diff(from: Tied(knot: old), to: Tied(knot: new))?.paths.count == 1)
  }

  private final class Link {
    var next: Link?
    var value: Int

    init(_ value: Int, _ next: Link?) {
      self.value = value
      self.next = next
    }

    deinit {
      // Releases the chain link by link. Releasing the first link would nest all other releases.
      var link = next
      next = nil
      while isKnownUniquelyReferenced(&link) {
        let following = link?.next
        link?.next = nil
        link = following
      }
    }
  }

  private struct Rope: Equatable {
    var first: Link
    var version = 0
    static func == (a: Rope, b: Rope) -> Bool { a.version == b.version }
  }

  @Test("T4 D3 a failure about a state that is cyclic or 10,000 levels deep is like any other")
  func endless() async {
    let knot = Link(2, nil)
    knot.next = knot
    defer { knot.next = nil }
    let ring = await failure(Rope(first: Link(1, nil))) {
      $0.first = knot
      $0.version = 1
    }
    #expect(ring.contains("version: 0 → 1"))
    let deep = await failure(Rope(first: (0..<10_000).reduce(Link(1, nil)) { Link($1, $0) })) {
      $0.first = (0..<10_000).reduce(Link(2, nil)) { Link($1, $0) }
      $0.version = 1
    }
    #expect(deep.contains("version: 0 → 1"))
  }
}
