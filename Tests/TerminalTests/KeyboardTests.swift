import Signalbox
import SignalboxTesting
import Testing

@testable import Terminal

@MainActor
struct KeyboardTests {
  private let clock = TestClock()
  private let keyboard: Keyboard

  init() {
    keyboard = Keyboard(patience: .milliseconds(50), clock: clock)
  }

  private func keys(_ body: () async -> Void) async -> [Key] {
    var keys: [Key] = []
    let subscription = keyboard.keys.sink { keys.append($0) }
    await body()
    subscription.cancel()
    return keys
  }

  @Test func `an Escape that nothing follows becomes a key after a while`() async {
    let keys = await keys {
      keyboard.receive([0x1B])
      await clock.advance(by: .milliseconds(50))
    }
    #expect(keys == [.escape])
  }

  @Test func `a sequence that is split after its Escape is one key`() async {
    let keys = await keys {
      keyboard.receive([0x1B])
      await clock.advance(by: .milliseconds(49))
      keyboard.receive(Array("[D".utf8))
      await clock.advance(by: .milliseconds(49))
      keyboard.receive(Array("x".utf8))
    }
    #expect(keys == [.left, .text("x")])
  }

  @Test func `two Escapes are two keys, the second one after a while`() async {
    var early: [Key] = []
    let all = await keys {
      early = await keys {
        keyboard.receive([0x1B])
        keyboard.receive([0x1B])
      }
      await clock.advance(by: .milliseconds(50))
    }
    #expect(early == [.escape])
    #expect(all == [.escape, .escape])
  }
}
