import RandomPrograms
import Signalbox
import Testing

/// Random programs against an oracle that keeps the whole state of every commit.
///
/// The oracle derives from the rules which subscribers are notified of what, in which order.
@MainActor struct StateLaws {
  @Test(
    "S6 S10 law: every commit notifies the affected observers once, in order, with the new values")
  func commits() {
    for seed in LawPrograms.seeds(1_000) {
      check(StateProgram(seed: seed, batches: .apart, coming: false))
    }
  }

  @Test("S3 S4 law: subscribers that come or go in deliveries receive what is sent meanwhile")
  func comingAndGoing() {
    for seed in LawPrograms.seeds(1_000, from: 10_001) {
      check(StateProgram(seed: seed, batches: .apart, coming: true))
    }
  }

  @Test("S6 S10 law: a batch notifies of everything that differs between its start and its end")
  func batches() {
    for seed in LawPrograms.seeds(1_000, from: 20_001) {
      check(StateProgram(seed: seed, batches: .anything, coming: true))
    }
  }

  private func check(_ program: StateProgram) {
    let told = StateRun(program).told
    let expected = StateOracle(program).told
    guard told != expected else { return }
    let place = zip(told, expected).enumerated().first { $1.0 != $1.1 }?.offset
    let index = place ?? min(told.count, expected.count)
    Issue.record(
      """
      The library told \(index < told.count ? told[index] : "nothing more")
      instead of       \(index < expected.count ? expected[index] : "nothing more")
      after            \(expected.prefix(index).suffix(4))
      \(program.description)
      """)
  }
}

/// A program that the library runs.
@MainActor private final class StateRun {
  private(set) var told: [String] = []
  private let rig = StateRig(LawState())
  private var subscriptions: [Subscription] = []
  private let program: StateProgram

  init(_ program: StateProgram) {
    self.program = program
    for step in program.steps { carryOut(step) }
    subscriptions = []
  }

  private func carryOut(_ step: StateStep) {
    switch step {
    case .assign(let lens, let seed): lens.assign(rig.write, seed)
    case .force(let lens, let seed): lens.force(rig.write, seed)
    case .mutate(let lens, let seed): lens.mutate(rig.write, seed)
    case .update(let writes):
      rig.write.update { for (lens, seed) in writes { lens.assignPlainly(&$0, seed) } }
    case .batch(let steps): rig.write.batch { for step in steps { carryOut(step) } }
    case .observe(let lens):
      let number = subscriptions.count
      subscriptions.append(
        lens.observe(rig.write) { [weak self] in self?.receive("\(number) \(lens.name): \($0)") })
    case .cancel(let number):
      if number < subscriptions.count { subscriptions[number].cancel() }
    }
  }

  private func receive(_ line: String) {
    let reaction = program.reactions[told.count]
    told.append(line)
    if let reaction { carryOut(reaction) }
  }
}

/// The same program that the oracle runs.
@MainActor private final class StateOracle {
  private struct Write {
    let lens: StateLens
    /// Whether it counts as a change without a comparison, as forced writes do.
    var isCertain = false
  }

  private struct Observer {
    let lens: StateLens
    var isCancelled = false
    /// The state when it subscribed, if that was during a batch.
    var joined: (state: LawState, writes: Int)?
  }

  private struct Letter {
    let number: Int
    let line: String
  }

  private(set) var told: [String] = []
  private var state = LawState()
  private var observers: [Observer] = []
  private var letters: [Letter] = []
  private var isDelivering = false
  private var batch: (before: LawState, writes: [Write])?
  private let program: StateProgram

  init(_ program: StateProgram) {
    self.program = program
    for step in program.steps { carryOut(step) }
  }

  private func carryOut(_ step: StateStep) {
    switch step {
    case .assign(let lens, let seed):
      write(Write(lens: lens)) { lens.assignPlainly(&$0, seed) }
    case .force(let lens, let seed):
      write(Write(lens: lens, isCertain: true)) { lens.assignPlainly(&$0, seed) }
    case .mutate(let lens, let seed):
      let isCompared = lens.isTrivial || !lens.hasPlace
      let wasNil = lens.isOptional && lens.read(state) == "nil"
      var write = Write(lens: lens, isCertain: !isCompared)
      var after = state
      lens.mutatePlainly(&after, seed)
      if wasNil, lens.read(after) == "nil" { write.isCertain = false }
      self.write(write) { $0 = after }
    case .update(let writes):
      write(Write(lens: .whole)) {
        for (lens, seed) in writes { lens.assignPlainly(&$0, seed) }
      }
    case .batch(let steps):
      let isOutermost = batch == nil
      if isOutermost { batch = (state, []) }
      for step in steps { carryOut(step) }
      if isOutermost, let (before, writes) = batch.take() { commit(writes, from: before) }
    case .observe(let lens):
      observers.append(Observer(lens: lens, joined: batch.map { (state, $0.writes.count) }))
    case .cancel(let number):
      if number < observers.count { observers[number].isCancelled = true }
    }
  }

  private func write(_ write: Write, _ body: (inout LawState) -> Void) {
    let before = state
    body(&state)
    if batch != nil { batch?.writes.append(write) } else { commit([write], from: before) }
  }

  private func commit(_ writes: [Write], from before: LawState) {
    for (number, observer) in observers.enumerated() where !observer.isCancelled {
      let lens = observer.lens
      let mustTell =
        if let joined = observer.joined {
          mustTell(lens, of: writes.dropFirst(joined.writes), from: joined.state, isLate: true)
        } else {
          mustTell(lens, of: writes[...], from: before, isLate: false)
        }
      guard mustTell else { continue }
      letters.append(Letter(number: number, line: "\(number) \(lens.name): \(lens.read(state))"))
    }
    for number in observers.indices { observers[number].joined = nil }
    if !isDelivering { deliver() }
  }

  private func mustTell(
    _ lens: StateLens, of writes: ArraySlice<Write>, from before: LawState, isLate: Bool
  ) -> Bool {
    if lens.isComparable {
      return lens.read(before) != lens.read(state)
        || writes.contains { $0.isCertain && lens.contains($0.lens) }
    }
    return writes.contains { write in
      let stands =
        write.isCertain || !write.lens.isComparable
        // A write without a path may have changed anything, even if a batch has reset it.
        || !write.lens.hasPlace
        // The values between the writes are unknown for a late subscriber.
        || isLate || write.lens.read(before) != write.lens.read(state)
      return stands && (lens.overlaps(write.lens) || !write.lens.hasPlace)
    }
  }

  private func deliver() {
    isDelivering = true
    var next = 0
    while next < letters.count {
      let letter = letters[next]
      next += 1
      guard !observers[letter.number].isCancelled else { continue }
      let reaction = program.reactions[told.count]
      told.append(letter.line)
      if let reaction { carryOut(reaction) }
    }
    letters = []
    isDelivering = false
  }
}
