import Signalbox

/// Formats a value as Swift source would write it, on one line.
func describe(_ value: Any, _ cursor: RedactionCursor? = nil) -> String {
  Dump.veiled(value, cursor) ?? describe(value, depth: 0)
}

private func describe(_ value: Any, depth: Int) -> String {
  switch value {
  case let duration as Duration: return ".seconds(\(duration / .seconds(1)))"
  case is Missing: return "nil"
  default: break
  }
  // Written as in a diff: dates to the nanosecond, invisible characters escaped (D2).
  if Dump.isWhole(value) { return Dump.string(of: value) }
  let mirror = Mirror(reflecting: value)
  let children = mirror.children
  func list(_ parts: [String], of count: Int, _ open: String, _ close: String) -> String {
    let rest = count - parts.count
    return open + (parts + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: ", ") + close
  }
  func list(_ open: String, _ close: String, labels: Bool = false) -> String {
    if depth > 4 { return "\(open)…\(close)" }
    let shown = children.prefix(8).map {
      let text = describe($0.value, depth: depth + 1)
      guard labels, let label = $0.label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }
    return list(shown, of: children.count, open, close)
  }
  switch mirror.displayStyle {
  case .optional:
    guard let wrapped = children.first?.value else { return "nil" }
    let text = describe(wrapped, depth: depth)
    let isNil = text == "nil" || text.hasPrefix(".some(")
    let isNested = Mirror(reflecting: wrapped).displayStyle == .optional
    return isNested && isNil ? ".some(\(text))" : text
  case .enum:
    guard let child = children.first else { return ".\(value)" }
    let name = child.label ?? "\(value)"
    if Mirror(reflecting: child.value).displayStyle == .tuple {
      return ".\(name)" + describe(child.value, depth: depth + 1)
    }
    return ".\(name)(\(describe(child.value, depth: depth + 1)))"
  case .tuple: return list("(", ")", labels: true)
  case .collection: return list("[", "]")
  case .set:
    let shown = children.prefix(8).map { describe($0.value, depth: depth + 1) }.sorted()
    return list(shown, of: children.count, "[", "]")
  case .dictionary:
    let shown = children.prefix(8).map { child in
      Mirror(reflecting: child.value).children.map { describe($0.value, depth: depth + 1) }
        .joined(separator: ": ")
    }
    return children.isEmpty ? "[:]" : list(shown.sorted(), of: children.count, "[", "]")
  case .struct where !(value is any CustomStringConvertible), .class where !(value is any Error):
    return list("\(type(of: value))(", ")", labels: true)
  default: return "\(value)"
  }
}
