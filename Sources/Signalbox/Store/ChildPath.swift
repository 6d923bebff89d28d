/// Where a child lives in the state of its parent, as in `\.rows[id: 3]`.
@MainActor final class ChildPath {
  /// What tells a child from others at the same key path.
  ///
  /// Closures, because an `AnyHashable` takes longer to make than most children need.
  enum Element {
    /// The `id` of the child's own state.
    case identity(() -> AnyHashable)
    /// The key of a dictionary.
    case key(() -> AnyHashable)

    var id: AnyHashable {
      switch self {
      case .identity(let id), .key(let id): id()
      }
    }
  }

  let keyPath: AnyKeyPath
  let element: Element?
  private lazy var texts = Texts(of: keyPath)

  /// The texts of a path, which most children never need.
  private final class Texts {
    let names: [String]?
    let property: String
    /// The whole text, and the number of redacted paths when it was made.
    var made: (text: String, redactions: Int)?

    init(of keyPath: AnyKeyPath) {
      names = Redaction.names(in: keyPath)
      let text = keyPath.debugDescription
      let root = "\\\(type(of: keyPath).rootType)"
      property = text.hasPrefix(root) ? "\\" + text.dropFirst(root.count) : text
    }
  }

  init(_ keyPath: AnyKeyPath, _ element: Element? = nil) {
    self.keyPath = keyPath
    self.element = element
  }

  /// The property names of the key path; `nil` if they cannot be found.
  var names: [String]? { texts.names }
  /// The key path without the name of the type.
  var property: String { texts.property }

  /// The path as a text, without an id that may be made of something redacted (D4).
  ///
  /// - Parameters:
  ///   - isHidden: whether the state of the child is a part of something redacted; `nil` if that is
  ///     not known now.
  ///   - state: the state of the child; `nil` if it cannot be read now.
  func text(isHidden: @autoclosure () -> Bool?, state: @autoclosure () -> Any?) -> String {
    guard let element else { return property }
    let redactions = Redaction.current.count
    // An id is what it was when the child began, so it need not be searched again.
    if let made = texts.made, made.redactions == redactions { return made.text }
    guard let isHidden = isHidden() else { return text(Redaction.text) }
    if isHidden { return keep(Redaction.text, redactions) }
    let id = element.id
    if case .identity = element {
      guard let state = state() else { return text(Redaction.text) }
      let cursor = RedactionCursor(at: state)
      if !ElementName.isShown(id, of: state, cursor) { return keep(Redaction.text, redactions) }
    }
    return keep(Dump.idText(of: id.base), redactions)
  }

  private func keep(_ id: String, _ redactions: Int) -> String {
    let text = text(id)
    texts.made = (text, redactions)
    return text
  }

  private func text(_ id: String) -> String { "\(property)[id: \(id)]" }

  /// Traps if the key path of a declared child has an index or `!`, which may lead nowhere.
  static func checkLeads<Owner>(_ keyPath: PartialKeyPath<Owner>) {
    guard MemoryLayout<Owner>.offset(of: keyPath) == nil, KeyPathShape(keyPath).mayBeMissing
    else { return }
    fatalError(
      """
      A child was declared at \(ChildPath(keyPath).property), which has an index or `!` and so may lead \
      nowhere. Declare it at the optional property itself, or declare the elements of an array with Each.
      """)
  }

  static func trapMaking(_ text: String) -> Never {
    fatalError(
      """
      \(text) was asked for by the closure that makes its interactor. Ask for it in an action or a \
      hook instead.
      """)
  }
}

extension Dump {
  /// The text of an id in the path of a child.
  package static func idText(of id: Any) -> String {
    if let text = id as? String, veiled(text) == nil { return "\"\(text)\"" }
    return description(of: id)
  }
}
