import RandomPrograms
import Signalbox
import Testing

/// Tests random values, with models that say whether two values are the same.
struct DebugFuzzTests {
  private static let seeds = Array(UInt64(1)...8)

  @Test("D2 a diff is empty exactly when the values are the same", arguments: seeds)
  func exact(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<LawPrograms.count(300) {
      let old = Model.random(4, &random)
      let new = random.oneIn(3) ? Model.random(4, &random) : old.varied(&random)
      let diff = Diff(from: old.value, to: new.value, limits: .unlimited)
      #expect((diff == nil) == (old == new), "\(old)\n\(new)\n\(diff?.description ?? "nil")")
      #expect(diff?.paths.isEmpty != true, "\(old)\n\(new)")
    }
  }

  @Test("D2 the old and the new lines of a diff are never the same", arguments: seeds)
  func distinct(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<LawPrograms.count(300) {
      let old = Model.random(4, &random)
      let new = old.varied(&random)
      guard let diff = Diff(from: old.value, to: new.value, limits: .unlimited) else { continue }
      let lines = diff.description.split(separator: "\n")
      let was = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst() }
      let now = lines.filter { $0.hasPrefix("+ ") }.map { $0.dropFirst() }
      let hasMoved = lines.contains { $0.contains(" → ") }
      #expect(was != now || hasMoved, "\(diff)")
    }
  }

  @Test("D3 neither a dump nor a diff exceeds its limits", arguments: seeds)
  func bounded(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<LawPrograms.count(300) {
      let limits = Limits(
        depth: random.below(6), lines: random.below(30), bytes: random.below(800))
      func check(_ text: String, _ comment: Comment) {
        #expect(text.utf8.count <= limits.bytes, comment)
        #expect(text.split(separator: "\n").count <= max(1, limits.lines), comment)
      }
      let old = Model.random(5, &random)
      let new = random.oneIn(2) ? Model.random(5, &random) : old.varied(&random)
      check(Dump.string(of: old.value, limits: limits), "\(limits) \(old)")
      guard let diff = Diff(from: old.value, to: new.value, limits: limits) else { continue }
      check(diff.description, "\(limits) \(old) \(new)")
      check(diff.paths.joined(separator: "\n"), "\(limits) \(old) \(new)")
    }
  }

  @Test("D3 no kind of value is too deep to dump or compare")
  func deep() {
    var random = SeededRandom(seed: 1)
    func tower(_ leaf: Int, _ random: inout SeededRandom) -> Any {
      var value: Any = leaf
      for _ in 0..<10_000 {
        switch random.below(5) {
        case 0: value = [value]
        case 1: value = Pair(a: 1, b: value)
        case 2: value = ["key": value]
        case 3: value = Kind.with(value)
        default: value = (value, 2)
        }
      }
      return value
    }
    var again = random
    var other = random
    let towers = [tower(1, &random), tower(1, &again), tower(2, &other)]
    #expect(Diff(from: towers[0], to: towers[1]) == nil)
    #expect(Diff(from: towers[0], to: towers[2]) != nil)
    #expect(Dump.string(of: towers[0]).utf8.count <= Limits.standard.bytes)
  }
}

private struct Pair {
  var a: Any
  var b: Any
}

private enum Kind {
  case empty
  case with(Any)
}

private final class Box {
  let held: Any
  init(_ held: Any) { self.held = held }
}

/// The description that a value is made from.
private indirect enum Model: Hashable {
  case int(Int)
  case nan
  case text(String)
  case lines([Int])
  case ints([Int])
  case list([Model])
  case items([Int: Int])
  case members(Set<Int>)
  case entries([String: Model])
  case pair(Model, Model)
  case box(Model)
  case optional(Model?)
  case kind(Model?)

  /// Made anew on each access, so that no two values share storage.
  var value: Any {
    switch self {
    case .int(let int): int
    case .nan: [Double.nan, 1]
    case .text(let text): text + ""
    case .lines(let lines): lines.map { "line \($0)" }.joined(separator: "\n")
    case .ints(let ints): ints.map { $0 }
    case .list(let list): list.map(\.value)
    case .items(let items):
      items.sorted { $0.key < $1.key }.map { Note(id: $0.key, text: "text \($0.value)") }
    case .members(let members): Set(members.map { $0 })
    case .entries(let entries): entries.mapValues(\.value)
    case .pair(let a, let b): Pair(a: a.value, b: b.value)
    case .box(let inner): Box(inner.value)
    case .optional(let inner): (inner?.value as Any?) as Any
    case .kind(let inner): inner.map { Kind.with($0.value) } ?? Kind.empty
    }
  }

  static func random(_ depth: Int, _ random: inout SeededRandom) -> Model {
    let inner = depth - 1
    switch random.below(depth > 0 ? 14 : 5) {
    case 0: return .int(random.below(3))
    case 1: return .nan
    case 2: return .text(random.pick(["", "a", "a\u{200B}", "\"\"\"", "… 1 more", "nil"]))
    case 3: return .lines(random.list(1 + random.below(6)) { $0.below(4) })
    case 4: return .ints(random.list(random.below(8)) { $0.below(5) })
    case 5, 6: return .list(random.list(random.below(6)) { .random(inner, &$0) })
    case 7: return .items(dictionary(&random) { ($0.below(9), $0.below(2)) })
    case 8: return .members(Set(random.list(random.below(5)) { $0.below(6) }))
    case 9, 10:
      return .entries(dictionary(&random) { ("k\($0.below(5))", .random(inner, &$0)) })
    case 11: return .pair(.random(inner, &random), .random(inner, &random))
    case 12: return .box(.random(inner, &random))
    default:
      let held = random.oneIn(4) ? nil : Model.random(inner, &random)
      return random.oneIn(2) ? .optional(held) : .kind(held)
    }
  }

  private static func dictionary<K: Hashable, V>(
    _ random: inout SeededRandom, _ make: (inout SeededRandom) -> (K, V)
  ) -> [K: V] {
    Dictionary(random.list(random.below(5), make)) { first, _ in first }
  }

  /// A copy in which one part, or none, is changed.
  func varied(_ random: inout SeededRandom) -> Model {
    switch self {
    case .list(var list) where !list.isEmpty:
      let place = random.below(list.count)
      switch random.below(4) {
      case 0: list.remove(at: place)
      case 1: list.insert(.random(1, &random), at: place)
      case 2: list.swapAt(place, random.below(list.count))
      default: list[place] = list[place].varied(&random)
      }
      return .list(list)
    case .ints(let ints): return .ints(ints.shuffled(using: &random))
    case .lines(let lines): return .lines(lines.filter { $0 != 1 } + [2])
    case .items(var items):
      items[random.below(9)] = random.oneIn(2) ? nil : random.below(3)
      return .items(items)
    case .entries(var entries):
      for key in entries.keys.sorted() where random.oneIn(2) {
        entries[key] = entries[key]?.varied(&random)
      }
      return .entries(entries)
    case .pair(let a, let b):
      return random.oneIn(2) ? .pair(a.varied(&random), b) : .pair(a, b.varied(&random))
    case .box(let inner): return .box(inner.varied(&random))
    case .optional(let inner?): return .optional(inner.varied(&random))
    case .kind(let inner?): return .kind(inner.varied(&random))
    default: return random.oneIn(2) ? self : .random(1, &random)
    }
  }
}
