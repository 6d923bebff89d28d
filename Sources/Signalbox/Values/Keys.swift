/// The elements of two lists as numbers.
///
/// Elements that match have the same number.
struct Keys {
  let old: [Int]
  let new: [Int]

  /// Numbers elements by `id`, if all of them have one.
  init?(
    identityOf old: any AnyList, _ oldRange: Range<Int>, _ new: any AnyList, _ newRange: Range<Int>
  ) {
    var numbering = Numbering()
    guard let old = old.identities(oldRange).flatMap({ numbering.numbers(of: $0) }),
      let new = new.identities(newRange).flatMap({ numbering.numbers(of: $0) })
    else { return nil }
    self.init(old: old, new: new)
  }

  /// Numbers elements by `==` and hash value, if all of them are `Hashable`.
  init?(
    valuesOf old: any AnyList, _ oldRange: Range<Int>, _ new: any AnyList, _ newRange: Range<Int>,
    _ equality: DeepEquality
  ) {
    var numbering = Numbering(equality)
    guard let old = old.hashableItems(oldRange).flatMap({ numbering.numbers(of: $0) }),
      let new = new.hashableItems(newRange).flatMap({ numbering.numbers(of: $0) })
    else { return nil }
    self.init(old: old, new: new)
  }

  init(lines old: [Substring], _ new: [Substring]) {
    var numbers: [Substring: Int] = [:]
    func number(_ line: Substring) -> Int {
      let next = numbers.count
      let number = numbers[line, default: next]
      if number == next { numbers[line] = next }
      return number
    }
    self.init(old: old.map(number), new: new.map(number))
  }

  init(old: [Int], new: [Int]) {
    self.old = old
    self.new = new
  }

  /// Whether no number occurs twice in a list.
  var areUnique: Bool { Set(old).count == old.count && Set(new).count == new.count }

  /// The identity of an element.
  ///
  /// `nil` if it has none.
  static func identity(_ element: Any) -> AnyHashable? {
    func open<I: Identifiable>(_ element: I) -> AnyHashable? {
      // The identity of an object is no identity of the thing that it represents.
      I.ID.self == ObjectIdentifier.self ? nil : AnyHashable(element.id)
    }
    if let entry = element as? KeyedValue {
      return (entry.key as? any Hashable).map { AnyHashable($0) }
    }
    return (element as? any Identifiable).flatMap { open($0) }
  }
}

/// Numbers keys, with the same number for equal keys.
private struct Numbering {
  private var numbers: [AnyHashable: Int] = [:]
  private var next = 0
  /// Keys that contain a NaN, which a dictionary cannot find.
  private var irreflexive: [(key: AnyHashable, number: Int)] = []
  private let equality: DeepEquality?

  /// The number of different keys with a NaN that are told apart.
  ///
  /// Each is compared with all of them. Further ones count as different.
  private static let most = 64

  /// - Parameter equality: compares keys that contain a NaN. `nil` if there is no number for them.
  init(_ equality: DeepEquality? = nil) { self.equality = equality }

  mutating func numbers(of keys: [AnyHashable]) -> [Int]? {
    var result: [Int] = []
    result.reserveCapacity(keys.count)
    for key in keys {
      guard let number = number(of: key) else { return nil }
      result.append(number)
    }
    return result
  }

  private mutating func number(of key: AnyHashable) -> Int? {
    guard key == key else { return number(ofIrreflexive: key) }
    if let known = numbers[key] { return known }
    numbers[key] = next
    next += 1
    return next - 1
  }

  private mutating func number(ofIrreflexive key: AnyHashable) -> Int? {
    guard let equality else { return nil }
    let known = irreflexive.first { equality.areSame($0.key.base, key.base) }
    if let known { return known.number }
    if irreflexive.count < Self.most { irreflexive.append((key, next)) }
    next += 1
    return next - 1
  }
}
