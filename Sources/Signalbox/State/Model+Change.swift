/// What a store may do to its state. Each of these is one commit, or part of a batch (S6).
extension Model {
  /// Assigns a value; an equal one is silent unless forced.
  @usableFromInline func assign<T: Equatable>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, place: Place, isForced: Bool,
    by writer: any Writer
  ) {
    let old = read(keyPath)
    if old == value, !isForced { return }
    replace(old, with: value, at: keyPath, place: place, isForced: isForced, by: writer) {
      $0 == $1
    }
  }

  /// Assigns a value of a type that is not known to be comparable.
  @usableFromInline func assign<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, place: Place, isForced: Bool,
    by writer: any Writer
  ) {
    let old = read(keyPath)
    let equality = Equality<T>.found()
    if let equality, !isForced, equality.areEqual(old, value) { return }
    replace(
      old, with: value, at: keyPath, place: place, isForced: isForced, by: writer,
      areEqual: equality?.areEqual)
  }

  private func replace<T>(
    _ old: T, with value: T, at keyPath: WritableKeyPath<State, T>, place: Place, isForced: Bool,
    by writer: any Writer, areEqual: ((T, T) -> Bool)?
  ) {
    guard flags & Self.watched != 0 else {
      unsafe state[keyPath: keyPath] = value
      return
    }
    willChange(place)
    unsafe state[keyPath: keyPath] = value
    let write = Write<State>(place: place)
    if batch != nil, !isForced, let areEqual {
      write.isUndone = { areEqual(old, $0[keyPath: keyPath]) }
    }
    didChange(write, by: writer)
  }

  /// Runs a body that has the state for itself, and compares afterwards what is observed.
  func update<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    if flags & Self.held != 0 { trapHeld() }
    guard flags & Self.watched != 0 else {
      hold()
      defer { release() }
      return try unsafe body(&state)
    }
    let root = Place(\State.self)
    willChange(root, isCertain: false)
    hold()
    defer {
      release()
      didChange(Write(place: root, isCertain: false), by: writer)
    }
    return try unsafe body(&state)
  }

  /// Makes one commit of all that a body changes.
  func batch<R>(by writer: any Writer, _ body: () throws -> R) rethrows -> R {
    if flags & Self.held != 0 { trapHeld() }
    let isOutermost = batch == nil
    if isOutermost { batch = Batch(writer: writer) }
    defer {
      if isOutermost, let finished = batch.take() { finish(finished) }
    }
    return try body()
  }

  private func finish(_ batch: Batch<State>) {
    if batch.writes.isEmpty {
      stateBefore = nil
      for node in nodes.allRanged { node.forget() }
    } else {
      conclude(batch.writes, by: batch.writer)
    }
  }

  // MARK: - In place

  /// Before a change in place, if `flags` is not zero.
  @usableFromInline func beginInPlace(_ place: Place) {
    if flags & Self.held != 0 { trapHeld() }
    willChange(place)
  }

  private func willChange(_ place: Place, isCertain: Bool = true) {
    if isRecording, stateBefore == nil { unsafe stateBefore = state }
    unsafe snapshots.keepIfRequired(state)
    let rememberPart: (Node<State>) -> Void = {
      if !isCertain || !$0.place.contains(place) { $0.remember(unsafe self.state) }
    }
    if place.hasRange {
      nodes.forEach(within: place, rememberPart)
    } else {
      for node in nodes.allRanged where !node.isWhole { rememberPart(node) }
    }
  }

  /// After a change in place. Only when `beginInPlace` was called before it.
  @usableFromInline func didChange(_ place: Place, by writer: any Writer) {
    didChange(Write(place: place), by: writer)
  }

  /// The change in place made no difference.
  @usableFromInline func didNotChange(_ place: Place) {
    guard batch == nil else { return }
    stateBefore = nil
    nodes.forEach(within: place) { $0.forget() }
  }

  private func didChange(_ write: Write<State>, by writer: any Writer) {
    if let batch { batch.note(write) } else { conclude([write], by: writer) }
  }

  @inlinable @inline(__always) func hold() { flags |= Self.held }
  @inlinable @inline(__always) func release() { flags &= ~Self.held }
}

/// A change that is not told yet.
@MainActor final class Write<State> {
  let place: Place
  /// Whether it is known to have changed its place, or everything must be compared.
  let isCertain: Bool
  /// Whether the value of before the batch is back.
  var isUndone: ((State) -> Bool)?

  init(place: Place, isCertain: Bool = true) {
    self.place = place
    self.isCertain = isCertain
  }
}

/// The changes inside the outermost `batch`.
@MainActor final class Batch<State> {
  let writer: any Writer
  private(set) var writes: [Write<State>] = []

  init(writer: any Writer) { self.writer = writer }

  func note(_ write: Write<State>) {
    guard let earlier = writes.first(where: { $0.place == write.place }) else {
      writes.append(write)
      return
    }
    // The first one has the value of before the batch; one that cannot compare settles it.
    if write.isUndone == nil { earlier.isUndone = nil }
  }
}
