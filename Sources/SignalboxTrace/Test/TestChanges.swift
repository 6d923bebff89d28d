internal import Signalbox
internal import SignalboxInspection

/// The statements that make a state of another one.
///
///     root "$0":     $0.draft = nil           in the closure of an expectation
///     root "store":  store.draft?.text = ""   as what comes from outside
struct TestChanges {
  private let surroundings: Trace.Surroundings
  private let optionals: OptionalProperties
  private let state: ValueTree
  private(set) var statements: [String] = []
  /// The statements that compare parts of properties without literals.
  private(set) var comparisons: [String] = []
  /// What cannot be written as Swift.
  private(set) var comments: [String] = []

  /// Whether the statements make all changes.
  var isComplete: Bool { comments.isEmpty && !isCompared }
  /// Whether a property without a literal has changed.
  private var isCompared = false

  init(
    from old: ValueTree, to new: ValueTree, root: Place, _ surroundings: Trace.Surroundings,
    _ optionals: OptionalProperties
  ) {
    self.surroundings = surroundings
    self.optionals = optionals
    state = old
    if case .record(let old) = old, case .record(let new) = new, Self.areAlike(old, new) {
      addFields(old, new, root)
    } else if !old.matches(new) {
      add(old, new, root, isWhole: optionals.mustBeWhole("", of: nil))
    }
  }

  /// A part of a state.
  struct Place {
    /// The expression of the state or of its test store.
    var root: String
    /// The path of the child of that test store.
    var child = "\\"
    /// The way to the part, as in `.notes[0].text`.
    var path = ""
    var names: [String] = []
    /// Whether only the part is written: `store.note.text = ""` writes the whole `note`, with what
    /// pending changes show of it.
    var isAlone = false

    /// The name of the property, as in `Surroundings`.
    var name: String { names.joined(separator: ".") }

    /// A member of the test store, or a key path if a member would be more than the part.
    var text: String {
      let property = path.isEmpty ? "state" : path.dropFirst().prefix { !".[?!".contains($0) }
      let isHidden = root != "$0" && TestChanges.members.contains(property)
      let member = isHidden ? ".state\(path)" : path
      let isMore = isAlone && member.dropFirst() != property
      return isMore ? "\(root)[dynamicMember: \\\(path)]" : root + member
    }

    func property(_ label: String) -> Place { adding(".\(SourceLiterals.name(label))", [label]) }

    func element(_ index: String) -> Place { adding("[\(index)]") }

    var unwrapped: Place { adding(isAlone ? "!" : "?") }

    private func adding(_ step: String, _ name: [String] = []) -> Place {
      Place(root: root, child: child, path: path + step, names: names + name, isAlone: isAlone)
    }
  }

  /// The members of `TestStore`, which hide properties of the state.
  private static let members: Set<Substring> = [
    "binder", "cancel", "cancelAll", "child", "deactivateHooks", "didTrigger", "didTriggerHook",
    "dispatch", "events", "expect", "expectDropped", "expectError", "finish", "firedHooks", "hook",
    "input", "isRunning", "press", "publisher", "receive", "receiveCancelled", "runningCount",
    "send", "settle", "state", "stateUpdates", "storeName", "triggeredActions",
  ]

  /// Whether two values are structs whose properties can be written one by one.
  private static func areAlike(_ old: ValueTree.Record, _ new: ValueTree.Record) -> Bool {
    guard let type = new.type, type == old.type, old.caseName == nil, new.caseName == nil else {
      return false
    }
    return !new.isObject && old.fields.map(\.label) == new.fields.map(\.label)
      && new.fields.allSatisfy { $0.label != nil }
  }

  /// Whether a property differs that is hardly ever a variable.
  private static func isOther(_ new: ValueTree, than old: ValueTree) -> Bool {
    guard case .record(let old) = old, case .record(let new) = new else { return false }
    return zip(old.fields, new.fields).contains { old, new in
      ["id", "rawValue"].contains(new.label) && !old.value.matches(new.value)
    }
  }

  private mutating func addFields(
    _ old: ValueTree.Record, _ new: ValueTree.Record, _ place: Place
  ) {
    for (old, field) in zip(old.fields, new.fields) where !old.value.matches(field.value) {
      guard let label = field.label else { continue }
      let property = place.property(label)
      let isOptional =
        optionals.contains(label, of: new.type)
        || surroundings.children[property.name]?.hasSuffix("?") == true
      add(
        old.value, field.value, property, unwrapped: isOptional ? property.unwrapped : property,
        isWhole: optionals.mustBeWhole(label, of: new.type))
    }
  }

  /// - Parameter isWhole: whether no part can be changed by itself.
  private mutating func add(
    _ old: ValueTree, _ new: ValueTree, _ place: Place, unwrapped: Place? = nil,
    isWhole: Bool = false
  ) {
    if surroundings.withoutLiterals.contains(place.name) { return compare(old, new, place) }
    let inner = unwrapped ?? place
    if isWhole || surroundings.wholes.contains(place.name) { return assign(new, place) }
    switch (old, new) {
    case (.record(let old), .record(let new))
    where Self.areAlike(old, new) && (!new.isCustom || old.hasRedacted || new.hasRedacted)
      && (!Self.isOther(.record(new), than: .record(old)) || literal(of: .record(new)) == nil):
      addFields(old, new, inner)
    case (.record(let old), .record(let new)):
      // A child does not change its own id.
      guard old.caseName == new.caseName, let child = child(in: new, at: place),
        !zip(old.fields, new.fields).contains(where: { Self.isOther($1.value, than: $0.value) })
      else { return assign(.record(new), place) }
      for (old, new) in zip(old.fields, new.fields) { add(old.value, new.value, child) }
    case (.list(nil, let old), .list(nil, let elements)):
      if !addElements(old, elements, inner) { assign(new, place) }
    case (.dictionary(let old), .dictionary(let entries)):
      if !addEntries(old, entries, inner) { assign(new, place) }
    default: assign(new, place)
    }
  }

