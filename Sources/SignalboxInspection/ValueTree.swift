import Signalbox

/// A value as a tree, which keeps the names of types, properties and cases.
///
///     Message(id: 7, status: .failed("offline"))
///
///     record Message
///     ├─ id: integer 7
///     └─ status: record Status, case failed
///        └─ string "offline"
///
/// A tree can be sent to another thread, written and read. Nothing redacted is in it (D4).
package enum ValueTree: Hashable, Sendable {
  case null
  case bool(Bool)
  /// An integer that JavaScript can represent exactly.
  case integer(Int)
  /// Any other number, as Swift prints it.
  case number(String)
  case string(String)
  /// - Parameter type: the type, unless it is `Array`.
  case list(type: String?, [ValueTree])
  /// In an order without meaning, as the entries of a dictionary are.
  case set([ValueTree])
  case dictionary([Entry])
  case record(Record)
  /// A value that has a text, and no parts that are shown.
  case text(type: String, String)
  /// An optional in an optional: `.some(nil)`.
  indirect case some(ValueTree)
  case redacted
  /// Something that was left out, because it is too deep or too large.
  case omitted

  package struct Entry: Hashable, Sendable {
    package var key: ValueTree
    package var value: ValueTree

    package init(key: ValueTree, value: ValueTree) {
      self.key = key
      self.value = value
    }
  }

  /// A struct, a class, a tuple, or an enum with its case.
  package struct Record: Hashable, Sendable {
    /// The name of the type with those around it, without the module; `nil` for a tuple.
    package var type: String?
    package var caseName: String?
    /// Whether the value is an object, whose parts may change without a commit.
    package var isObject: Bool
    /// Whether the parts may not be the parameters of an initializer.
    package var isCustom: Bool
    /// Whether the value is a case whose type its place may not have, such as one of `any Error`.
    package var isErased: Bool
    package var fields: [Field]

    package init(
      type: String?, caseName: String? = nil, isObject: Bool = false, isCustom: Bool = false,
      isErased: Bool = false, fields: [Field]
    ) {
      self.type = type
      self.caseName = caseName
      self.isObject = isObject
      self.isCustom = isCustom
      self.isErased = isErased
      self.fields = fields
    }
  }

  /// A property, or an associated value.
  package struct Field: Hashable, Sendable {
    package var label: String?
    package var value: ValueTree

    package init(label: String?, value: ValueTree) {
      self.label = label
      self.value = value
    }
  }
}

extension ValueTree {
  /// Whether two trees show the same value, with anything for what was left out.
  ///
  /// The order of members does not count, nor do parts of objects, which change without a commit.
  package func matches(_ other: ValueTree) -> Bool {
    switch (self, other) {
    case (.omitted, _), (_, .omitted): true
    case (.list(let type, let old), .list(let otherType, let new)):
      type == otherType && old.count == new.count && zip(old, new).allSatisfy { $0.matches($1) }
    case (.set(let old), .set(let new)): Self.matchAll(old, new) { $0.matches($1) }
    case (.dictionary(let old), .dictionary(let new)):
      Self.matchAll(old, new) { $0.key.matches($1.key) && $0.value.matches($1.value) }
    case (.record(let old), .record(let new)): old.matches(new)
    case (.some(let old), .some(let new)): old.matches(new)
    default: self == other
    }
  }

  /// Whether the tree tells a value from all others.
  ///
  /// Objects and redacted values look alike. Custom mirrors and texts may leave out what differs.
  package var isDistinct: Bool {
    switch self {
    case .null, .bool, .integer, .number, .string: true
    case .text(let type, _): Self.exactTexts.contains(type)
    case .list(_, let trees), .set(let trees): trees.allSatisfy(\.isDistinct)
    case .dictionary(let entries): entries.allSatisfy { $0.key.isDistinct && $0.value.isDistinct }
    case .record(let record):
      !record.isObject && !record.isCustom && record.fields.allSatisfy(\.value.isDistinct)
    case .some(let inner): inner.isDistinct
    case .redacted, .omitted: false
    }
  }

  /// The types whose texts differ if the values do.
  private static let exactTexts: Set = [
    "CGFloat", "Character", "Date", "Decimal", "Duration", "URL", "UUID", "Unicode.Scalar",
  ]

  private static func matchAll<T: Hashable>(
    _ old: [T], _ new: [T], by areSame: (T, T) -> Bool
  ) -> Bool {
    guard old.count == new.count else { return false }
    // Pairs of equal elements first, because most are equal.
    var counts: [T: Int] = [:]
    for element in old { counts[element, default: 0] += 1 }
    var left: [T] = []
    for element in new {
      if let count = counts[element] {
        counts[element] = count > 1 ? count - 1 : nil
      } else {
        left.append(element)
      }
    }
    var unmatched = counts.flatMap { Array(repeating: $0.key, count: $0.value) }
    for element in left {
      guard let place = unmatched.firstIndex(where: { areSame($0, element) }) else { return false }
      unmatched.remove(at: place)
    }
    return unmatched.isEmpty
  }
}

extension ValueTree.Record {
  fileprivate func matches(_ other: Self) -> Bool {
    guard type == other.type, caseName == other.caseName, isObject == other.isObject else {
      return false
    }
    if isObject { return true }
    return fields.count == other.fields.count
      && zip(fields, other.fields).allSatisfy { $0.label == $1.label && $0.value.matches($1.value) }
  }
}
