import Signalbox
import Testing

/// Random programs of dispatch, cancel, answer and failure, with a service that answers when it is
/// told to and does not care about cancellation, against an oracle of who is current.
@MainActor struct WorkLaws {
  @Test(
    "A4 law: with latest, the state is what the current ones have made of it", arguments: 1...60)
  func latest(seed: Int) async {
    await WorkProgram(seed: UInt64(seed), overlaps: [.latest]).check(steps: 60)
  }

  @Test(
    "A4 law: with all overlaps, who runs, waits and is over is as the policies say",
    arguments: 1...60)
  func allOverlaps(seed: Int) async {
    await WorkProgram(
      seed: UInt64(seed), overlaps: [.latest, .first, .queue, .join, .concurrent]
    ).check(steps: 60)
  }
}
