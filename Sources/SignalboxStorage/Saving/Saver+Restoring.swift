import Signalbox

/// What a restore finds: what is on its way to the file, or the file.
extension Saver {
  func open(_ format: SavedFormat, migrating migrate: SavedFormat.Migration) -> SavedFile.Found {
    // A migration or the decoder of a value may have called this. Such code runs in here, and may
    // also change or end stores. No attempt begins meanwhile, because it would use the session.
    if isOpening { return .init(.unavailable("A restore is using it at this moment.")) }
    isOpening = true
    defer {
      isOpening = false
      begin()
      retryLater()
    }
    // The hook may not have been told of a change yet.
    if let writer, writer.isOpen, writer.store.isWhole, writer.store.isUntold() { add(writer) }
    var stored: SavedFile.Found?
    if attempt == nil {
      var next = session
      stored = file.open(&next, format, migrating: migrate)
      _ = exchange(&session, with: next)
    }
    // An open store may still have the values of the file that was set aside.
    if stored?.damage != nil, let writer, writer.origin == .found, unsaved?.isUnchanged != false {
      add(writer)
      isDue = true
      writer.store.show(statusOfPending)
    }
    let inUse = SavedFile.Found(.unavailable("A save is using it at this moment. Try again."))
    if let obstacle = session.obstacle {
      // The save may still turn out not to be allowed.
      if case .unavailable = obstacle { return stored ?? inUse }
      return .init(obstacle)
    }
    // What a store has after a restore that has failed does not continue the file, if there is one.
    let isStored = attempt != nil || stored?.fields != nil
    if var newer = pending(format, migrate, isStored) {
      newer.damage = stored?.damage
      return newer
    }
    if let stored { return stored }
    let known = session.known.flatMap {
      try? SavedFile.Found($0, format, migrating: migrate, basis: Basis([$0]))
    }
    return known ?? inUse
  }

  /// What a store made without a restore may continue; takes no lock and sets nothing aside.
  func peek(_ format: SavedFormat, migrating migrate: SavedFormat.Migration) -> SavedFile.Found {
    let unknown = SavedFile.Found(.unavailable("It is in use."))
    if isOpening { return unknown }
    // The decoder of a value may call back, as in `open`.
    isOpening = true
    defer {
      isOpening = false
      begin()
      retryLater()
    }
    if let newest = pending(format, migrate, true) { return newest }
    if attempt != nil { return unknown }
    do {
      guard let data = try file.storage.read(file.name) else {
        return session.known == nil ? .init(outcome: .nothing) : unknown
      }
      let snapshot = Snapshot(.data(data), format)
      return try SavedFile.Found(snapshot, format, migrating: migrate, basis: Basis([snapshot]))
    } catch {
      return unknown
    }
  }

  /// What a restore finds in the newest values that are not in the file yet; `isStored` says
  /// whether there is a file that they should continue.
  private func pending(
    _ format: SavedFormat, _ migrate: SavedFormat.Migration, _ isStored: Bool
  ) -> SavedFile.Found? {
    let pending = [unsaved.flatMap { $0.isUnchanged ? nil : $0 }, attempt?.unsaved]
      .compactMap(\.self).filter { !(isStored && $0.source.origin == .failed) }
    guard let source = pending.first?.source else { return nil }
    if !pending.allSatisfy(\.isWhole) {
      return .init(.unavailable("A batch is changing it at this moment."))
    }
    let snapshots = pending.filter { $0.source === source }
      .map { $0.taken ?? source.store.snapshot() }
    let basis = snapshots.reduce(source.basis) { $0.adding($1) }
    do {
      let found = try SavedFile.Found(snapshots[0], format, migrating: migrate, basis: basis)
      if source.origin == .failed { source.origin = .found }
      return found
    } catch SaveError.newer(let version) {
      return .init(.newer(version))
    } catch {
      return nil
    }
  }
}
