import RandomPrograms
import Signalbox

/// A state of values that look like others, or that change without a commit.
struct Lookalikes: Equatable {
  /// An object, which is the same one whatever its parts are.
  final class Node: Hashable {
    var number = 0

    static func == (left: Node, right: Node) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Keys with one `id` look the same.
  struct Key: Hashable {
    var id: Int
    @Redacted var secret = 0
  }

  /// A member of a set with an object.
  struct Member: Hashable {
    var id: Int
    var node: Node
  }

  /// A value whose mirror gives several parts the same name, or none.
  struct Odd: Equatable, CustomReflectable {
    var parts = [0, 0, 0]
    var label: String?

    var customMirror: Mirror {
      Mirror(self, children: parts.map { (label: label, value: $0) }, displayStyle: .struct)
    }
  }

  /// A key whose mirror leaves out what tells it from others.
  struct Terse: Hashable, CustomReflectable {
    var number: Int

    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
  }

  var byType: [ObjectIdentifier: Int] = [:]
  var byTerse: [Terse: Int] = [:]
  var nodes: Set<Node> = []
  var members: Set<Member> = []
  var keys: Set<Key> = []
  var byNode: [Node: [Int]] = [:]
  var byKey: [Key: [Int]] = [:]
  var odd = Odd()
  var named = Odd(label: "part")

  mutating func change(_ random: inout SeededRandom, _ nodes: [Node]) {
    // Changes without a commit.
    for node in nodes where random.oneIn(2) { node.number = random.below(3) }
    let node = random.pick(nodes)
    let key = Key(id: random.below(2), secret: random.below(3))
    switch random.below(9) {
    case 0: self.nodes.formSymmetricDifference([node, random.pick(nodes)])
    case 1: members.formSymmetricDifference([Member(id: random.below(3), node: node)])
    case 2: keys.formSymmetricDifference([key, Key(id: key.id, secret: random.below(3))])
    case 3: byNode[node] = random.oneIn(3) ? nil : byNode[node, default: []] + [random.below(9)]
    case 4: byKey[key] = random.oneIn(3) ? nil : byKey[key, default: []] + [random.below(9)]
    case 5: byType[ObjectIdentifier(node)] = random.oneIn(4) ? nil : random.below(9)
    case 6: byTerse[Terse(number: random.below(3))] = random.oneIn(4) ? nil : random.below(9)
    case 7: odd.parts[random.below(3)] = random.below(9)
    default: named.parts[random.below(3)] = random.below(9)
    }
  }
}
