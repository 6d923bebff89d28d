import RandomPrograms
import Signalbox

/// A state with all kinds of values.
struct Zoo: Equatable, Sendable {
  enum Shape: Hashable, Sendable {
    case dot
    case circle(Double)
    case box(width: Int, height: Int?)
    indirect case group([Shape])
  }

  struct Animal: Identifiable, Hashable, Sendable {
    var id: Int
    var name: String
    var shape = Shape.dot
  }

  struct Point: Equatable, Sendable {
    var x = 0.0
    var y: Float?
  }

  var text = ""
  var long = ""
  var count = 0
  var big: UInt64 = .max
  var maybe: Int??
  var point = Point()
  var shape = Shape.dot
  var animals: [Animal] = []
  var numbers: [Int] = []
  var names: [String: Animal] = [:]
  var tags: Set<String> = []
  var corners: [Shape: [Int]] = [:]
  var duration = Duration.zero
  @Redacted var token = "s3cret-token"
}

extension Zoo {
  init(_ random: inout SeededRandom) {
    self.init()
    for _ in 0..<random.below(8) { change(&random) }
  }

  mutating func change(_ random: inout SeededRandom) {
    for _ in 0...random.below(3) { changeOne(&random) }
  }

  private mutating func changeOne(_ random: inout SeededRandom) {
    switch random.below(16) {
    case 0: text = Self.text(&random)
    case 1: changeLong(&random)
    case 2: count = random.pick([0, 1, -1, .max, .min])
    case 3: big = random.pick([0, 1 << 53, .max])
    case 4: maybe = random.pick([nil, .some(nil), 1, 2])
    case 5: point = Point(x: random.pick([0, 0.1, -1e300]), y: random.pick([nil, 1.5]))
    case 6: shape = Self.shape(&random)
    case 7, 8, 9: changeAnimals(&random)
    case 10:
      let place = random.below(numbers.count + 1)
      numbers.replaceSubrange(
        place..<min(numbers.count, place + random.below(3)),
        with: random.list(random.below(3)) { $0.below(5) })
    case 11:
      names[Self.text(&random)] = random.oneIn(3) ? nil : Self.animal(&random)
    case 12:
      if random.oneIn(3) { tags = [] }
      tags.formSymmetricDifference(random.list(2) { Self.text(&$0) })
    case 13: corners[Self.shape(&random), default: []].append(random.below(3))
    case 14: duration = .milliseconds(random.below(3))
    default: token = "s3cret-\(random.below(3))"
    }
  }

  private mutating func changeLong(_ random: inout SeededRandom) {
    guard long.count > 250 else {
      long += String(repeating: random.pick(["a", "ä", "👩‍🚀", "\r\n", "e\u{301}"]), count: 300)
      return
    }
    let start = long.index(long.startIndex, offsetBy: random.below(long.count))
    let end = long.index(start, offsetBy: random.below(3), limitedBy: long.endIndex)
    long.replaceSubrange(start..<(end ?? long.endIndex), with: Self.text(&random))
  }

  private mutating func changeAnimals(_ random: inout SeededRandom) {
    switch random.below(5) {
    case 0: animals.shuffle(using: &random)
    case 1 where !animals.isEmpty: animals.remove(at: random.below(animals.count))
    case 2 where !animals.isEmpty:
      animals[random.below(animals.count)].name = Self.text(&random)
    default:
      let animal = Self.animal(&random)
      animals.removeAll { $0.id == animal.id }
      animals.insert(animal, at: random.below(animals.count + 1))
    }
  }

  private static func animal(_ random: inout SeededRandom) -> Animal {
    Animal(id: random.below(8), name: text(&random), shape: shape(&random))
  }

  private static func shape(_ random: inout SeededRandom) -> Shape {
    switch random.below(5) {
    case 0: .dot
    case 1: .circle(random.pick([0, 1.5, .infinity]))
    case 2: .box(width: random.below(3), height: random.pick([nil, 2]))
    case 3: .group(random.list(random.below(3)) { $0.oneIn(2) ? .dot : .circle(2) })
    default: .dot
    }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    random.pick(["", "a", "\"\\\n\t", "</script>", "🦁", "\u{0}\u{7F}\u{2028}", "\r\n", "e\u{301}"])
  }
}
