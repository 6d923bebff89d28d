internal import Signalbox
internal import SignalboxInspection

/// Why there is no expression of a child.
struct NoExpression: Error { let reason: String }

extension Trace.Surroundings {
  /// The expression of a child, as in `store.child(\.rows, id: 3, Row.self)?`.
  func expression(
    ofChild path: String?, in state: ValueTree, _ optionals: OptionalProperties
  ) throws(NoExpression) -> String {
    let unnamed = NoExpression(reason: "Name its interactor in `children`.")
    var names = path.map { Why.names(inChildPath: $0) }?[...] ?? []
    var (text, properties): (String, [String]) = ("store", [])
    var place: ValueTree? = state
    while let property = names.popFirst() {
      properties.append(property)
      place = place?.part([property])
      var (name, arguments) = (property, "\\.\(property),")
      var isOptional = optionals.contains(property)
      if let record = place?.record, let enumCase = record.caseName, names.first == enumCase {
        // A case of an enum, which has the type of the child.
        guard let type = record.type, SourceLiterals.isName(type) else { throw unnamed }
        properties.append(names.removeFirst())
        arguments = "case: \(arguments) \(type).\(enumCase),"
        place = record.fields.first?.value
        (name, isOptional) = ("\(property).\(enumCase)", true)
      } else if let match = names.first?.wholeMatch(of: /\[([0-9]+)\]/), let index = Int(match.1) {
        // A screen, whose interactor is that of its case.
        arguments += " at: \(index),"
        place = place?.elements.dropFirst(index).first?.value.record?.fields.first?.value
        properties += names.dropFirst().prefix(1)
        names = names.dropFirst(2)
        (name, isOptional) = (properties.suffix(2).joined(separator: "."), true)
      }
      guard var type = children[properties.joined(separator: ".")] ?? children[name] else {
        throw unnamed
      }
      isOptional = isOptional || type.hasSuffix("?")
      if type.hasSuffix("?") { type.removeLast() }
      if let element = names.first, element.hasPrefix("[id: ") {
        names.removeFirst()
        let elements = place?.elements ?? []
        let idText = String(element.dropFirst("[id: ".count).dropLast())
        let found = elements.first { $0.id?.idText == idText }
        place = found?.value
        // An id that is computed is not in the tree.
        let literal =
          elements.contains { $0.id != nil }
          ? found?.id?.literal(self, isTyped: true) : Self.literal(ofID: idText)
        guard let literal else {
          let fault = idText == Redaction.text ? "is redacted" : "cannot be written as Swift"
          throw NoExpression(reason: "Its id \(fault).")
        }
        (arguments, isOptional) = ("\(arguments) id: \(literal),", true)
      }
      text += ".child(\(arguments) \(type).self)\(isOptional ? "?" : "")"
    }
    return text
  }

  /// The literal of an id that has a text in a path.
  private static func literal(ofID text: String) -> String? {
    if Int(text) != nil || UInt64(text) != nil || text.hasPrefix("\"") { return text }
    let isUUID = text.count == 36 && text.allSatisfy { $0.isHexDigit || $0 == "-" }
    return isUUID ? "UUID(uuidString: \"\(text)\")!" : nil
  }
}

extension ValueTree {
  fileprivate var record: Record? { if case .record(let record) = self { record } else { nil } }

  /// The elements of a list or the entries of a dictionary, with the ids that are stored.
  fileprivate var elements: [(id: ValueTree?, value: ValueTree)] {
    switch self {
    case .list(_, let elements): elements.map { ($0.identity, $0) }
    case .dictionary(let entries): entries.map { ($0.key, $0.value) }
    default: []
    }
  }

  /// The text that an id has in the place of a child, unless it describes itself.
  fileprivate var idText: String {
    if case .string(let text) = self { return Quoting.quoted(text) }
    return String(text(room: .max).drop { $0 == "." })
  }
}
