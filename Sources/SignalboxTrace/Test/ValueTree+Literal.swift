internal import Foundation
internal import Signalbox

extension ValueTree {
  /// The value as a Swift literal where its type is known.
  ///
  /// `nil` if there is none, for example because something is redacted or was left out, or if the
  /// literal is longer than a test can be read with.
  func literal(most: Int = 2_000) -> String? {
    guard let text = source, text.utf8.count <= most else { return nil }
    return text
  }

  private var source: String? {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number("nan"), .number("-nan"): ".nan"
    case .number("inf"): ".infinity"
    case .number("-inf"): "-.infinity"
    case .number(let text): text
    case .string(let text): text.debugDescription
    case .list(let type, let elements): Self.list(elements, of: type)
    case .set(let members): Self.joined(members).map { "[\($0)]" }
    case .dictionary(let entries): Self.dictionary(entries)
    case .record(let record): record.source
    case .text(let type, let text): Self.known(type, text)
    case .some(let inner): inner.source.map { ".some(\($0))" }
    case .redacted, .omitted: nil
    }
  }

  private static func joined(_ trees: [ValueTree]) -> String? {
    var texts: [String] = []
    for tree in trees {
      guard let text = tree.source else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: ", ")
  }

  private static func list(_ elements: [ValueTree], of type: String?) -> String? {
    // Other lists may have no literals.
    if let type, !type.hasPrefix("ArraySlice"), !type.hasPrefix("ContiguousArray") { return nil }
    return joined(elements).map { "[\($0)]" }
  }

  private static func dictionary(_ entries: [Entry]) -> String? {
    if entries.isEmpty { return "[:]" }
    var texts: [String] = []
    for entry in entries {
      guard let key = entry.key.source, let value = entry.value.source else { return nil }
      texts.append("\(key): \(value)")
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  /// The source of a type that is known by its text.
  private static func known(_ type: String, _ text: String) -> String? {
    switch type {
    case "Character", "Unicode.Scalar": text.debugDescription
    case "UUID": "UUID(uuidString: \"\(text)\")!"
    case "Duration": duration(text)
    case "Range<Int>", "ClosedRange<Int>": "(\(text))"
    default: nil
    }
  }

  /// The source of a duration that is written as in `0.3 seconds`.
  private static func duration(_ text: String) -> String? {
    let parts = text.dropLast(" seconds".count).split(separator: ".")
    guard text.hasSuffix(" seconds"), parts.count == 2, let seconds = Int64(parts[0]),
      let attoseconds = Int64(parts[1] + String(repeating: "0", count: 18 - parts[1].count))
    else { return nil }
    if attoseconds == 0 { return ".seconds(\(seconds))" }
    let isNegative = text.hasPrefix("-")
    let rest = isNegative ? -attoseconds : attoseconds
    return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(rest))"
  }
}

extension ValueTree.Record {
  fileprivate var source: String? {
    guard !isObject, !isCustom else { return nil }
    var texts: [String] = []
    for field in fields {
      guard let text = ValueTree.literalSource(of: field.value) else { return nil }
      texts.append(field.label.map { "\($0): \(text)" } ?? text)
    }
    let list = "(\(texts.joined(separator: ", ")))"
    guard let caseName else {
      guard let type else { return list }
      return Self.isName(type) ? type + list : nil
    }
    guard Self.isName(caseName) else { return nil }
    let name = ["init", "self", "Type"].contains(caseName) ? "`\(caseName)`" : caseName
    // In an optional, these would be the cases of the optional.
    let prefix = ["none", "some"].contains(caseName) ? type ?? "" : ""
    return "\(prefix).\(name)" + (fields.isEmpty ? "" : list)
  }

  /// Whether a text is a name of a type or a case that Swift source may have.
  ///
  /// Types that are local to a function have others.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("(") && !text.contains(" in ") && !text.contains("$")
  }
}

extension ValueTree {
  fileprivate static func literalSource(of tree: ValueTree) -> String? { tree.source }
}
