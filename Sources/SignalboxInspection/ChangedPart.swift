package import Signalbox

/// A part of a value that differs from before, for finding out who changed it.
///
///     rows[id: 3].name    "" → "x"       property rows, element 3, property name
///
/// It is never shown or written, unlike an edit, so its ids may be made of something redacted.
package struct ChangedPart {
  package enum Step: Hashable {
    case property(String)
    /// An element of an array with an `id`, or the value of a dictionary for a key.
    case element(AnyHashable)
  }

  package enum Extent {
    /// All of it, because it is new or gone.
    case whole
    case order
    /// Something in it that has no name.
    case unnamed
  }

  package var path: [Step]
  package var extent: Extent

  package init(_ path: [Step], _ extent: Extent) {
    self.path = path
    self.extent = extent
  }

  /// The steps of a key path; `nil` if changes do not name all of them.
  ///
  /// Changes name no part of a custom mirror, and an object changes without a commit.
  package static func steps(of keyPath: AnyKeyPath, in root: Any) -> [Step]? {
    // An element of a tuple without labels, "..0", has no name of its own.
    guard let names = Redaction.names(in: keyPath), !keyPath.debugDescription.contains("..") else {
      return nil
    }
    var value: Any? = root
    for name in names {
      guard let outer = value.flatMap({ OptionalUnwrapping.core(of: $0) }) else { break }
      // The name of a wrapper may be shown as that of the wrapped property.
      guard !name.hasPrefix("_"), !(outer is any CustomReflectable), !(type(of: outer) is AnyClass),
        let part = Mirror(reflecting: outer).descendant(name)
      else { return nil }
      value = part
    }
    return names.map { .property($0) }
  }

  @MainActor package static func steps(to child: ChildPath, in state: Any) -> [Step]? {
    // Changes do not name elements without an `id`.
    if child.index != nil { return nil }
    let inner: [Step?] = [
      child.enumCase.map { .property($0) }, child.element.map { .element($0.id) },
    ]
    return steps(of: child.keyPath, in: state).map { $0 + inner.compactMap { $0 } }
  }
}
