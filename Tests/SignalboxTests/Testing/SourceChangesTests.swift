import Signalbox
import SignalboxInspection
import Testing

private struct Volume: Equatable {
  var id: Int
  var name: String
}

private enum Load: Equatable {
  case idle
  case loaded([Volume])
  case failed(code: Int, reason: String)
}

private struct Shelf: Equatable {
  var count = 0
  var title = "a"
  var load = Load.idle
  var items: [Volume] = []
  var best: Volume?
  var scores: [String: Int] = [:]
  var tags: Set<String> = []
  var grid: [[Int]] = []
}

/// A type whose `==` ignores a property that is not comparable.
private struct Loose: Equatable {
  var count = 0
  var other = 0
  var onTap: () -> Void = {}
  var failure: (any Error)?
  static func == (l: Self, r: Self) -> Bool { l.count == r.count && l.other == r.other }
}

private final class Reference: Equatable {
  var count: Int
  init(_ count: Int) { self.count = count }
  static func == (l: Reference, r: Reference) -> Bool { l.count == r.count }
}

private struct Pairs: Equatable {
  var pair: (Int, String) = (0, "")
  var named: (x: Int, y: Int) = (0, 0)
  static func == (l: Self, r: Self) -> Bool { l.pair == r.pair && l.named == r.named }
}

private func lines<T>(_ old: T, _ change: (inout T) -> Void) -> [String] {
  var new = old
  change(&new)
  return SourceChanges(from: old, to: new).all.map { $0.line(naming: $0.name) }
}

/// The lines that an assertion reports as missing if `want` is expected and `got` happened.
private func missing<T>(_ old: T, want: (inout T) -> Void, got: (inout T) -> Void) -> [String] {
  var (wanted, actual) = (old, old)
  want(&wanted)
  got(&actual)
  return SourceChanges.missing(from: old, to: wanted, in: actual).all.map(\.line)
}

struct SourceChangesTests {
  @Test("T5 equal values have no difference")
  func equal() {
    #expect(lines(Shelf()) { _ in }.isEmpty)
    #expect(lines(Optional<Int>.none) { _ in }.isEmpty)
    #expect(lines([[1], []]) { _ in }.isEmpty)
  }

  @Test("T5 a change of an object is looked for at every place of the object")
  func sharedObject() {
    final class Item: Equatable {
      var count: Int
      var note: String
      init(_ count: Int, _ note: String = "") { (self.count, self.note) = (count, note) }
      static func == (l: Item, r: Item) -> Bool { l.count == r.count && l.note == r.note }
    }
    struct Two {
      var first: Item
      var second: Item
    }
    let item = Item(1)
    let changed = Item(2)
    let missing = missing(Two(first: item, second: item)) {
      ($0.first, $0.second) = (changed, changed)
    } got: {
      ($0.first, $0.second) = (Item(2, "anything"), Item(1, "anything"))
    }
    #expect(missing == ["second.count: 2 → 1"])
  }

  @Test("T4 a nil that is inserted into a dictionary is not suggested as a removal")
  func nilEntry() {
    let changes = SourceChanges(from: ["a": 1] as [String: Int?], to: ["a": 1, "b": nil])
    #expect(changes.all.map(\.statement) == ["$0[\"b\"] = .some(nil)"])
  }

