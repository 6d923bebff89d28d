import SignalboxTesting
import Testing

@testable import Signalbox

/// Tests that a test store waits for the elements that an effect reads from a sequence.
@MainActor struct SequenceEffectTests {
  private enum Counter: Transducer {
    typealias State = Int
    enum Event: Sendable, Equatable {
      case start
      case add(Int)
    }
    typealias Env = @Sendable () -> AsyncStream<Int>

    static func update(_ sum: inout Int, event: Event) -> Effect? {
      switch event {
      case .start:
        return .events(id: "numbers") { numbers in numbers().map { .add($0 * 2) } }
      case .add(let number):
        sum += number
        return nil
      }
    }
  }

  private let threeNumbers: Counter.Env = {
    AsyncStream { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
  }

  @Test("T3 settle waits for what is on its way through a sequence to an effect")
  func mapped() async {
    for _ in 0..<50 {
      let store = TestStore(state: 0, transducer: Counter.self, env: threeNumbers)
      store.send(.start)
      await store.settle()
      #expect(store.state == 12)
    }
  }

  @Test("T3 I2 so does an exploration")
  func explored() async {
    await explore { [threeNumbers] world in
      let store = TestStore(state: 0, transducer: Counter.self, env: threeNumbers)
      store.send(.start)
      world.finally("all have arrived") { store.state == 12 }
      await world.run()
    }
  }
}
