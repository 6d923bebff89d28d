import Signalbox

/// One of the smallest parts in which two values differ.
///
/// The parts are found by reflection and compared by `==` or, where their type has none, by their
/// contents. A part that cannot be compared, such as a closure, is no difference. A redacted part
/// is reported as different, without its values (D4).
struct Difference {
  /// The path as written after a value, as in `messages[3].text`.
  ///
  /// Empty for the whole value.
  let path: String
  let old: Any
  let new: Any
  let cursor: RedactionCursor
  /// What to write after the value instead of an assignment, if there is something shorter.
  var edit: String?

  var line: String { "\(name): \(oldText) → \(newText)" }
  var name: String { path.isEmpty ? "state" : path }
  var oldText: String { describe(old, cursor.entering(old)) }
  var newText: String { describe(new, cursor.entering(new)) }

  /// The statement that an assertion's closure would need.
  ///
  /// `nil` for a redacted part.
  var assignment: String? {
    if Dump.veiled(new, cursor.entering(new)) != nil { return nil }
    return edit.map { "$0\($0)" } ?? "$0\(Self.dotted(path)) = \(newText)"
  }

  private static func dotted(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("[") || path.hasPrefix("?") ? path : ".\(path)"
  }

  static func between(
    _ old: Any, _ new: Any, at path: String = "", _ known: RedactionCursor? = nil,
    _ way: ComparedPair = ComparedPair()
  ) -> [Difference] {
    let cursor = known ?? RedactionCursor(at: new)
    let whole = [Difference(path: path, old: old, new: new, cursor: cursor)]
    let isEqual = areEqual(old, new)
    if isEqual == true { return [] }
    if cursor.isHidden { return areAlike(old, new) ? [] : whole }
    guard let way = way.into(old, new) else { return [] }
    if way.isAtEnd { return areAlike(old, new) ? [] : whole }
    if let slice = changedSlice(old, new, at: path, cursor) { return [slice] }
    guard let parts = parts(old, new, nil, cursor) else {
      return isEqual == nil && areAlike(old, new) ? [] : whole
    }
    let found = parts.flatMap { part in
      between(part.a, part.b, at: path + part.step(after: path), part.cursor(cursor), way)
        .map { $0.unwrapped(part, path) }
    }
    // Values that `==` tells apart but whose parts are the same still differ, unless `==` is false
    // only because of a NaN.
    let isReflexive = areEqual(old, old) == true && areEqual(new, new) == true
    return found.isEmpty && isEqual != nil && isReflexive ? whole : found
  }

  /// The wanted changes that are missing.
  ///
  /// `old` is the expected value, `new` is the actual value.
  static func unmet(
    from old: Any, to wanted: Any, in actual: Any, at path: String = "",
    _ known: RedactionCursor? = nil,
    _ way: ComparedPair = ComparedPair()
  ) -> [Difference] {
    let cursor = known ?? RedactionCursor(at: actual)
    if areEqual(old, wanted) == true || areEqual(wanted, actual) == true { return [] }
    guard let way = way.into(old, wanted) else { return [] }
    guard !way.isAtEnd, let parts = parts(old, wanted, actual, cursor) else {
      return areAlike(old, wanted) ? [] : between(wanted, actual, at: path, cursor)
    }
    let found = parts.flatMap { part in
      unmet(
        from: part.a, to: part.b, in: part.c ?? part.b, at: path + part.step(after: path),
        part.cursor(cursor), way
      ).map { $0.unwrapped(part, path) }
    }
    // A change that only `==` can tell was wanted, too.
    if found.isEmpty, areEqual(wanted, wanted) == true, between(old, wanted).map(\.path) == [path] {
      return between(wanted, actual, at: path, cursor)
    }
    return found
  }

  /// Names a part that is a whole optional like the optional itself, without the `?`.
  private func unwrapped(_ part: Part, _ outer: String) -> Difference {
    guard part.isWrapped, path == outer + part.step(after: outer) else { return self }
    return Difference(
      path: String(path.dropLast()), old: old, new: new, cursor: cursor, edit: edit)
  }
}

extension Difference {
  // MARK: - Taking apart

  /// A part of two values, or of three.
  private struct Part {
    /// How the part is reached from the whole value.
    enum Step {
      case property(String)
      case index(Int)
      case key(String)
      case wrapped
    }

    let how: Step
    let a: Any
    let b: Any
    let c: Any?

    var isWrapped: Bool {
      switch how {
      case .wrapped, .key: true
      case .property, .index: false
      }
    }

    func cursor(_ outer: RedactionCursor) -> RedactionCursor {
      switch how {
      case .property(let name): outer.into(name, b)
      case .index, .key: outer.into(nil, b)
      // The cursor has already entered the optional.
      case .wrapped: outer
      }
    }

    func step(after path: String) -> String {
      switch how {
      case .property(let name): path.isEmpty ? name : ".\(name)"
      case .index(let index): "[\(index)]"
      case .key(let key): "[\(key)]?"
      case .wrapped: "?"
      }
    }
  }

