import ExampleTesting
import Signalbox
import Testing

@testable import Terminal

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct KeyboardTests {
  private let clock = ManualClock()
  private let keyboard: Keyboard

  init() {
    keyboard = Keyboard(patience: .milliseconds(50), clock: clock)
  }

  private func keys(_ body: () -> Void) -> [Key] {
    var keys: [Key] = []
    let subscription = keyboard.keys.sink { keys.append($0) }
    body()
    subscription.cancel()
    return keys
  }

  @Test func `an Escape that nothing follows is a key after a while`() async {
    let key = await first(of: keyboard.keys) {
      keyboard.receive([0x1B])
      clock.advance(by: .milliseconds(50))
    }
    #expect(key == .escape)
  }

  @Test func `a sequence that is cut after its Escape is one key`() {
    let keys = keys {
      keyboard.receive([0x1B])
      clock.advance(by: .milliseconds(49))
      keyboard.receive(Array("[D".utf8))
      clock.advance(by: .milliseconds(49))
      keyboard.receive(Array("x".utf8))
    }
    #expect(keys == [.left, .text("x")])
  }

  @Test func `two Escapes are two keys, the second one after a while`() async {
    let keys = keys {
      keyboard.receive([0x1B])
      keyboard.receive([0x1B])
    }
    #expect(keys == [.escape])
    let second = await first(of: keyboard.keys) { clock.advance(by: .milliseconds(50)) }
    #expect(second == .escape)
  }
}
