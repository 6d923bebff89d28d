/// The parts of a state that are observed, and those that the Observation framework tracks.
extension StateStorage {
  /// Reads a part and tracks it for the Observation framework (M5).
  func readTracked<T>(_ keyPath: KeyPath<State, T>, path: StatePath) -> T {
    track(keyPath, path)
    guard path.hasRange, !isAway else { return readComputed(keyPath) }
    return unsafe memory.pointee[keyPath: keyPath]
  }

  /// Reads a value that is computed from a part, and tracks only that value.
  // There may be only as many such key paths as the program has, because each gets a cell.
  func readTracked<T: Equatable>(computed keyPath: KeyPath<State, T>) -> T {
    track(computed: keyPath)
    return readComputed(keyPath)
  }

  // Whether a read is tracked. A read by a getter of the state is not.
  private var mayTrack: Bool { !isClosed && flags & Self.readOnly == 0 }

  /// Whether the Observation framework tracks what is read now.
  var isTracked: Bool { mayTrack && cell(for: whole).mayBeTracked }

  func track<T>(_ keyPath: KeyPath<State, T>, _ path: StatePath) {
    checkRead()
    if mayTrack { withTracked(keyPath, path) { cell(for: $0).access($1) } }
  }

  func track<T: Equatable>(computed keyPath: KeyPath<State, T>) {
    let path = StatePath(keyPath)
    track(path) { part(for: keyPath, path: path, equality: Equality()) }
  }

  func track(_ path: StatePath, _ makePart: () -> ObservedPart) {
    checkRead()
    if mayTrack { cell(for: path).access(makePart) }
  }

  /// Calls a body with the path that is tracked for a read, and what gives its part.
  // If `isNew`, a computation asks, and a listed part without a range is not looked for.
  func withTracked<T>(
    _ keyPath: KeyPath<State, T>, _ path: StatePath, isNew: Bool = false,
    _ body: (StatePath, () -> ObservedPart) -> Void
  ) {
    // For an index or `!`, the value that it is applied to is tracked, because the part may vanish.
    // Besides, a cell for each index that was ever read would let the cells grow without limit.
    guard path.hasRange || !KeyPathShape(keyPath).isOneOfMany else {
      // A state without a fixed address is tracked as a whole, because its parts are read by key path.
      if isAway {
        return body(whole) { part(for: identity, path: whole, equality: .found()) }
      }
      let (path, type) = path.container
      return body(path) { part(for: path, of: type) }
    }
    body(path) { part(for: keyPath, path: path, isNew: isNew, equality: .found()) }
  }

  private func cell(for path: StatePath) -> ObservationCell {
    if let cell = cells[path] { return cell }
    let cell = ObservationCell()
    cells[path] = cell
    return cell
  }

  /// The listed part of a key path, or a new one, which is listed when it gets its first watcher.
  func part<T>(
    for keyPath: KeyPath<State, T>, path: StatePath, isNew: Bool = false,
    equality: @autoclosure () -> Equality<T>?
  ) -> TypedPart<T> {
    let (home, path) = (home, path.located.moved(by: prefix))
    if path.hasRange || !isNew, let part = home.findPart(path) as? TypedPart<T> { return part }
    if !isAway, ByteRange(keyPath).hasRange {
      return StoredPart(path, in: home, equality: equality())
    }
    return ComputedPart(keyPath, path, of: self, equality: equality())
  }

  private func part(for path: StatePath, of type: Any.Type) -> ObservedPart {
    let moved = path.moved(by: prefix)
    func open<T>(_: T.Type) -> ObservedPart {
      home.parts.find(moved) ?? StoredPart<T>(moved, in: home, equality: .found())
    }
    return open(type)
  }
}
