import RandomPrograms
import Testing

@testable import Signalbox

/// Random programs on a `Queue`, compared with an array.
struct QueueLaws {
  @Test("a queue gives its elements in order and lets go of what it has given")
  func order() {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var queue = Queue<QueueElement>()
      var expected: [Int] = []
      var last = 0
      // Above two thirds, the queue grows beyond the length at which it drops its empty slots.
      let growth = random.below(100)
      for _ in 0..<6_000 {
        if random.below(100) < growth {
          last += 1
          queue.append(QueueElement(last))
          expected.append(last)
        } else {
          weak var taken: QueueElement?
          do {
            let element = queue.popFirst()
            taken = element
            #expect(element?.number == (expected.isEmpty ? nil : expected.removeFirst()))
          }
          #expect(taken == nil, "seed \(seed): the queue keeps what it has given")
        }
        #expect(queue.isEmpty == expected.isEmpty)
      }
    }
  }
}

private final class QueueElement {
  let number: Int
  init(_ number: Int) { self.number = number }
}