  /// The test store of the child in a case, if `children` names it.
  private func child(in record: ValueTree.Record, at place: Place) -> Place? {
    guard place.root != "$0", let name = record.caseName else { return nil }
    let path = "\(place.child)\(place.path).\(name)"
    let store = try? surroundings.expression(ofChild: path, in: state, optionals)
    return store.map { Place(root: $0, child: path, names: place.names, isAlone: place.isAlone) }
  }

  private mutating func assign(_ new: ValueTree, _ place: Place) {
    if let literal = literal(of: new) {
      statements.append("\(place.text) = \(literal)")
    } else {
      let name = place.names.isEmpty ? "The state" : place.name
      comments.append("\(name) cannot be written as Swift: \(new.text(room: 60))")
    }
  }

  private func literal(of tree: ValueTree) -> String? { tree.literal(surroundings) }

  // MARK: - Collections

  /// The number of elements or entries that are written one by one.
  private static let most = 3

  private mutating func addElements(
    _ old: [ValueTree], _ new: [ValueTree], _ place: Place
  ) -> Bool {
    let isShort = new.allSatisfy { if case .record = $0 { false } else { true } }
    if old.isEmpty || new.isEmpty || isShort && literal(of: .list(type: nil, new))?.count ?? 99 < 50
    {
      return false
    }
    if old.count == new.count { return replaceElements(old, new, place) }
    let (head, tail) = old.commonEnds(with: new) { $0.matches($1) }
    let inserted = new[head..<(new.count - tail)]
    switch (old.count - head - tail, inserted.count) {
    case (0, 1):
      guard let literal = inserted.first.flatMap(literal(of:)) else { return false }
      statements.append(
        tail == 0
          ? "\(place.text).append(\(literal))" : "\(place.text).insert(\(literal), at: \(head))")
    case (0, _) where tail == 0:
      guard let literal = literal(of: .list(type: nil, Array(inserted))) else { return false }
      statements.append("\(place.text).append(contentsOf: \(literal))")
    case (1, 0): statements.append("\(place.text).remove(at: \(head))")
    default: return false
    }
    return true
  }

  private mutating func replaceElements(
    _ old: [ValueTree], _ new: [ValueTree], _ place: Place
  ) -> Bool {
    let changed = new.indices.filter { !old[$0].matches(new[$0]) }
    let isSame = changed.allSatisfy { old[$0].identity == new[$0].identity }
    guard isSame, changed.count <= Self.most, !new.contains(.null) else { return false }
    for index in changed { add(old[index], new[index], place.element("\(index)")) }
    return true
  }

  private mutating func addEntries(
    _ old: [ValueTree.Entry], _ new: [ValueTree.Entry], _ place: Place
  ) -> Bool {
    let before = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    let after = Dictionary(new.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    let removed = old.filter { after[$0.key] == nil }
    let changed = new.filter { entry in before[entry.key].map { !$0.matches(entry.value) } ?? true }
    let keys = (removed + changed).map { literal(of: $0.key) }
    // `nil` would remove an entry whose value is an optional.
    guard !old.isEmpty, !new.isEmpty, keys.count <= Self.most, !keys.contains(nil),
      !(old + new).contains(where: { $0.value == .null })
    else { return false }
    for (entry, key) in zip(removed + changed, keys) {
      guard let key else { continue }
      let element = place.element(key)
      switch (before[entry.key], after[entry.key]) {
      case (_, nil): statements.append("\(element.text) = nil")
      case (let old?, let new?): add(old, new, element, unwrapped: element.unwrapped)
      case (nil, let new?): assign(new, element)
      }
    }
    return true
  }

  // MARK: - Properties without literals

  private mutating func compare(_ old: ValueTree, _ new: ValueTree, _ place: Place) {
    isCompared = true
    let path = place.name
    let parts = surroundings.compared.filter { $0 == path || $0.hasPrefix(path + ".") }
    guard !parts.isEmpty else {
      comments.append("\(path) cannot be written as Swift: \(new.text(room: 60))")
      return
    }
    for part in parts {
      let labels = part.dropFirst(path.count).split(separator: ".").map(String.init)
      guard let value = new.part(labels), old.part(labels)?.matches(value) != true else { continue }
      let text = Place(root: "store").property(part).text
      switch (value, literal(of: value)) {
      case (.bool(let isTrue), _): comparisons.append("#expect(\(isTrue ? "" : "!")\(text))")
      case (_, let literal?): comparisons.append("#expect(\(text) == \(literal))")
      case (_, nil): comments.append("\(part) cannot be written as Swift: \(value.text(room: 60))")
      }
    }
  }
}

extension ValueTree.Record {
  /// A redacted property makes a type custom, though its other properties can be written.
  fileprivate var hasRedacted: Bool { fields.contains { $0.value == .redacted } }
}

extension ValueTree {
  func part(_ labels: some Collection<String>) -> ValueTree? {
    guard let label = labels.first else { return self }
    guard case .record(let record) = self else { return nil }
    return record.fields.first { $0.label == label }?.value.part(labels.dropFirst())
  }

  var identity: ValueTree? {
    guard case .record(let record) = self else { return nil }
    return record.fields.first { $0.label == "id" }?.value
  }
}
