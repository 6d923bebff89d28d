import Signalbox
import Testing

/// Random programs of actions and runs that begin, cancel and wait for one another, with a service
/// that answers when it is told to and does not care about cancellation, against an oracle of who
/// is current.
@MainActor struct WorkLaws {
  @Test(
    "A4 law: with latest, the state is what the current ones have made of it",
    .timeLimit(.minutes(10)), arguments: 1...60)
  func latest(seed: Int) async {
    await WorkProgram(seed: seed, overlaps: [.latest]).check(steps: 60)
  }

  @Test(
    "A1 to A9 law: who runs, waits, is resumed, dropped and over is as the policies say",
    .timeLimit(.minutes(10)), arguments: 1...120)
  func allOverlaps(seed: Int) async {
    await WorkProgram(seed: seed, overlaps: [.latest, .first, .queue, .join, .concurrent])
      .check(steps: 60)
  }
}
