import Foundation
import Signalbox

/// Writes values as Swift source that compiles where their types are known (R7, T11).
///
///     .failed(code: 1, reason: "offline")
///     [Message(id: 0, text: "hello")]
///
/// These have none: objects, functions, types with custom mirrors, cases that describe themselves,
/// values with property wrappers, and what is redacted or left out. Reflection cannot tell private
/// initializers, nor a case of one tuple from one of several values, which then does not compile.
package struct SourceLiterals {
  private let defaults: [String: String]
  private let expressions: [String: String]
  /// The names that mean something else after a dot.
  package static let reserved: Set = ["init", "self", "Type"]
  private static let reservedLabels: Set = ["inout", "let", "var"]
  /// The types of the library whose titles have no labels, and whose parameters are inferred.
  private static let dialogs: Set = ["AlertState", "ConfirmationState", "DialogButton"]

  /// - Parameters:
  ///   - defaults: arguments to leave out, as in `["Note.isPinned": "false"]`.
  ///   - expressions: the expressions of values that have only texts, by these texts.
  package init(defaults: [String: String] = [:], expressions: [String: String] = [:]) {
    self.defaults = defaults
    self.expressions = expressions
  }

  /// - Parameter isTyped: whether a case needs the name of its type, as the context gives no type.
  package func source(of tree: ValueTree, isTyped: Bool = false) -> String? {
    switch tree {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number("nan"), .number("-nan"): ".nan"
    case .number("inf"): ".infinity"
    case .number("-inf"): "-.infinity"
    case .number(let text): text
    case .string(let text): Quoting.quoted(text)
    case .list(let type, let elements): list(elements, of: type)
    case .set(let members): joined(members).map { "[\($0)]" }
    case .dictionary(let entries): dictionary(entries)
    case .record(let record): source(of: record, isTyped: isTyped)
    case .text(let type, let text): known(type, text)
    case .some(let inner): source(of: inner).map { ".some(\($0))" }
    case .redacted, .omitted: nil
    }
  }

  private func joined(_ trees: [ValueTree]) -> String? {
    trees.completeMap { source(of: $0) }?.joined(separator: ", ")
  }

  private func list(_ elements: [ValueTree], of type: String?) -> String? {
    // Other lists may have no literals.
    if let type, !type.hasPrefix("ArraySlice"), !type.hasPrefix("ContiguousArray") { return nil }
    return joined(elements).map { "[\($0)]" }
  }

  private func dictionary(_ entries: [ValueTree.Entry]) -> String? {
    if entries.isEmpty { return "[:]" }
    let texts = entries.completeMap { entry in
      source(of: entry.key).flatMap { key in source(of: entry.value).map { "\(key): \($0)" } }
    }
    return texts.map { "[\($0.joined(separator: ", "))]" }
  }

  private func source(of record: ValueTree.Record, isTyped: Bool) -> String? {
    // The cases of types of the system need not be what they are made with.
    let isResult = record.type?.hasPrefix("Result<") == true
    guard !record.isObject, !record.isCustom || isResult else { return nil }
    let generic = record.type?.split(separator: "<", maxSplits: 1).map(String.init) ?? []
    let dialog = generic.count == 2 && Self.dialogs.contains(generic[0]) ? generic[0] : nil
    var texts: [String] = []
    for field in record.fields {
      guard let text = source(of: field.value) else { return nil }
      let parameter = "\(record.type ?? "").\(field.label ?? "")"
      // In a dialog, each optional parameter is `nil` by default.
      let isDefault = defaults[parameter] == text || dialog != nil && text == "nil"
      if record.caseName == nil, isDefault { continue }
      let label = dialog != nil && field.label == "title" ? nil : field.label
      texts.append(label.map { "\(Self.name($0, unlike: Self.reservedLabels)): \(text)" } ?? text)
    }
    let list = "(\(texts.joined(separator: ", ")))"
    guard let caseName = record.caseName else {
      guard let type = dialog ?? record.type else { return list }
      return Self.isName(type) ? type + list : nil
    }
    guard Self.isName(caseName) else { return nil }
    // In an optional, these would be the cases of the optional.
    let needsType = isTyped || record.isErased || ["none", "some"].contains(caseName)
    var prefix = needsType ? record.type ?? "" : ""
    if isResult { prefix.replace(", Error>", with: ", any Error>") }
    guard Self.isName(prefix) || prefix.isEmpty else { return nil }
    return "\(prefix).\(Self.name(caseName))" + (record.fields.isEmpty ? "" : list)
  }

  /// A name as source has it.
  // Metadata has a no-break space for the space of a raw identifier.
  package static func name(_ text: String, unlike reserved: Set<String> = reserved) -> String {
    let name = text.replacing("\u{A0}", with: " ")
    return reserved.contains(name) ? "`\(name)`" : name
  }

  /// Whether Swift source may have a name, unlike those of types that are local to a function.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("(") && !text.contains(" in ") && !text.contains("$")
  }

  // MARK: - Values that are known by their texts

  private func known(_ type: String, _ text: String) -> String? {
    // What is in the brackets of a text that begins with the type, as in `URL(https://swift.org)`.
    let inner =
      text.hasPrefix("\(type)(") ? String(text.dropFirst(type.count + 1).dropLast()) : text
    if let expression = expressions[text] ?? expressions[inner] { return expression }
    return switch type {
    case "Character", "Unicode.Scalar": Quoting.quoted(text)
    case "UUID": "UUID(uuidString: \"\(inner)\")!"
    // The text of a relative URL has the text of its base.
    case "URL": inner.contains(" -- ") ? nil : "URL(string: \(inner.debugDescription))!"
    case "CGFloat": source(of: .number(text))
    case "Decimal": "Decimal(string: \"\(inner)\")!"
    case "Date": Self.date(text)
    case "Data": Self.data(text)
    case "Duration":
      text.hasSuffix(" seconds") ? Self.duration(text.dropLast(" seconds".count)) : nil
    case "Range<Int>", "ClosedRange<Int>":
      // Without spaces, `..<-` would be one operator.
      "(\(text.replacing("..<-", with: " ..< -").replacing("...-", with: " ... -")))"
    default: nil
    }
  }

  /// The source of a date whose text is as in `2026-11-23T10:50:00.000000000Z`.
  private static func date(_ text: String) -> String? {
    let reference = "Date(timeIntervalSinceReferenceDate: "
    if let end = text.range(of: " s since 2001") {
      // The exact number stands in brackets if nanoseconds do not suffice.
      return text[..<end.lowerBound].split(separator: "(").last.map { "\(reference)\($0))" }
    }
    let parts = text.dropLast().split(separator: ".")
    guard text.hasSuffix("Z"), parts.count == 2, let nanoseconds = Double(parts[1]),
      let whole = try? Date("\(parts[0])Z", strategy: .iso8601)
    else { return nil }
    return "\(reference)\(whole.timeIntervalSinceReferenceDate + nanoseconds / 1e9))"
  }

  private static func data(_ text: String) -> String? {
    guard text.count % 2 == 0, text.count <= 64, text.allSatisfy(\.isHexDigit) else { return nil }
    let digits = Array(text)
    let bytes = stride(from: 0, to: digits.count, by: 2).map { "0x\(digits[$0])\(digits[$0 + 1])" }
    return bytes.isEmpty ? "Data()" : "Data([\(bytes.joined(separator: ", "))])"
  }

  /// The source of a duration in seconds, as in `0.3`, in the largest unit that is exact.
  package static func duration(_ text: some StringProtocol) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]) else { return nil }
    let fraction = parts.count == 2 ? parts[1].reversed().drop { $0 == "0" }.reversed() : []
    guard fraction.allSatisfy({ ("0"..."9").contains($0) }), fraction.count <= 18 else {
      return nil
    }
    if fraction.isEmpty { return ".seconds(\(seconds))" }
    let units = [(3, "milliseconds"), (6, "microseconds"), (9, "nanoseconds")]
    let isNegative = text.hasPrefix("-")
    if let unit = units.first(where: { fraction.count <= $0.0 }), abs(seconds) < 1_000_000 {
      let digits = String(fraction) + String(repeating: "0", count: unit.0 - fraction.count)
      let all = "\(seconds == 0 ? "" : "\(abs(seconds))")\(digits)"
      return Int64(all).map { ".\(unit.1)(\(isNegative ? "-" : "")\($0))" }
    }
    let digits = String(fraction) + String(repeating: "0", count: 18 - fraction.count)
    let sign = isNegative ? "-" : ""
    return Int64(digits).map {
      "Duration(secondsComponent: \(seconds), attosecondsComponent: \(sign)\($0))"
    }
  }
}