  /// The parts of values of the same structure.
  ///
  /// `nil` if the structures differ or have no parts.
  private static func parts(_ a: Any, _ b: Any, _ c: Any?, _ cursor: RedactionCursor) -> [Part]? {
    // Such a value is compared as a whole. Its parts are an implementation detail.
    if Dump.isWhole(a) { return nil }
    let (x, y) = (Mirror(reflecting: a), Mirror(reflecting: b))
    let z = c.map { Mirror(reflecting: $0) }
    let kind = x.displayStyle
    guard kind == y.displayStyle, z == nil || z?.displayStyle == kind else { return nil }
    if kind == .dictionary { return entries(a, b, c) }
    guard x.superclassMirror == nil, !x.children.allSatisfy({ $0.label?.hasPrefix("_") == true })
    else { return nil }
    let (one, two) = (children(x, cursor), children(y, cursor))
    let three = z.map { children($0, cursor) }
    guard one.map(\.label) == two.map(\.label), three == nil || three?.count == one.count
    else { return nil }
    var parts: [Part] = []
    for (index, child) in one.enumerated() {
      let how: Part.Step
      switch kind {
      case .struct, .tuple, .class:
        // A mirror calls the elements of a tuple without labels `.0`, `.1` and so on.
        how = .property(child.label.map { $0.hasPrefix(".") ? "\(index)" : $0 } ?? "\(index)")
      case .collection: how = .index(index)
      case .optional: how = .wrapped
      default: return nil
      }
      parts.append(Part(how: how, a: child.value, b: two[index].value, c: three?[index].value))
    }
    return parts
  }

  /// The parts of a value.
  ///
  /// Wrapped properties have their own names, without the underscore.
  private static func children(_ mirror: Mirror, _ cursor: RedactionCursor) -> [Mirror.Child] {
    mirror.children.flatMap { child -> [Mirror.Child] in
      guard mirror.displayStyle == .struct || mirror.displayStyle == .class,
        let label = child.label, label.hasPrefix("_"), !cursor.leads(to: label, child.value)
      else { return [child] }
      let name = String(label.dropFirst())
      if Dump.isRedacted(child.value) { return [(name, child.value)] }
      let parts = Mirror(reflecting: child.value).children
      guard parts.contains(where: { $0.label == "wrappedValue" }) else { return [child] }
      return parts.map { part in
        (part.label == "wrappedValue" ? name : "\(label).\(part.label ?? "")", part.value)
      }
    }
  }

  private static func entries(_ a: Any, _ b: Any, _ c: Any?) -> [Part]? {
    guard let a = a as? [AnyHashable: Any], let b = b as? [AnyHashable: Any] else { return nil }
    let c = c.map { $0 as? [AnyHashable: Any] ?? [:] }
    let keys = Set(a.keys).union(b.keys).map { ($0, describe($0.base)) }.sorted { $0.1 < $1.1 }
    return keys.map { key, name in
      Part(
        how: .key(name), a: a[key] ?? Missing.entry, b: b[key] ?? Missing.entry,
        c: c.map { $0[key] ?? Missing.entry })
    }
  }

  /// The change of the middle of an array whose length has changed, as one edit.
  private static func changedSlice(
    _ old: Any, _ new: Any, at path: String, _ cursor: RedactionCursor
  ) -> Difference? {
    let (x, y) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard x.displayStyle == .collection, y.displayStyle == .collection,
      x.children.count != y.children.count, !x.children.isEmpty, !y.children.isEmpty
    else { return nil }
    let (a, b) = (x.children.map(\.value), y.children.map(\.value))
    let most = min(a.count, b.count)
    var start = 0
    while start < most, areAlike(a[start], b[start]) { start += 1 }
    var end = 0
    while end < most - start, areAlike(a[a.count - 1 - end], b[b.count - 1 - end]) {
      end += 1
    }
    guard start + end > 0 else { return nil }
    let range = start..<(a.count - end)
    let (gone, come) = (Array(a[range]), Array(b[start..<(b.count - end)]))
    let here = dotted(path)
    let edit =
      if come.isEmpty {
        "\(here).removeSubrange(\(range))"
      } else if start == a.count, come.count == 1 {
        "\(here).append(\(describe(come[0])))"
      } else if start == a.count {
        "\(here) += \(describe(come))"
      } else {
        "\(here)[\(range)] = \(describe(come))"
      }
    return Difference(
      path: "\(path)[\(range)]", old: gone, new: come, cursor: cursor.into(nil, come), edit: edit)
  }

  // MARK: - Comparing

  /// Whether two values are equal by `==`.
  ///
  /// `nil` if their type has none. NaN is equal to itself.
  private static func areEqual(_ a: Any, _ b: Any) -> Bool? {
    func open<T: Equatable>(_ a: T) -> Bool { (b as? T) == a }
    if let x = a as? any FloatingPoint, x.isNaN, let y = b as? any FloatingPoint, y.isNaN {
      return true
    }
    guard let a = a as? any Equatable else { return nil }
    return open(a)
  }

  /// Whether two values are equal by `==` or, where their type has none, by their contents.
  private static func areAlike(_ a: Any, _ b: Any) -> Bool {
    Diff(from: a, to: b, limits: Limits(lines: 1)) == nil
  }
}

/// Stands for the value of a missing key.
enum Missing: Equatable, CustomStringConvertible {
  case entry
  var description: String { "nil" }
}
