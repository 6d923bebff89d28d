/// How the types of the standard library are seen.
extension Seen where Self: CustomStringConvertible {
  var look: Look { .leaf(description) }
}

extension Bool: Seen {}
extension Int: Seen {}
extension Int8: Seen {}
extension Int16: Seen {}
extension Int32: Seen {}
extension Int64: Seen {}
extension Int128: Seen {}
extension UInt: Seen {}
extension UInt8: Seen {}
extension UInt16: Seen {}
extension UInt32: Seen {}
extension UInt64: Seen {}
extension UInt128: Seen {}
extension Float: Seen {}
extension Double: Seen {}
extension String: Seen { var look: Look { .text(self) } }
extension Substring: Seen { var look: Look { .text(String(self)) } }
extension Character: Seen { var look: Look { .text(String(self)) } }
extension Unicode.Scalar: Seen { var look: Look { .text(String(self)) } }
extension StaticString: Seen { var look: Look { .text(description) } }
extension AnyKeyPath: Seen { var look: Look { .leaf(debugDescription) } }

extension InlineArray: Seen {
  /// A mirror would show storage that has a type of the compiler's own, which no cast survives.
  var look: Look { .parts(Parts("InlineArray", .list(indices.map { self[$0] }))) }
  static func mayHide(_ lookout: Lookout) -> Bool { lookout.mayBeHidden(in: Element.self) }
}

extension Duration: Seen {
  var look: Look {
    let (seconds, attoseconds) = components
    let isNegative = seconds < 0 || attoseconds < 0
    var fraction = String(attoseconds.magnitude)
    fraction = String(repeating: "0", count: 18 - fraction.count) + fraction
    while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
    return .leaf("\(isNegative ? "-" : "")\(seconds.magnitude).\(fraction) seconds")
  }
}

/// A range, whatever its bounds are.
protocol Span: Seen {
  /// - Parameter bound: writes one of the bounds.
  func text(_ bound: (Any) -> String) -> String
  associatedtype Bound
}

extension Span {
  var look: Look { look(.idle) }
  static func mayHide(_ lookout: Lookout) -> Bool { lookout.mayBeHidden(in: Bound.self) }

  var bounds: [Any] {
    var bounds: [Any] = []
    _ = text { bound in
      bounds.append(bound)
      return ""
    }
    return bounds
  }

  func look(_ lookout: Lookout) -> Look {
    .leaf(
      text { bound in
        var brief = Brief()
        return brief.clipped(bound, lookout.into(nil, bound), room: 400)
      })
  }
}

extension Range: Span {
  func text(_ bound: (Any) -> String) -> String { bound(lowerBound) + "..<" + bound(upperBound) }
}
extension ClosedRange: Span {
  func text(_ bound: (Any) -> String) -> String { bound(lowerBound) + "..." + bound(upperBound) }
}
extension PartialRangeFrom: Span {
  func text(_ bound: (Any) -> String) -> String { bound(lowerBound) + "..." }
}
extension PartialRangeUpTo: Span {
  func text(_ bound: (Any) -> String) -> String { "..<" + bound(upperBound) }
}
extension PartialRangeThrough: Span {
  func text(_ bound: (Any) -> String) -> String { "..." + bound(upperBound) }
}

/// What only wraps a value: optionals, and `AnyHashable`.
enum Wrapping {
  /// What lies in wrappers within wrappers; `nil` if nothing does.
  static func core(of value: Any) -> Any? {
    var value = value
    while true {
      if let optional = value as? any Wrapper {
        guard let inner = optional.inner else { return nil }
        value = inner
      } else if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
        value = hashable.base
      } else {
        return value
      }
    }
  }

  /// `nil`, told from a `nil` within optionals: `some(nil)`.
  static func nilText(of value: Any) -> String {
    guard let optional = value as? any Wrapper, let inner = optional.inner else { return "nil" }
    return "some(\(nilText(of: inner)))"
  }
}

/// An optional, whatever it is of.
protocol Wrapper {
  var inner: Any? { get }
}

extension Optional: Wrapper {
  var inner: Any? { self }
}
