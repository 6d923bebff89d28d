import RandomPrograms
import Testing

/// Random programs of restores, stores, changes, ends, flushes, failures, edits and new processes.
@MainActor struct SavingLaws {
  @Test("P3 P5 P8 no program loses what a flush has saved, and no untouched store writes")
  func law() async {
    var failures = 0
    for seed in LawPrograms.seeds(400) where failures < 5 {
      var program = SavingProgram(seed: seed)
      for _ in 0..<30 where program.failure == nil { await program.step() }
      if program.failure == nil { await program.end() }
      guard let failure = program.failure else { continue }
      failures += 1
      Issue.record("Seed \(seed): \(failure)\n\(program.log.joined(separator: "\n"))")
    }
  }
}
