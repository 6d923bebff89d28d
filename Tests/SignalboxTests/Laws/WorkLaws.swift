import RandomPrograms
import Signalbox
import Testing

/// Random programs of actions and runs that start, cancel and wait for one another.
///
/// Their service answers when the program tells it to and ignores cancellation. An oracle computes
/// which work is current.
@MainActor struct WorkLaws {
  @Test(
    "A4 law: with latest, the state is what the current work has made of it",
    .timeLimit(.minutes(60)), arguments: LawPrograms.seeds(60))
  func latest(seed: UInt64) async {
    await WorkProgram(seed: seed, overlaps: [.latest]).check(steps: 60)
  }

  @Test(
    "A1 to A9 law: work runs, waits, resumes, drops and ends as the policies say",
    .timeLimit(.minutes(60)), arguments: LawPrograms.seeds(120))
  func allOverlaps(seed: UInt64) async {
    await WorkProgram(seed: seed, overlaps: [.latest, .first, .queue, .join, .concurrent])
      .check(steps: 60)
  }
}
