/// Compares work of the library with the same work of peers.
@MainActor struct Comparison {
  /// The number of the budget, such as `B3`.
  let budget: String
  let work: String
  /// Makes the subjects.
  ///
  /// Called just before the measurement, so that no other setup is in memory.
  let sides: @MainActor () -> Sides

  init(_ budget: String, _ work: String, _ sides: @escaping @MainActor () -> Sides) {
    self.budget = budget
    self.work = work
    self.sides = sides
  }

  var title: String { "\(budget) \(work)" }

  func rows() async -> [Row] {
    let sides = sides()
    let measurements = await Rounds.measure([sides.ours] + sides.peers.map(\.subject))
    let ours = measurements[0]
    var rows: [Row] = []
    for (peer, theirs) in zip(sides.peers, measurements.dropFirst()) {
      let ratio = ours.ratio(to: theirs)
      rows.append(
        Row(
          budget: budget, work: work, ours: told(sides.ours, Format.time(ours.time)),
          beside: told(peer.subject, Format.time(theirs.time)), ratio: Format.ratio(ratio),
          wanted: peer.most.map { "≤ \(Format.number($0))" } ?? "",
          isMet: peer.most.map { ratio.median <= $0 }))
    }
    return rows + sides.limits.compactMap { row(for: $0, ours, sides, measurements) }
  }

  private func told(_ subject: Subject, _ what: String) -> String { "\(subject.name): \(what)" }

  private func row(
    for limit: Sides.Limit, _ ours: Measurement, _ sides: Sides, _ measurements: [Measurement]
  ) -> Row? {
    switch limit {
    case .time(let most):
      let most = most / .nanoseconds(1)
      return Row(
        budget: budget, work: work, ours: told(sides.ours, "\(Format.time(ours.best)) at best"),
        beside: "", ratio: "", wanted: "≤ \(Format.time(most))", isMet: ours.best <= most)
    case .allocations(let most):
      guard let count = ours.allocations else { return nil }
      let others = zip(sides.peers, measurements.dropFirst()).compactMap { peer, theirs in
        theirs.allocations.map { told(peer.subject, Format.number($0)) }
      }
      return Row(
        budget: budget, work: "allocations: \(work)",
        ours: told(sides.ours, Format.number(count)), beside: others.joined(separator: ", "),
        ratio: "", wanted: "≤ \(Format.number(most))", isMet: count <= most)
    case .remains(let most):
      guard let count = ours.remains else { return nil }
      return Row(
        budget: budget, work: "allocations left: \(work)",
        ours: told(sides.ours, Format.number(count)), beside: "", ratio: "",
        wanted: "≤ \(Format.number(most))", isMet: count <= most)
    }
  }
}

/// The subjects that are measured in turns, and the limits of ours.
@MainActor struct Sides {
  /// A limit for our own work that does not depend on peers.
  enum Limit {
    case time(Duration)
    /// The number of allocations each time.
    case allocations(Double)
    /// The number of allocations that are left after all repetitions.
    case remains(Double)
  }

  struct Peer {
    let subject: Subject
    /// The largest allowed ratio of our time to the peer's.
    ///
    /// `nil` means no limit.
    let most: Double?
  }

  let ours: Subject
  let limits: [Limit]
  let peers: [Peer]

  init(_ ours: Subject, limits: [Limit] = [], beside peers: [Peer] = []) {
    self.ours = ours
    self.limits = limits
    self.peers = peers
  }
}

extension Subject {
  /// Makes a peer.
  ///
  /// Our work may take at most `ratio` times as long.
  func atMost(_ ratio: Double) -> Sides.Peer { Sides.Peer(subject: self, most: ratio) }

  /// Makes a peer without a limit, for information.
  var unlimited: Sides.Peer { Sides.Peer(subject: self, most: nil) }
}
