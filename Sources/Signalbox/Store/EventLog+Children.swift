extension EventLog: ParentLog {
  package var numbers: EventNumbers {
    if let madeNumbers { return madeNumbers }
    let numbers = EventNumbers()
    madeNumbers = numbers
    return numbers
  }

  var rootIsReleased: Bool {
    isChild ? family?.parent?.rootIsReleased ?? true : isEnding
  }

  /// The number of the last event before a child began, and that of the event with which it ended.
  package var life: (begin: Int, end: Int?) { (family?.begin ?? 0, family?.end) }

  package var path: String? {
    family?.path?.text(isHidden: isHiddenIfKnown, state: storage.valueIfReadable)
  }

  package var fullPath: String? {
    guard let path else { return nil }
    return (family?.parent?.fullPath).map { $0 + path.dropFirst() } ?? path
  }

  /// A name of something in the store, with the place of a child.
  func fullName(_ name: String) -> String { fullPath.map { "\($0): \(name)" } ?? name }

  /// The steps from the outermost state to this one; `nil` if one of them is not known.
  package func steps<Step>(_ make: (ChildPath, _ state: Any) -> [Step]?) -> [Step]? {
    guard let path = family?.path else { return [] }
    return family?.parent?.steps(to: path, make)
  }

  func steps<Step>(to child: ChildPath, _ make: (ChildPath, Any) -> [Step]?) -> [Step]? {
    guard let steps = steps(make), let state = storage.valueIfReadable else { return nil }
    return make(child, state).map { steps + $0 }
  }

  package var isUnique: Bool {
    guard let path = family?.path else { return true }
    return family?.parent?.isUnique(path) ?? false
  }

  func isUnique(_ child: ChildPath) -> Bool {
    guard isUnique else { return false }
    guard case .identity(let id)? = child.element, let state = storage.valueIfReadable,
      let elements = (state as Any)[keyPath: child.keyPath] as? [Any]
    else { return true }
    let own = id()
    return elements.count { ElementName.id(of: $0) == own } < 2
  }

  /// Whether the state may be a part of something redacted, in that of a store around (D4).
  package var isHidden: Bool { isHiddenIfKnown ?? true }

  private var isHiddenIfKnown: Bool? {
    guard let family, let path = family.path else { return false }
    if family.wasHidden { return true }
    let isHidden = family.parent?.hides(path)
    if isHidden == true { family.wasHidden = true }
    return isHidden
  }

  func hides(_ child: ChildPath) -> Bool? {
    guard let isHidden = isHiddenIfKnown else { return nil }
    if isHidden { return true }
    guard let state = storage.valueIfReadable else { return nil }
    return Redaction.current.hidesPart(at: child.names, element: child.index, in: state)
  }

  func receive(_ child: ChildEvent, in context: Propagation.Context) {
    guard isWatched else { return }
    let event = child.event
    send(
      StoreEvent(
        id: event.id, cause: event.cause, work: event.work,
        cancellation: event.cancellation, storeName: name,
        kind: .child(child), provenance: Provenance(), feature: feature),
      in: context)
  }
}
