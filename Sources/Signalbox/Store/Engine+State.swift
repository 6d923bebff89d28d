extension Engine: StateStorageDelegate {
  var origin: OriginState {
    if let madeOrigin { return madeOrigin }
    let origin = StoreOrigin(log)
    madeOrigin = origin
    return origin
  }

  var wantsRecord: Bool { true }

  // Reading `isWatched` connects a new listener, which makes the storage record.
  func listenersMayHaveChanged() { _ = log.isWatched }

  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer,
    in context: Propagation.Context, as number: inout Int?
  ) -> Propagation.Cause? {
    number = log.emit(
      .stateChanged(from: old, to: new), as: number, cause: writer.causeOfWrites?.number,
      work: writer.workOfWrites, in: context)
    return log.cause(number)
  }

  func storage(didDerive change: DerivedChange, in context: Propagation.Context) {
    log.emit(
      .derived(name: change.name, from: change.old, to: change.new),
      cause: log.number(of: context.cause), from: change.provenance, in: context)
  }

  func storage(didStopLoop chain: [String], in context: Propagation.Context) {
    if log.emit(.loopStopped(chain), cause: log.currentCause, in: context) == nil {
      SystemLog.report(
        """
        \(linePrefix): writes followed from one another for \(Propagation.roundLimit) rounds and were \
        stopped. The last write stands, and what would follow from it was dropped: \
        \(chain.joined(separator: " → ")) → and so on. Let one of them write only what differs.
        """)
    }
  }
}
