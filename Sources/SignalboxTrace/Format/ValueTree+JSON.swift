package import SignalboxInspection

extension JSONWriter {
  mutating func value(_ tree: ValueTree) {
    switch tree {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .string(let text): string(text)
    case .list(nil, let elements): values(elements)
    case .number(let text): member("number") { $0.string(text) }
    case .list(let type?, let elements):
      object {
        $0.member("type", type)
        $0.key("list")
        $0.values(elements)
      }
    case .set(let members): member("set") { $0.values(members) }
    case .dictionary(let entries):
      member("dictionary") { writer in
        writer.array { writer in for entry in entries { writer.values([entry.key, entry.value]) } }
      }
    case .record(let record): self.record(record)
    case .text(let type, let text):
      object {
        $0.member("type", type)
        $0.member("text", text)
      }
    case .some(let inner): member("some") { $0.value(inner) }
    case .redacted: member("redacted") { $0.bool(true) }
    case .omitted: member("omitted") { $0.bool(true) }
    }
  }

  private mutating func record(_ record: ValueTree.Record) {
    object { writer in
      if let type = record.type { writer.member("type", type) }
      if let name = record.caseName { writer.member("case", name) }
      if record.isObject { writer.member("object", true) }
      if record.isCustom { writer.member("custom", true) }
      if record.isErased { writer.member("erased", true) }
      if record.caseName != nil, record.fields.isEmpty { return }
      writer.key("fields")
      writer.array { writer in
        for field in record.fields {
          writer.array { writer in
            if let label = field.label { writer.string(label) }
            writer.value(field.value)
          }
        }
      }
    }
  }

  mutating func values(_ trees: [ValueTree]) {
    array { writer in for tree in trees { writer.value(tree) } }
  }

  /// Writes an object with one member.
  private mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
    object {
      $0.key(key)
      body(&$0)
    }
  }

  mutating func member(_ name: String, _ text: String) { member(name, .string(text)) }
  mutating func member(_ name: String, _ value: Int) { member(name, .integer(value)) }
  mutating func member(_ name: String, _ value: Bool) { member(name, .bool(value)) }

  mutating func member(_ name: String, _ tree: ValueTree) {
    key(name)
    value(tree)
  }
}

extension ValueTree {
  package var json: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Reads a tree, without what a later version has added.
  init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .number("\(value)")
    case .string(let text): self = .string(text)
    case .array(let elements): self = .list(type: nil, elements.map { ValueTree($0) })
    case .object: self = Self.object(json)
    }
  }

  private static func object(_ json: JSONValue) -> ValueTree {
    func trees(_ elements: [JSONValue]) -> [ValueTree] { elements.map { ValueTree($0) } }
    if let text = json["number"]?.string { return .number(text) }
    if let elements = json["list"]?.array {
      return .list(type: json["type"]?.string, trees(elements))
    }
    if let members = json["set"]?.array { return .set(trees(members)) }
    if let entries = json["dictionary"]?.array {
      return .dictionary(
        entries.compactMap { entry in
          guard let pair = entry.array, pair.count == 2 else { return nil }
          return Entry(key: ValueTree(pair[0]), value: ValueTree(pair[1]))
        })
    }
    if let text = json["text"]?.string { return .text(type: json["type"]?.string ?? "", text) }
    if let inner = json["some"] { return .some(ValueTree(inner)) }
    if json["redacted"] != nil { return .redacted }
    guard json["fields"] != nil || json["case"] != nil else { return .omitted }
    return .record(
      Record(
        type: json["type"]?.string, caseName: json["case"]?.string,
        isObject: json["object"]?.bool ?? false, isCustom: json["custom"]?.bool ?? false,
        isErased: json["erased"]?.bool ?? false,
        fields: (json["fields"]?.array ?? []).compactMap { Self.field($0) }))
  }

  private static func field(_ json: JSONValue) -> Field? {
    guard let parts = json.array, let value = parts.last else { return nil }
    return Field(label: parts.count > 1 ? parts[0].string : nil, value: ValueTree(value))
  }
}
