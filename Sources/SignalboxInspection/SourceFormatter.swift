import Signalbox

/// Formats values on one line as Swift source writes them.
///
///     .failed(code: 1, reason: "offline")
///     [Message(id: 0, text: "hello"), Message(id: 1, text: "hi")]
///
/// A type with a description of its own is written with it. Long lists and deep values are cut.
package enum SourceFormatter {
  private static let most = 8
  private static let depth = 4

  /// Formats a value, as in a dump if something in it is redacted.
  package static func text(of value: Any) -> String { text(of: value, RedactionCursor(at: value)) }

  /// Formats a message to a store, which is hidden if it was made of something redacted (D6).
  package static func text(ofMessage message: Any) -> String {
    text(of: Redaction.shown(message: message))
  }

  static func text(of value: Any, _ cursor: RedactionCursor) -> String {
    Dump.veiled(value, cursor) ?? text(of: value, depth: 0)
  }

  private static func text(of value: Any, depth: Int) -> String {
    if let optional = value as? any AnyOptional { return text(of: optional, depth: depth) }
    if let duration = value as? Duration { return ".seconds(\(duration / .seconds(1)))" }
    if Dump.isKnown(value), case .text(let text) = ValueShape.at(value, .idle) {
      return Quoting.quoted(text, room: 5_000)
    }
    // Written as in a diff: dates to the nanosecond, invisible characters escaped (D2).
    if Dump.isWhole(value) { return Dump.string(of: value) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum: return text(of: value, mirror, depth: depth)
    case .struct where value is any CustomStringConvertible && !Dump.isKnown(value),
      .class where value is any Error, .none:
      return "\(value)"
    default: break
    }
    guard case .parts(let parts) = ValueShape.at(value, .idle, bare: true) else {
      return "\(value)"
    }
    return text(of: parts, depth: depth)
  }

  private static func text(of optional: any AnyOptional, depth: Int) -> String {
    guard let wrapped = optional.wrapped else { return "nil" }
    let text = text(of: wrapped, depth: depth)
    let isNil = text == "nil" || text.hasPrefix(".some(")
    return wrapped is any AnyOptional && isNil ? ".some(\(text))" : text
  }

  private static func text(of value: Any, _ mirror: Mirror, depth: Int) -> String {
    guard let child = mirror.children.first else { return ".\(value)" }
    if depth > self.depth { return ".\(child.label ?? "")(…)" }
    let payload = text(of: child.value, depth: depth + 1)
    let isTuple = Mirror(reflecting: child.value).displayStyle == .tuple
    return ".\(child.label ?? "\(value)")" + (isTuple ? payload : "(\(payload))")
  }

  private static func text(of parts: ValueParts, depth: Int) -> String {
    let count = parts.count
    var (open, close) = ("[", "]")
    if case .fields = parts.children { (open, close) = (parts.name + "(", ")") }
    if count == 0, case .entries = parts.children { return "[:]" }
    if depth > self.depth { return "\(open)…\(close)" }
    let part = parts.ordered()
    var texts = (0..<min(count, most)).map { offset in
      let part = part(offset)
      let text = text(of: part.value, depth: depth + 1)
      return switch part.key {
      case .name(let name): "\(name): \(text)"
      case .entry(let key): "\(self.text(of: key, depth: depth + 1)): \(text)"
      case .none, .position, .index, .moved: text
      }
    }
    if count > most { texts.append("… \(count - most) more") }
    return open + texts.joined(separator: ", ") + close
  }
}
