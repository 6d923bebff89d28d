import RandomPrograms
import Testing

/// The same random program in different company.
///
/// A write in an element is told in a direct way if it concerns one observed part and nothing around
/// the element. An observer that is never notified makes all writes take the general way. So do events
/// that are received. Both ways have the same states and tell the same in the same order.
@MainActor struct ElementWriteLaws {
  @Test("C1 C14 S1 S5 S6 S7 S10 Observers of other things change nothing for those of an element")
  func company() {
    for seed in LawPrograms.seeds(200) {
      let alone = BookcaseProgram(seed, .alone).run()
      for company in BookcaseProgram.Company.allCases {
        let other = BookcaseProgram(seed, company).run()
        guard alone == other else {
          let index = zip(alone, other).enumerated().first { $1.0 != $1.1 }?.offset
          let start = max(0, (index ?? min(alone.count, other.count)) - 6)
          Issue.record(
            """
            Seed \(seed), \(company)
            alone  \(alone.dropFirst(start).prefix(10).joined(separator: "\n       "))
            other  \(other.dropFirst(start).prefix(10).joined(separator: "\n       "))
            """)
          return
        }
      }
    }
  }
}
