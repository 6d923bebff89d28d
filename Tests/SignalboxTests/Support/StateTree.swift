import RandomPrograms
import Signalbox

/// Two stores of three numbers each.
struct LawNumbers {
  var x = 0
  var y = 0
  var z = 0

  static let keyPaths: [any WritableKeyPath<LawNumbers, Int> & Sendable] = [\.x, \.y, \.z]
}

/// A random state signal, and the same computation for the oracle.
@MainActor indirect enum StateTree {
  case leaf(store: Int, property: Int)
  case tripled(StateTree)
  case halved(StateTree)
  case distinct(StateTree)
  case combined([StateTree])

  init(_ random: inout SeededRandom, depth: Int) {
    let kind = depth == 0 ? 0 : random.below(6)
    self =
      switch kind {
      case 0: .leaf(store: random.oneIn(4) ? 1 : 0, property: random.below(3))
      case 1: .tripled(StateTree(&random, depth: depth - 1))
      case 2: .halved(StateTree(&random, depth: depth - 1))
      case 3: .distinct(StateTree(&random, depth: depth - 1))
      default:
        .combined(random.list(2 + random.below(3)) { StateTree(&$0, depth: depth - 1) })
      }
  }

  func signal(of stores: [StateRig<LawNumbers>]) -> Signal<Int> {
    switch self {
    case .leaf(let store, let property):
      return stores[store].store.publisher[dynamicMember: LawNumbers.keyPaths[property]].signal
    case .tripled(let tree): return tree.signal(of: stores).map(Self.triple)
    case .halved(let tree): return tree.signal(of: stores).map(Self.half)
    case .distinct(let tree): return tree.signal(of: stores).removeDuplicates()
    case .combined(let trees):
      let inputs = trees.map { $0.signal(of: stores) }
      switch inputs.count {
      case 2: return combineLatest(inputs[0], inputs[1]).map { Self.mix([$0, $1]) }
      case 3: return combineLatest(inputs[0], inputs[1], inputs[2]).map { Self.mix([$0, $1, $2]) }
      default:
        return combineLatest(inputs[0], inputs[1], inputs[2], inputs[3])
          .map { Self.mix([$0, $1, $2, $3]) }
      }
    }
  }

  nonisolated static func triple(_ value: Int) -> Int { value &* 3 &+ 1 }
  nonisolated static func half(_ value: Int) -> Int { value / 2 }
  nonisolated static func mix(_ values: [Int]) -> Int {
    values.reduce(7) { ($0 &* 1_000_003) ^ $1 }
  }

  var description: String {
    switch self {
    case .leaf(let store, let property):
      "\("ab".map(String.init)[store]).\("xyz".map(String.init)[property])"
    case .tripled(let tree): "tripled(\(tree.description))"
    case .halved(let tree): "halved(\(tree.description))"
    case .distinct(let tree): "distinct(\(tree.description))"
    case .combined(let trees): "(\(trees.map(\.description).joined(separator: ", ")))"
    }
  }
}

/// The oracle's view of one subscriber's signal tree, from commit to commit.
@MainActor final class StateTreeOracle {
  private let tree: StateTree
  private let inputs: [StateTreeOracle]
  private(set) var value = 0

  init(_ tree: StateTree, _ states: [LawNumbers]) {
    self.tree = tree
    switch tree {
    case .leaf: inputs = []
    case .tripled(let input), .halved(let input), .distinct(let input):
      inputs = [StateTreeOracle(input, states)]
    case .combined(let trees): inputs = trees.map { StateTreeOracle($0, states) }
    }
    value = compute(states)
  }

  /// Whether the tree gives an output for the commit that leads to these states.
  func advance(to states: [LawNumbers]) -> Bool {
    let old = value
    var isTold = false
    // Every input must advance, even if an earlier one has already changed.
    for input in inputs where input.advance(to: states) { isTold = true }
    let new = compute(states)
    switch tree {
    case .leaf: isTold = new != old
    case .distinct: isTold = isTold && new != old
    default: break
    }
    if isTold { value = new }
    return isTold
  }

  private func compute(_ states: [LawNumbers]) -> Int {
    switch tree {
    case .leaf(let store, let property): states[store][keyPath: LawNumbers.keyPaths[property]]
    case .tripled: StateTree.triple(inputs[0].value)
    case .halved: StateTree.half(inputs[0].value)
    case .distinct: inputs[0].value
    case .combined: StateTree.mix(inputs.map(\.value))
    }
  }
}
