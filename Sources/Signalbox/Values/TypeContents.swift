/// What the type of a value tells about redacted parts of the value (D6).
enum TypeContents {
  case open
  /// It may contain anything, as an object and a value behind a protocol do.
  case unknown
  case redacted
}

extension Redaction {
  /// The results, each of which depends on the number of redacted paths.
  private static let known = LockedValue<[ObjectIdentifier: (count: Int, contents: TypeContents)]>(
    [:])

  func contents(of type: Any.Type) -> TypeContents {
    let id = ObjectIdentifier(type)
    let known = Self.known.withLock { $0[id] }
    if let known, known.count == count { return known.contents }
    let contents = search(type)
    Self.known.withLock { $0[id] = (count, contents) }
    return contents
  }

  /// The types of the parts of a value; `nil` if it may contain anything.
  package static func partTypes(of type: Any.Type) -> [Any.Type]? {
    (type as? any Presentable.Type)?.partTypes ?? StoredTypes.parts(of: type)
  }

  private func search(_ type: Any.Type) -> TypeContents {
    var contents = TypeContents.open
    var ahead = [type]
    var met: Set<ObjectIdentifier> = []
    while let type = ahead.popLast() {
      guard met.insert(ObjectIdentifier(type)).inserted else { continue }
      if type is any RedactedValue.Type || begins(at: type) { return .redacted }
      if let parts = Self.partTypes(of: type) {
        ahead += parts
      } else {
        contents = .unknown
      }
    }
    return contents
  }
}
