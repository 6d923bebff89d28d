import Foundation

/// Where a child lives in the state of its parent, as in `\.rows[id: 3]`.
@MainActor package final class ChildPath {
  /// What tells a child from others at its key path; in closures, because `AnyHashable`s are slow.
  package enum Element {
    /// The `id` of the child's own state.
    case identity(() -> AnyHashable)
    /// The key of a dictionary.
    case key(() -> AnyHashable)

    package var id: AnyHashable {
      switch self {
      case .identity(let id), .key(let id): id()
      }
    }
  }

  package let keyPath: AnyKeyPath
  package let element: Element?
  /// The case of the enum at the key path whose payload the state of the child is.
  package let enumCase: String?
  /// The index of that enum, if the key path leads to an array of them.
  package let index: Int?
  /// The whole text, and the number of redacted paths when it was made.
  private var made: (text: String, redactions: Int)?

  init(
    _ keyPath: AnyKeyPath, _ element: Element? = nil, at index: Int? = nil,
    case enumCase: String? = nil
  ) {
    self.index = index
    self.keyPath = keyPath
    self.element = element
    self.enumCase = enumCase
  }

  /// The property names of the key path, and the name of the case; `nil` if they cannot be found.
  private(set) lazy var names = Redaction.names(in: keyPath).map { $0 + cases }
  /// The key path without the name of the type, and the name of the case.
  private(set) lazy var property: String = {
    // A computed property has an address in place of a name, which no place has (C16).
    let parts = keyPath.debugDescription.split(
      separator: "<computed 0x", omittingEmptySubsequences: false)
    let text = ([parts[0]] + parts.dropFirst().map { "<computed" + $0.drop(while: \.isHexDigit) })
      .joined()
    let root = "\\\(type(of: keyPath).rootType)"
    let name = text.hasPrefix(root) ? "\\" + text.dropFirst(root.count) : text
    let place = index.map { "\(name)[\($0)]" } ?? name
    return ([place] + cases).joined(separator: ".")
  }()

  private var cases: [String] { enumCase.map { [$0] } ?? [] }

  /// The path without an id that may be redacted (D4); an argument is `nil` if it is not known now.
  func text(isHidden: @autoclosure () -> Bool?, state: @autoclosure () -> Any?) -> String {
    guard let element else { return property }
    let redactions = Redaction.current.count
    // An id is what it was when the child began, so it need not be searched again.
    if let made, made.redactions == redactions { return made.text }
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
    made = (text, redactions)
    return text
  }

  private func text(_ id: String) -> String { "\(property)[id: \(id)]" }

  /// Returns the offset of the stored property of a declared child, and traps if it is none (C13).
  @discardableResult
  static func checkedOffset<Owner>(of keyPath: PartialKeyPath<Owner>) -> Int {
    if let offset = MemoryLayout<Owner>.offset(of: keyPath) { return offset }
    let place = "A child of \(Owner.self) was declared at \(ChildPath(keyPath).property)"
    if KeyPathShape(keyPath).mayBeMissing {
      fatalError(
        """
        \(place), which has an index or `!` and so may lead nowhere. Declare it at the optional property \
        itself, or declare the elements of an array with Each.
        """)
    }
    fatalError(
      """
      \(place), which is no stored property. Store the state of the child, or declare it at a case of a \
      stored enum with Child(case:). A property with observers or a wrapper counts as computed. To hide a \
      child from texts, name its place to redact(_:) instead of using @Redacted.
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
  /// The text of an id on one line (D2), which is not cut, because it tells children apart.
  package static func idText(of id: Any) -> String {
    if let text = id as? String, veiled(text) == nil { return Quoting.quoted(text) }
    // Their descriptions leave out bytes and parts of a second.
    if id is Data || id is Date { return InlineFormatter.line(of: id, .idle, room: .max) }
    return Quoting.escaped(description(of: id), quote: false)
  }
}
