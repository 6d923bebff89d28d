/// A property of a view that says itself whether it has changed.
protocol ComparableProperty {
  func isSame(as other: Any) -> Bool
}

/// Whether two values of a view's properties are the same, so that SwiftUI skips the view.
///
/// Values are compared with `==` or field by field, and objects by identity. A closure that has
/// captured something is like no other, because it is compared by the address of its context.
func areSame<Value>(_ first: Value, _ second: Value) -> Bool {
  areBitwiseEqual(first, second) || areSameParts(first, second)
}

private func areSameParts(_ first: Any, _ second: Any) -> Bool {
  guard type(of: first) == type(of: second) else { return false }
  if let property = first as? any ComparableProperty { return property.isSame(as: second) }
  if let value = first as? any Equatable { return isEqual(value, second) }
  let (parts, others) = (Mirror(reflecting: first), Mirror(reflecting: second))
  if parts.displayStyle == .class || parts.children.isEmpty || others.children.isEmpty {
    return areBitwiseEqual(opening: first, second)
  }
  return parts.children.count == others.children.count
    && zip(parts.children, others.children).allSatisfy {
      $0.label == $1.label && areSameParts($0.value, $1.value)
    }
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  first == second as? Value
}

private func areBitwiseEqual(opening first: Any, _ second: Any) -> Bool {
  func open<Value>(_ first: Value) -> Bool {
    (second as? Value).map { areBitwiseEqual(first, $0) } ?? false
  }
  return _openExistential(first, do: open)
}

private func areBitwiseEqual<Value>(_ first: Value, _ second: Value) -> Bool {
  withUnsafeBytes(of: first) { first in
    withUnsafeBytes(of: second) { first.elementsEqual($0) }
  }
}
