import RandomPrograms
import Testing

/// Random programs in which values, comparisons, getters, setters and captured objects call back.
///
/// They read, write, subscribe, cancel, dispatch or release the store that they belong to.
@MainActor struct HostileLaws {
  @Test("S6 A6 A9 law: no user code that runs in the middle of a change damages the state")
  func law() {
    for seed in LawPrograms.seeds(400) {
      let program = HostileProgram(seed: seed)
      program.run()
      if !program.mistakes.isEmpty {
        Issue.record("seed \(seed): \(program.mistakes.prefix(3)) \(program.journal.suffix(90))")
        return
      }
    }
  }
}
