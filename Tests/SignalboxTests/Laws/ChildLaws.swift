import RandomPrograms
import Testing

/// Random programs with parents and children, against an oracle that knows only states.
///
/// The oracle applies each write to one value, and tells each observer whose value differs, in the
/// order in which the observers have subscribed. It has no children. So a program with children is the
/// same as a flat one: same states, same order.
@MainActor struct ChildLaws {
  @Test("C1 C4 C5 C6 C12 C14 S1 S5 S7 S10 Programs with children do what flat programs do")
  func programs() {
    for seed in LawPrograms.seeds(60) {
      let program = ChildProgram(seed: seed)
      program.run()
      guard program.told == program.expected, program.problems.isEmpty else {
        let index = zip(program.told, program.expected).enumerated().first { $1.0 != $1.1 }?.offset
        let start = max(0, (index ?? min(program.told.count, program.expected.count)) - 2)
        Issue.record(
          """
          Seed \(seed): \(program.problems)
          steps \(program.steps(before: start + 2))
          told     \(program.told.dropFirst(start).prefix(4).map(short))
          expected \(program.expected.dropFirst(start).prefix(4).map(short))
          """)
        return
      }
    }
  }
}

/// A text without what every value has.
private func short(_ text: String) -> String {
  ["SignalboxTests.", "Station", "length: 0, ", "isSaving: false, ", ", tags: []", ", log: []"]
    .reduce(text) { $0.replacing($1, with: "") }
}
