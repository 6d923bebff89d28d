public import Signalbox

extension SavedState {
  /// Saves the properties when they change, as long as the hook exists (P4).
  ///
  ///     case .changed: saved.autosave(store, status: \.saving)
  ///
  /// A save begins after a pause without changes, and at the latest after a limit, so steady typing
  /// does not delay it without end. It takes the values of one commit on the main actor. Everything
  /// else happens elsewhere. If it fails, it is tried again, after half a second and then twice as
  /// long each time, up to a minute. Values that cannot be encoded are tried again when they change.
  /// In the events of the store, a save is a run, and one that fails is `.runFailed`.
  ///
  /// When the hook ends or the store is released, values that are not saved are saved at once, and
  /// that save is carried out also without the store (P8). Call `flush()` before the program ends.
  ///
  /// If this object has not restored the file for the store, it reads and decodes the file on the main
  /// actor, to find out whether the store begins with its values (P5).
  ///
  /// The newest store saves. What is typed in an older one after that is kept beside the file when its
  /// hook ends, and its status is `.failed` until then (P7).
  ///
  /// Traps if the status lies in a saved property, because showing it would be a change to save, or if
  /// that cannot be known: if the type of the property has no `==`, and one of the two is not a plain
  /// stored property.
  ///
  /// - Parameters:
  ///   - store: the store as the hook sees it. It is not kept alive.
  ///   - pause: how long to wait for another change.
  ///   - limit: how long to wait at most, from the first change that is not saved.
  ///   - status: a property of the state that shows whether everything is saved.
  ///   - clock: measures the waits. A test passes a clock that it advances.
  /// - Returns: the subscription of the hook.
  public func autosave<Action>(
    _ store: MutatingStore<State, Action>, after pause: Duration = .milliseconds(300),
    atMost limit: Duration = .seconds(2), status: WritableKeyPath<State, SaveStatus>? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Subscription {
    let state = store.storeTruth
    checkRedaction(in: state)
    if let status { refuseToSave(status, in: state) }
    let (origin, basis) = origin(of: state)
    // Without this object, which must be released when only a save is pending that is not allowed.
    let (saver, format, properties, others) = (saver, format, properties, others)
    let id = "saving \(name)"
    let path = status.map { MemberPath($0) }
    let isShown = { @MainActor (store: MutatingStore<State, Action>) in
      store.isCurrent && path.map { $0.isThere(in: store.storeTruth) } ?? false
    }
    let show = { @MainActor (store: MutatingStore<State, Action>, new: SaveStatus) in
      if let status, isShown(store) { store.set(status, new) }
    }
    let publisher = store.publisher
    let isUntold = { @MainActor in properties.contains { $0.isUntold(publisher) } }
    let source = SaveSource(
      SavingStore(
        snapshot: {
          let values = properties.values(of: store.storeTruth)
          return Snapshot(.values(SavedFields(values: values, others: others)), format)
        },
        show: { show(store, $0) },
        run: { save, completion in
          store.runOutliving(
            id: id, { store in try await save { show(store, $0) } }, completion: completion)
        },
        whenWhole: { store.whenWhole($0) },
        hold: { store.willHold(for: max(pause, limit), on: clock) },
        isWatched: { isShown(store) || store.isCurrent && store.isWatched },
        isUntold: isUntold, clock: clock, pause: pause, limit: limit),
      origin: origin, basis: basis)
    saver.connect(source)
    let changes = properties.map { $0.observe(publisher) { saver.hasChanged(source) } }
    return Subscription {
      // Asked before the cancels, because a part without subscribers is not listed.
      let isUntold = isUntold()
      for change in changes { change.cancel() }
      saver.hookHasEnded(source, hasChanged: isUntold)
    }
  }
}
