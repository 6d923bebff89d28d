public import SignalboxStorage

/// What may go wrong in an order, and what has.
struct Faults {
  /// Whether what happens now may meet a fault.
  var mayOccur = false
  /// Whether the process has crashed, and `run()` has not returned since.
  var hasCrashed = false
  /// The number of moments at which there could be a fault.
  fileprivate var moments = 0
  var storages: [ExploredStorage] = []
}

/// Something that may go wrong.
struct Fault {
  /// The fault in a report, as in `drafts: crash before the write`.
  let label: String
  /// What happens then, beside that a call in progress fails.
  var perform: @MainActor () -> Void = {}
}

extension Exploration {
  /// Makes a storage on a disk in memory, or finds the one that has the name.
  ///
  ///     let drafts = world.storage("drafts")
  ///     let saved = SavedState<Note>("note", in: drafts).property("draft", \.draft)
  ///
  /// It writes as `FileStorage` does, in several steps. When a write begins is a choice. While `run()`
  /// runs, each step of each call may fail, a write also halfway, and the process may crash before each
  /// step that changes the disk, in the middle of a write, and after the last step. A crash keeps all
  /// that was written, and a power cut keeps only what was synced. These faults are choices (I11).
  ///
  /// After a crash, calls that are in progress throw, `run()` returns, and a new `SavedState` in the
  /// same storage finds what the disk has. One that was used before belongs to the process that is
  /// gone. Calls of the scenario outside of `run()` succeed, and so do those in conditions.
  ///
  /// - Parameter name: the name of the storage in reports.
  /// - Returns: a storage that may be kept across crashes.
  public func storage(_ name: String) -> any Storage {
    if let storage = faults.storages.first(where: { $0.name == name }) { return storage }
    let storage = ExploredStorage(name, in: self)
    endpoints.append(
      AnsweringEndpoint(
        endpoint: storage.writes, failure: nil, answer: { _ in }, note: { _ in },
        text: { "\(name): the write of \($0)" }, verb: "begins"))
    faults.storages.append(storage)
    return storage
  }

  /// Makes a connection of which the exploration decides when values arrive and whether it is lost.
  ///
  ///     let feed = world.connection("feed") { number in [17.5, 18] }
  ///     let prices = Reconnecting(clock: world.clock, seed: 1) { try await feed() }
  ///
  /// When it opens and when each value arrives is a choice. It may be refused, and lost before, between
  /// and after the values. If its reader is cancelled, it closes or delivers one more value, late.
  /// Refusals, losses and late values are faults (I11).
  ///
  /// - Parameters:
  ///   - name: the name of the connection in reports.
  ///   - values: what the connection with this number delivers. The first one is 1. Called on the main
  ///     actor when it opens.
  public func connection<Value: Sendable>(
    _ name: String, _ values: @escaping @MainActor (_ number: Int) -> [Value] = { _ in [] }
  ) -> TestConnection<Value> {
    let connection = TestConnection(name, values)
    endpoints += [connection.opening, connection]
    return connection
  }

  /// Chooses whether something goes wrong with a call that is in progress.
  func meetsFault(among possible: [Fault]) -> Bool {
    guard faults.mayOccur, order.obstacle == nil else { return false }
    let noFault = Choice(token: Choice.noFault, label: { "" }, perform: {})
    // The stores are not at rest, so their states are not compared.
    guard let choice = decide([noFault] + choices(of: possible), []),
      choice.token != Choice.noFault
    else { return false }
    steps.append((choice.label(), []))
    choice.perform()
    return true
  }

  /// What may go wrong between two steps; a crash only if a disk has changed since the last rest.
  func faultsAtRest() -> [Choice] {
    // One crash for all storages, because they belong to one process.
    let crashes = faults.storages.compactMap { storage in
      storage.files.takeChange().map { self.crashes("after \($0)", of: storage.name) }
    }
    let possible = (crashes.last ?? []) + endpoints.flatMap(\.faults)
    return possible.isEmpty ? [] : choices(of: possible)
  }

  private func choices(of possible: [Fault]) -> [Choice] {
    faults.moments += 1
    return possible.enumerated().map { index, fault in
      Choice(
        token: "!\(faults.moments)\(Choice.letters(of: index))", label: { fault.label },
        perform: fault.perform)
    }
  }

  /// A crash, and a power cut if that leaves something else on any disk.
  func crashes(_ moment: String, of storage: String) -> [Fault] {
    let crash = Fault(label: "\(storage): crash \(moment)") { self.crash(losesPower: false) }
    let cut = Fault(label: "\(storage): power cut \(moment)") { self.crash(losesPower: true) }
    return faults.storages.contains(where: \.files.losesBytes) ? [crash, cut] : [crash]
  }

  private func crash(losesPower: Bool) {
    faults.hasCrashed = true
    faults.mayOccur = false
    for storage in faults.storages { storage.files.crash(losesPower: losesPower) }
  }
}
