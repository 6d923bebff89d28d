/// The elements of two lists as numbers.
///
/// Elements that match have the same number.
package struct Keys {
  private(set) var old: [Int] = []
  private(set) var new: [Int] = []
  /// A number that is greater than all others, which are not negative unless they match nothing.
  private(set) var count = 0

  /// The number of different keys with a NaN that are told apart.
  ///
  /// A key with a NaN is compared with each of these. Once there are so many, it counts as different.
  private static let most = 64

  /// Numbers the keys of two lists.
  ///
  /// - Parameter equality: compares keys that contain a NaN, which a dictionary cannot find.
  init<Key: Hashable>(
    _ old: some Collection<Key>, _ new: some Collection<Key>, _ equality: DeepEquality? = nil
  ) {
    var numbers: [Key: Int] = [:]
    numbers.reserveCapacity(old.count)
    var irreflexive: [(key: Key, number: Int)] = []
    var count = 0
    func number(_ key: Key) -> Int {
      if let known = numbers[key] { return known }
      count += 1
      guard key != key else {
        numbers[key] = count - 1
        return count - 1
      }
      if let known = irreflexive.first(where: { equality?.areSame($0.key, key) == true }) {
        return known.number
      }
      if irreflexive.count < Self.most { irreflexive.append((key, count - 1)) }
      return count - 1
    }
    self.old = old.map(number)
    self.new = new.map(number)
    self.count = count
  }

  /// - Parameter count: a number that is greater than all others.
  init(old: [Int], new: [Int], count: Int) {
    self.old = old
    self.new = new
    self.count = count
  }

  /// Whether no number occurs twice in a list.
  var areUnique: Bool { Set(old).count == old.count && Set(new).count == new.count }

  /// The identity of an element; `nil` if it has none.
  package static func identity(_ element: Any) -> AnyHashable? {
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
