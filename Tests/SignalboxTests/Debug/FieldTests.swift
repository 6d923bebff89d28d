import Foundation
import RandomPrograms
import Signalbox
import Testing

/// Tests values of types without `==`, which only their fields can tell apart.
struct FieldTests {
  @Test(
    "D2 values without == differ exactly when a field differs",
    arguments: FieldShape.all + FieldShape.inlineArrays)
  func fields(shape: FieldShape) {
    var random = SeededRandom(seed: 1)
    for _ in 0..<LawPrograms.count(50) { shape.check(&random) }
  }

  @Test(
    "D3 objects that contain one another through structs are compared at any depth, and in cycles")
  func depth() {
    func ring(_ last: Int) -> HeldLink {
      let first = HeldLink(last)
      var link = first
      for number in 0..<10_000 { link = HeldLink(number, link) }
      first.held.next = link
      return link
    }
    let rings = [ring(1), ring(1), ring(2)]
    defer { for ring in rings { ring.takeApart() } }
    #expect(Diff(from: [rings[0]], to: [rings[1]], limits: Limits(lines: .max)) == nil)
    let held = rings.map { [$0.held] }
    #expect(Diff(from: held[0], to: held[1], limits: Limits(lines: .max)) == nil)
    #expect(Diff(from: [rings[0].held], to: [rings[2].held]) != nil)
  }
}

/// A type whose values are made of numbers and are the same if their numbers are.
struct FieldShape: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (inout SeededRandom) -> Void

  /// - Parameter make: Receives the numbers, and noise that must make no difference.
  init<T>(_ name: String, _ make: @escaping @Sendable ([Int], Int) -> T) {
    testDescription = name
    check = { random in
      let old = random.list(6) { $0.list(6) { $0.below(3) } }
      var new = old
      let (place, field) = (random.below(6), random.below(6))
      new[place][field] = random.below(3)
      let (was, now) = (Self.list(old, 0, make), Self.list(new, 255, make))
      let diff = Diff(from: was, to: now)
      #expect(
        (diff == nil) == (old == new), "\(old[place]) \(new[place]) \(diff?.description ?? "nil")")
      // A shallow limit leaves nothing that could correct a wrong result.
      let shallow = Diff(from: was, to: now, limits: Limits(depth: 1))
      #expect((shallow == nil) == (old == new), "\(shallow?.description ?? "nil")")
      let paths = diff?.paths ?? []
      #expect(paths.allSatisfy { $0.contains("[\(place)]") }, "\(paths)")
      #expect((Diff(from: was[place], to: now[place]) == nil) == (old == new))
      #expect((Diff(from: was as [Any], to: now as [Any]) == nil) == (old == new))
      let tables = [was, now].map { Dictionary(uniqueKeysWithValues: zip(0..., $0)) }
      #expect((Diff(from: tables[0], to: tables[1]) == nil) == (old == new))
    }
  }

  /// Makes the list in memory with noise between the fields.
  private static func list<T>(
    _ numbers: [[Int]], _ noise: Int, _ make: ([Int], Int) -> T
  ) -> [T] {
    unsafe Array(unsafeUninitializedCapacity: numbers.count) { buffer, count in
      unsafe UnsafeMutableRawBufferPointer(buffer).initializeMemory(
        as: UInt8.self, repeating: UInt8(noise))
      for (place, numbers) in numbers.enumerated() {
        unsafe buffer.initializeElement(at: place, to: make(numbers, noise))
      }
      count = numbers.count
    }
  }

  static let all = [
    FieldShape("fields of several sizes") { n, _ in Sizes(n) },
    FieldShape("structs within structs") { n, _ in
      Within(flag: n[0] == 0, sizes: Sizes(n), pair: (Int8(n[0]), text(n[1])), last: Int16(n[2]))
    },
    FieldShape("tuples") { n, _ in (Int8(n[0]), all: Sizes(n), text(n[1])) },
    FieldShape("optionals and collections") { n, _ in
      Several(
        one: n[0] == 0 ? nil : Sizes([n[0], 0, 0, 0, 0, 0]), list: [Sizes(n)], table: [1: Sizes(n)],
        texts: [text(n[1])], numbers: [n[2]])
    },
    FieldShape("existentials") { n, _ in
      Existentials(
        any: anything(n[0]), error: n[1] == 0 ? CancellationError() : Failure(code: n[1]),
        shown: n[2] == 0 ? "0" : n[2], type: n[3] == 0 ? Int.self : [Int].self as Any.Type,
        object: HeldLink(n[4]), rest: n)
    },
    FieldShape("objects of subclasses") { n, _ in
      Objects(base: n[0] == 0 ? Parent(n[1]) : Child(n[1], extra: n[0]), rest: n)
    },
    FieldShape("objects of subclasses with a == of their own") { n, noise in
      Tagged(tag: noise == 0 ? Tag(n[0]) : SubTag(n[0]), rest: n)
    },
    FieldShape("weak and unowned fields") { n, _ in Weak(HeldLink(n[0]), isNil: n[1] == 0, rest: n)
    },
    FieldShape("functions") { n, _ in Functions(function: {}, type: Int.self, rest: n) },
    FieldShape("cases with values") { n, _ in
      Cases(choice: n[0] == 0 ? .none : n[0] == 1 ? .sizes(Sizes(n)) : .number(n[1]), rest: n)
    },
    FieldShape("generic types") { n, _ in
      Two(a: Two(a: Int8(n[0]), b: anything(n[1])), b: Two(a: Sizes(n), b: [Double(n[2])]))
    },
    FieldShape("property wrappers") { n, _ in Wrapping(plain: Sizes(n), secret: Sizes(n)) },
    FieldShape("mirrors of their own") { n, noise in
      AroundMirror(mirroring: Reflected(unseen: noise, seen: Sizes(n)), flag: n[0] == 0)
    },
    FieldShape("mirrors of some of a generic type") { n, noise in Noisy(noise: noise, value: n) },
    FieldShape("a == that passes over something") { n, noise in
      Loose(lax: Lax(seen: n[0], unseen: noise), rest: n)
    },
    FieldShape("what is not equal to itself") { n, _ in
      Unequal(
        nan: .nan, nans: [.nan, Double(n[0])], maybe: .nan,
        signaling: n[2] == 0 ? .nan : Double(n[2]), rest: n)
    },
    FieldShape("imported structs") { n, _ in
      Imported(quotient: div_t(quot: Int32(n[0]), rem: Int32(n[1])), rest: n)
    },
  ]

  static var inlineArrays: [FieldShape] {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return [] }
    return [
      FieldShape("inline arrays") { n, _ in
        Inline(bytes: [Int8(n[0]), Int8(n[1])], anys: [anything(n[2]), anything(n[3])], rest: n)
      }
    ]
  }

  static func text(_ number: Int) -> String {
    "a text that is too long to be kept within a string itself: \(number)"
  }

  private static func anything(_ number: Int) -> Any {
    switch number {
    case 0: 0
    case 1: Int?.none as Any
    default: Sizes([number, 1, 2, 0, 1, 2])
    }
  }
}
