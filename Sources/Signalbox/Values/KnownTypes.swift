/// The shapes of types of the standard library.
extension Presentable where Self: CustomStringConvertible {
  var shape: ValueShape { .leaf(description) }
}

extension Bool: Presentable {}
extension Int: Presentable {}
extension Int8: Presentable {}
extension Int16: Presentable {}
extension Int32: Presentable {}
extension Int64: Presentable {}
extension Int128: Presentable {}
extension UInt: Presentable {}
extension UInt8: Presentable {}
extension UInt16: Presentable {}
extension UInt32: Presentable {}
extension UInt64: Presentable {}
extension UInt128: Presentable {}
extension Float: Presentable {}
extension Double: Presentable {}
extension String: Presentable { var shape: ValueShape { .text(self) } }
extension Substring: Presentable { var shape: ValueShape { .text(String(self)) } }
extension Character: Presentable { var shape: ValueShape { .text(String(self)) } }
extension Unicode.Scalar: Presentable { var shape: ValueShape { .text(String(self)) } }
extension StaticString: Presentable { var shape: ValueShape { .text(description) } }
extension AnyKeyPath: Presentable { var shape: ValueShape { .leaf(debugDescription) } }

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: Presentable {
  /// A list, because a mirror would show storage of an internal type that cannot be cast.
  var shape: ValueShape { .parts(ValueParts("InlineArray", .list(indices.map { self[$0] }))) }
  static var partTypes: [Any.Type] { [Element.self] }
}

extension Duration: Presentable {
  var shape: ValueShape {
    let (seconds, attoseconds) = components
    let isNegative = seconds < 0 || attoseconds < 0
    var fraction = String(attoseconds.magnitude)
    fraction = String(repeating: "0", count: 18 - fraction.count) + fraction
    while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
    return .leaf("\(isNegative ? "-" : "")\(seconds.magnitude).\(fraction) seconds")
  }
}

/// A range with any type of bounds.
protocol AnyRange: Presentable {
  associatedtype Bound
  func text(_ bound: (Any) -> String) -> String
}

extension AnyRange {
  var shape: ValueShape { shape(.idle) }
  static var partTypes: [Any.Type] { [Bound.self] }

  func shape(_ cursor: RedactionCursor) -> ValueShape {
    .leaf(text { InlineFormatter.line(of: $0, cursor.into(nil, $0), room: 400) })
  }

  var bounds: [Any] {
    var bounds: [Any] = []
    _ = text { bound in
      bounds.append(bound)
      return ""
    }
    return bounds
  }
}

extension Range: AnyRange {
  func text(_ bound: (Any) -> String) -> String {
    bound(lowerBound) + "..<" + bound(upperBound)
  }
}
extension ClosedRange: AnyRange {
  func text(_ bound: (Any) -> String) -> String {
    bound(lowerBound) + "..." + bound(upperBound)
  }
}
extension PartialRangeFrom: AnyRange {
  func text(_ bound: (Any) -> String) -> String { bound(lowerBound) + "..." }
}
extension PartialRangeUpTo: AnyRange {
  func text(_ bound: (Any) -> String) -> String { "..<" + bound(upperBound) }
}
extension PartialRangeThrough: AnyRange {
  func text(_ bound: (Any) -> String) -> String { "..." + bound(upperBound) }
}
