internal import Signalbox
internal import SignalboxInspection

extension JSONWriter {
  mutating func edits(_ edits: [ValueEdit]) {
    array { writer in for edit in edits { writer.edit(edit) } }
  }

  private mutating func edit(_ edit: ValueEdit) {
    object { writer in
      writer.key("at")
      writer.array { writer in for step in edit.path { writer.step(step) } }
      switch edit.change {
      case .replaced(let old, let new):
        writer.member("from", old)
        writer.member("to", new)
      case .inserted(let new): writer.member("to", new)
      case .removed(let old): writer.member("from", old)
      case .elements(let elements): writer.elements(elements)
      case .members(let removed, let inserted):
        writer.key("out")
        writer.values(removed)
        writer.key("in")
        writer.values(inserted)
      case .text(let offset, let old, let new):
        writer.member("offset", offset)
        writer.member("from", old)
        writer.member("to", new)
      }
    }
  }

  private mutating func step(_ step: ValueEdit.Step) {
    switch step {
    case .field(let label): string(label)
    case .index(let index, nil): integer(index)
    case .index(let index, let id?):
      object {
        $0.member("index", index)
        $0.member("id", id)
      }
    case .key(let key): object { $0.member("key", key) }
    }
  }

  private mutating func elements(_ elements: ValueEdit.Elements) {
    let moved = elements.moved.map {
      ValueEdit.Elements.Element(index: $0.old, value: .integer($0.new))
    }
    let lists = [("removed", elements.removed), ("moved", moved), ("inserted", elements.inserted)]
    for (name, list) in lists where !list.isEmpty {
      key(name)
      array { writer in
        for element in list { writer.values([.integer(element.index), element.value]) }
      }
    }
  }
}

extension ValueEdit {
  init?(_ json: JSONValue) {
    guard let path = json["at"]?.array?.completeMap({ Step($0) }), let change = Self.change(json)
    else { return nil }
    self.init(path, change)
  }

  private static func change(_ json: JSONValue) -> Change? {
    let (old, new) = (json["from"], json["to"])
    if let offset = json["offset"]?.int, let old = old?.string, let new = new?.string {
      return .text(offset: offset, old, by: new)
    }
    if let removed = json["out"]?.array, let inserted = json["in"]?.array {
      return .members(
        removed: removed.map { ValueTree($0) }, inserted: inserted.map { ValueTree($0) })
    }
    if json["removed"] != nil || json["moved"] != nil || json["inserted"] != nil {
      return elements(json).map { .elements($0) }
    }
    return switch (old, new) {
    case (let old?, let new?): .replaced(ValueTree(old), by: ValueTree(new))
    case (let old?, nil): .removed(ValueTree(old))
    case (nil, let new?): .inserted(ValueTree(new))
    case (nil, nil): nil
    }
  }

  private static func elements(_ json: JSONValue) -> Elements? {
    guard let removed = list(json["removed"]), let inserted = list(json["inserted"]),
      let moved = list(json["moved"])?.completeMap({ move in
        if case .integer(let new) = move.value {
          Elements.Move(old: move.index, new: new)
        } else {
          nil
        }
      })
    else { return nil }
    var elements = Elements()
    (elements.removed, elements.moved, elements.inserted) = (removed, moved, inserted)
    return elements
  }

  private static func list(_ json: JSONValue?) -> [Elements.Element]? {
    (json?.array ?? []).completeMap { element in
      guard let pair = element.array, pair.count == 2, let index = pair[0].int else { return nil }
      return Elements.Element(index: index, value: ValueTree(pair[1]))
    }
  }
}

extension ValueEdit.Step {
  fileprivate init?(_ json: JSONValue) {
    if let label = json.string {
      self = .field(label)
    } else if let index = json.int {
      self = .index(index, id: nil)
    } else if let index = json["index"]?.int {
      self = .index(index, id: json["id"]?.string)
    } else if let key = json["key"] {
      self = .key(ValueTree(key))
    } else {
      return nil
    }
  }
}
