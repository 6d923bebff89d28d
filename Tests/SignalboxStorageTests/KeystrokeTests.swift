import RandomPrograms
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Keystrokes with random pauses, and an oracle that knows only P4.
@MainActor struct KeystrokeTests {
  /// The times, in milliseconds, at which the rule wants saves.
  private static func saves(of strokes: [Int], pause: Int, limit: Int) -> [Int] {
    var saves: [Int] = []
    var first: Int?
    var last = 0
    for stroke in strokes + [.max] {
      if let start = first {
        let due = min(last + pause, start + limit)
        // A stroke at the very moment of a save comes after it.
        if due <= stroke {
          saves.append(due)
          first = nil
        }
      }
      if first == nil { first = stroke }
      last = stroke
    }
    return saves
  }

  @Test("P4 10,000 keystrokes are saved exactly when the pause or the limit says so")
  func keystrokes() async {
    var random = SeededRandom(seed: 1)
    let storage = MemoryStorage()
    let clock = TestClock()
    let store = TestStore(
      state: Note(), hookable: Editor(saved: .note(in: storage), clock: clock))
    var strokes: [Int] = []
    /// The number of writes before each stroke.
    var writes: [Int] = []
    var now = 0
    for number in 0..<LawPrograms.count(10_000) {
      // Words, pauses between words, and pauses of thought.
      let wait = [40, 40, 80, 80, 250, 299, 300, 301, 700, 3_000][random.below(10)]
      let delay = number % 400 < 150 ? 40 : wait
      now += delay
      await clock.advance(by: .milliseconds(delay))
      strokes.append(now)
      writes.append(storage.writes)
      store.draft = "\(number)"
    }
    await clock.advance(by: .seconds(10))
    #expect(store.saving == .saved)
    let saves = Self.saves(of: strokes, pause: 300, limit: 2_000)
    #expect(storage.writes == saves.count)
    for (stroke, count) in zip(strokes, writes) {
      guard count == saves.prefix(while: { $0 <= stroke }).count else {
        Issue.record("\(count) writes before the stroke at \(stroke) ms")
        break
      }
    }
  }
}
