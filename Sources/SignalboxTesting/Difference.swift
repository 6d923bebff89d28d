/// Where two values differ: the smallest parts that do, found by reflection.
///
/// Equal parts are passed over by `==` where a type has one.
struct Difference {
  /// As one writes it behind a value: `messages[3].text`; empty for the value as a whole.
  let path: String
  let old: Any
  let new: Any

  var line: String { "\(path.isEmpty ? "state" : path): \(describe(old)) → \(describe(new))" }

  /// What an assertion would have to say.
  var assignment: String {
    path.isEmpty ? "$0 = \(describe(new))" : "$0.\(path) = \(describe(new))"
  }

  static func between(_ old: Any, _ new: Any, at path: String = "") -> [Difference] {
    if isEqual(old, new) { return [] }
    guard let parts = parts(old, new, nil) else {
      return [Difference(path: path, old: old, new: new)]
    }
    let found = parts.flatMap { between($0.a, $0.b, at: path + $0.step(after: path)) }
    // What `==` tells apart and its parts do not is a difference all the same.
    return found.isEmpty ? [Difference(path: path, old: old, new: new)] : found
  }

  /// Where a change was wanted and is not there: what was expected as old, what is there as new.
  static func unmet(from old: Any, to wanted: Any, in actual: Any, at path: String = "")
    -> [Difference]
  {
    if isEqual(old, wanted) || isEqual(wanted, actual) { return [] }
    guard let parts = parts(old, wanted, actual) else { return between(wanted, actual, at: path) }
    return parts.flatMap {
      unmet(from: $0.a, to: $0.b, in: $0.c ?? $0.b, at: path + $0.step(after: path))
    }
  }

  // MARK: - Taking apart

  private struct Part {
    let label: String
    let isIndex: Bool
    let a: Any
    let b: Any
    let c: Any?

    func step(after path: String) -> String {
      isIndex ? "[\(label)]" : path.isEmpty ? label : ".\(label)"
    }
  }

  /// The parts of values that are made alike; `nil` if they are not, or have none.
  private static func parts(_ a: Any, _ b: Any, _ c: Any?) -> [Part]? {
    let (x, y) = (Mirror(reflecting: a), Mirror(reflecting: b))
    let z = c.map { Mirror(reflecting: $0) }
    let kind = x.displayStyle
    guard kind == y.displayStyle, z == nil || z?.displayStyle == kind,
      x.children.count == y.children.count, z == nil || z?.children.count == x.children.count,
      !x.children.isEmpty, x.superclassMirror == nil
    else { return nil }
    switch kind {
    case .struct, .tuple, .class: break
    case .collection: break
    default: return nil
    }
    var parts: [Part] = []
    var others = z.map { Array($0.children) } ?? []
    for (index, (one, two)) in zip(x.children, y.children).enumerated() {
      guard one.label == two.label else { return nil }
      parts.append(
        Part(
          label: kind == .collection ? "\(index)" : one.label ?? "\(index)",
          isIndex: kind == .collection, a: one.value, b: two.value,
          c: others.isEmpty ? nil : others[index].value))
    }
    others = []
    return parts
  }

  private static func isEqual(_ a: Any, _ b: Any) -> Bool {
    func open<T: Equatable>(_ a: T) -> Bool { (b as? T) == a }
    guard let a = a as? any Equatable else { return false }
    return open(a)
  }
}

/// A value as one would write it, in one line.
func describe(_ value: Any, depth: Int = 0) -> String {
  if let text = value as? String { return text.debugDescription }
  let mirror = Mirror(reflecting: value)
  let children = mirror.children
  func list(_ open: String, _ close: String, labels: Bool = false) -> String {
    if depth > 4 { return "\(open)…\(close)" }
    let shown = children.prefix(8).map {
      let text = describe($0.value, depth: depth + 1)
      guard labels, let label = $0.label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }
    let rest = children.count - shown.count
    return open + (shown + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: ", ") + close
  }
  switch mirror.displayStyle {
  case .optional: return children.first.map { describe($0.value, depth: depth) } ?? "nil"
  case .enum:
    guard let child = children.first else { return ".\(value)" }
    let name = child.label ?? "\(value)"
    if Mirror(reflecting: child.value).displayStyle == .tuple {
      return ".\(name)" + describe(child.value, depth: depth + 1)
    }
    return ".\(name)(\(describe(child.value, depth: depth + 1)))"
  case .tuple: return list("(", ")", labels: true)
  case .collection, .set: return list("[", "]")
  case .struct where !(value is any CustomStringConvertible), .class where !(value is any Error):
    return list("\(type(of: value))(", ")", labels: true)
  default: return "\(value)"
  }
}
