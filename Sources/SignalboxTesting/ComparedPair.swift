/// Limits a recursive comparison of two values in depth, and keeps it from entering a cycle.
///
/// It refuses a pair of objects that it has entered before. All copies share the set of pairs.
struct ComparedPair {
  /// The pairs of objects that have been entered.
  private final class Met {
    var pairs: Set<[ObjectIdentifier]> = []
  }

  private let met = Met()
  private var depth = 0

  /// Whether the values at this depth are compared as a whole, to limit the use of the stack.
  var isAtEnd: Bool { depth > 24 }

  /// Goes one level deeper.
  ///
  /// Returns `nil` for a pair of objects that has been entered before.
  func into(_ old: Any, _ new: Any) -> ComparedPair? {
    if type(of: old) is AnyClass, type(of: new) is AnyClass {
      let pair = [ObjectIdentifier(old as AnyObject), ObjectIdentifier(new as AnyObject)]
      guard met.pairs.insert(pair).inserted else { return nil }
    }
    var next = self
    next.depth += 1
    return next
  }
}
