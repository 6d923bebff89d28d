import RandomPrograms
import Testing

/// Random programs with pending changes, against an oracle that keeps a truth and a list of changes.
@MainActor struct OptimisticLaws {
  @Test(
    "O1 O2 O3 O4 law: the state is the truth with what is pending on top, and children live by the truth"
  )
  func programs() async {
    for seed in LawPrograms.seeds(100) {
      let program = BarnProgram(seed: seed)
      await program.run(steps: 100)
      guard let problem = program.problem else { continue }
      Issue.record("seed \(seed): \(problem)")
      return
    }
  }
}
