import Foundation
import Testing

@testable import SignalboxSources

struct BackoffTests {
  @Test("E2 the bound of the waits grows to its maximum and stays there")
  func bounds() {
    let backoff = Backoff(from: .seconds(1), to: .seconds(10))
    #expect((1...6).map(backoff.bound) == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    #expect(backoff.bound(after: 100_000) == .seconds(10))
    #expect(Backoff(from: .seconds(2), to: .seconds(9), factor: 1).bound(after: 9) == .seconds(2))
    #expect(Backoff(from: .seconds(2), to: .seconds(1)).bound(after: 1) == .seconds(1))
    #expect(Backoff(from: .seconds(-2), to: .seconds(1)).bound(after: 3) == .zero)
    let longest = Duration.seconds(Int64.max)
    #expect(Backoff(from: .nanoseconds(1), to: longest).bound(after: 10_000) == longest)
  }

  @Test("E2 waits fill the space between zero and the bound, the same for the same seed")
  func jitter() {
    func waits(_ seed: UInt64?) -> [Duration] {
      var jitter = Jitter(seed: seed)
      return (1...1_000).map { _ in jitter.wait(upTo: .seconds(10)) }
    }
    #expect(waits(7) == waits(7) && waits(7) != waits(8))
    for waits in [waits(7), waits(nil)] {
      #expect(waits.allSatisfy { (.zero ... .seconds(10)).contains($0) })
      // Each tenth of the space has some, whatever the generator: fewer than 40 of 1,000 in one tenth
      // have a probability below 10⁻¹¹.
      for tenth in 0..<10 {
        let (low, high) = (Duration.seconds(tenth), Duration.seconds(tenth + 1))
        #expect(waits.count { low <= $0 && $0 < high } >= 40)
      }
    }
  }

  @Test("E2 a factor below 1 traps with a message")
  func shrinkingFactor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Backoff(from: .seconds(1), to: .seconds(2), factor: 0.5)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Backoff(factor: 0.5): the bound cannot shrink."))
  }
}
