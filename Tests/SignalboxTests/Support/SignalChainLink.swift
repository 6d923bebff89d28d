import RandomPrograms
import Signalbox

/// An operator, as an operator of signals and as an operator of arrays.
enum SignalChainLink {
  case map(Int)
  case compactMap
  case filter(Int)
  case scan
  case dropFirst(Int)
  case prefix(Int)
  case prepend(Int)
  case removeDuplicates
  case flatMapJust(Int)
  case mergeNothing
  case prefixWhile(Int)
  case dropWhile(Int)
  case zipWithNumbers(Int)
  case withLatest(Int)

  init(_ random: inout SeededRandom) {
    let number = random.below(4)
    switch random.below(14) {
    case 0: self = .map(number)
    case 1: self = .compactMap
    case 2: self = .filter(number)
    case 3: self = .scan
    case 4: self = .dropFirst(number)
    case 5: self = .prefix(number)
    case 6: self = .prepend(number)
    case 7: self = .removeDuplicates
    case 8: self = .flatMapJust(number)
    case 9: self = .prefixWhile(number)
    case 10: self = .dropWhile(number)
    case 11: self = .zipWithNumbers(number)
    case 12: self = .withLatest(number)
    default: self = .mergeNothing
    }
  }

  @MainActor func apply(_ signal: Signal<Int>) -> Signal<Int> {
    switch self {
    case .map(let number): signal.map { $0 + number }
    case .compactMap: signal.compactMap { $0 > 2 ? $0 : nil }
    case .filter(let number): signal.filter { $0 % 4 != number }
    case .scan: signal.scan(0) { ($0 + $1) % 100 }
    case .dropFirst(let number): signal.dropFirst(number)
    case .prefix(let number): signal.prefix(number)
    case .prepend(let number): signal.prepend(number, number)
    case .removeDuplicates: signal.removeDuplicates()
    case .flatMapJust(let number): signal.flatMapLatest { Signal.just($0 * 2).prepend(number) }
    case .mergeNothing: signal.merge(with: Signal.just(0).prefix(0))
    case .prefixWhile(let number): signal.prefix { $0 % 4 != number }
    case .dropWhile(let number): signal.drop { $0 % 4 != number }
    case .zipWithNumbers(let number): signal.zip(Signal.sequence(0..<number + 4)).map { $0 + $1 }
    case .withLatest(let number): signal.withLatest(from: Signal.just(number)).map { $0 + $1 }
    }
  }

  func apply(_ values: [Int]) -> [Int] {
    switch self {
    case .map(let number): return values.map { $0 + number }
    case .compactMap: return values.filter { $0 > 2 }
    case .filter(let number): return values.filter { $0 % 4 != number }
    case .scan:
      var sum = 0
      return values.map { value in
        sum = (sum + value) % 100
        return sum
      }
    case .dropFirst(let number): return Array(values.dropFirst(number))
    case .prefix(let number): return Array(values.prefix(number))
    case .prepend(let number): return [number, number] + values
    case .removeDuplicates:
      return values.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    case .flatMapJust(let number): return values.flatMap { [number, $0 * 2] }
    case .mergeNothing: return values
    case .prefixWhile(let number): return Array(values.prefix { $0 % 4 != number })
    case .dropWhile(let number): return Array(values.drop { $0 % 4 != number })
    case .zipWithNumbers(let number): return zip(values, 0..<number + 4).map { $0 + $1 }
    case .withLatest(let number): return values.map { $0 + number }
    }
  }
}
