/// How far into two values a search has come: not too deep for the stack, and into no two objects
/// twice, which would be without end in a cycle.
struct ComparedPair {
  private final class Met {
    var pairs: Set<[ObjectIdentifier]> = []
  }

  private let met = Met()
  private var depth = 0

  /// Whether what lies deeper is taken as a whole.
  var isAtEnd: Bool { depth > 24 }

  /// One level deeper; `nil` for objects that have been met.
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