  @Test("T4 the difference is the smallest part that differs")
  func smallest() {
    #expect(lines(Shelf()) { $0.count = 1 } == ["count: 0 → 1"])
    #expect(lines(Shelf()) { $0.title = "b\"" } == ["title: \"a\" → \"b\\\"\""])
    let items = [Volume(id: 1, name: "a"), Volume(id: 2, name: "b")]
    #expect(
      lines(Shelf(items: items)) { $0.items[1].name = "c" } == ["items[1].name: \"b\" → \"c\""])
    #expect(lines(Shelf(grid: [[1, 2], [3]])) { $0.grid[0][1] = 9 } == ["grid[0][1]: 2 → 9"])
    #expect(
      lines(Shelf()) {
        $0.count = 1
        $0.title = "b"
      } == ["count: 0 → 1", "title: \"a\" → \"b\""])
  }

  @Test("T4 the difference of an optional shows that it appears, disappears or changes")
  func optionals() {
    let item = Volume(id: 1, name: "a")
    #expect(lines(Shelf()) { $0.best = item } == ["best: nil → Volume(id: 1, name: \"a\")"])
    #expect(
      lines(Shelf(best: item)) { $0.best = nil } == ["best: Volume(id: 1, name: \"a\") → nil"])
    #expect(lines(Shelf(best: item)) { $0.best?.name = "b" } == ["best?.name: \"a\" → \"b\""])
    #expect(lines(Int??.some(nil)) { $0 = 1 }.count == 1)
  }

  @Test("T4 enums differ by their case and by their payloads")
  func enums() {
    #expect(
      lines(Shelf()) { $0.load = .loaded([Volume(id: 1, name: "a")]) }
        == ["load: .idle → .loaded([Volume(id: 1, name: \"a\")])"])
    #expect(
      lines(Shelf(load: .failed(code: 1, reason: "a"))) { $0.load = .failed(code: 2, reason: "a") }
        == ["load: .failed(code: 1, reason: \"a\") → .failed(code: 2, reason: \"a\")"])
  }

  @Test("T4 dictionaries differ by their keys")
  func dictionaries() {
    #expect(
      lines(Shelf(scores: ["a": 1, "b": 2])) { $0.scores["a"] = 3 } == ["scores[\"a\"]: 1 → 3"])
    #expect(
      lines(Shelf(scores: ["a": 1, "b": 2])) { $0.scores["b"] = nil }
        == ["scores[\"b\"]: 2 → nil"])
    #expect(lines(Shelf()) { $0.scores["c"] = 1 } == ["scores[\"c\"]: nil → 1"])
  }

  @Test("T4 tuples differ by their elements, with labels or numbers")
  func tuples() {
    #expect(lines(Pairs()) { $0.pair.0 = 1 } == ["pair.0: 0 → 1"])
    #expect(lines(Pairs()) { $0.named.y = 1 } == ["named.y: 0 → 1"])
  }

  @Test("T4 objects differ by their properties")
  func classes() {
    #expect(lines(Reference(1)) { $0 = Reference(2) } == ["count: 1 → 2"])
    #expect(lines([Reference(1)]) { $0 = [Reference(1)] }.isEmpty)
  }

  @Test("T4 what == ignores is no difference, and neither is what is not comparable")
  func loose() {
    #expect(lines(Loose()) { $0.onTap = { print() } }.isEmpty)
    #expect(lines(Loose()) { $0.count = 1 } == ["count: 0 → 1"])
  }

  @Test("T5 each change that an assertion makes must be found, and the rest is free")
  func unmet() {
    #expect(missing(Shelf(), want: { $0.count = 1 }, got: { $0.count = 1 }).isEmpty)
    #expect(missing(Shelf(), want: { _ in }, got: { $0.count = 1 }).isEmpty)
    #expect(
      missing(
        Shelf(), want: { $0.count = 1 },
        got: {
          $0.count = 1
          $0.title = "free"
        }
      ).isEmpty)
    #expect(missing(Shelf(), want: { $0.count = 1 }, got: { _ in }) == ["count: 1 → 0"])
    #expect(missing(Shelf(), want: { $0.count = 1 }, got: { $0.count = 2 }) == ["count: 1 → 2"])
  }

  @Test("T5 in an array of equal length, each changed element must be found, and the rest is free")
  func unmetElements() {
    let shelf = Shelf(grid: [[1], [2], [3]])
    #expect(
      missing(
        shelf, want: { $0.grid[0] = [9] },
        got: {
          $0.grid[0] = [9]
          $0.grid[2] = [8]
        }
      ).isEmpty)
    #expect(
      missing(shelf, want: { $0.grid[0] = [9] }, got: { $0.grid[2] = [8] })
        == ["grid[0][0]: 9 → 1"])
  }

  @Test("T5 an array that an assertion makes longer must be found as a whole")
  func unmetArrays() {
    let items = [Volume(id: 1, name: "a")]
    #expect(
      missing(
        Shelf(items: items), want: { $0.items.append(Volume(id: 2, name: "b")) }, got: { _ in }
      ).count == 1)
    #expect(
      !missing(
        Shelf(items: items), want: { $0.items.append(Volume(id: 2, name: "b")) },
        got: { $0.items.append(Volume(id: 3, name: "c")) }
      ).isEmpty)
    #expect(
      missing(
        Shelf(grid: [[1], [2]]), want: { $0.grid[1].append(3) },
        got: {
          $0.grid[0].append(0)
          $0.grid[1].append(3)
        }
      ).isEmpty)
  }

  @Test("T5 in a state whose == ignores a field, the rest is free as well")
  func unmetLoose() {
    #expect(
      missing(
        Loose(), want: { $0.count = 1 },
        got: {
          $0.count = 1
          $0.other = 1
        }
      ).isEmpty)
  }

  @Test("T5 an unchanged NaN is not a missed change")
  func notANumber() {
    struct Meter: Equatable {
      var level = Double.nan
      var count = 0
      var other = 0
    }
    #expect(
      missing(
        Meter(), want: { $0.count = 1 },
        got: {
          $0.count = 1
          $0.other = 1
        }
      ).isEmpty)
    #expect(missing(Meter(level: 0), want: { $0.level = .nan }, got: { $0.level = .nan }).isEmpty)
  }

  @Test("T5 a payload that an assertion changes must be found")
  func unmetPayloads() {
    #expect(
      missing(
        Shelf(), want: { $0.load = .failed(code: 1, reason: "a") },
        got: { $0.load = .failed(code: 2, reason: "a") }
      ).count == 1)
    #expect(
      missing(
        Shelf(), want: { $0.best = Volume(id: 1, name: "a") },
        got: { $0.best = Volume(id: 1, name: "b") }
      ).count == 1)
  }
}
