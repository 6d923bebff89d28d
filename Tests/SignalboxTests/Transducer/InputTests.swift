import Foundation
import Signalbox
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct InputTests {
  @Test("A9 env goes with the store, whatever input is kept, and its work is cancelled")
  func release() async {
    final class Token: Sendable {}
    enum Keeper: Transducer {
      typealias State = Int
      typealias Env = Token
      enum Event { case go }
      static func update(_ state: inout Int, event: Event) -> Effect? {
        state += 1
        return .run { _, _ in }
      }
    }
    weak var env: Token?
    var input: Input<Keeper.Event, Void>?
    do {
      let token = Token()
      env = token
      let store = Store(state: 0, transducer: Keeper.self, env: token)
      input = store.input(of: Keeper.self)
      store.send(.go)
      await store.settle()
    }
    #expect(env == nil)
    #expect(throws: StoreReleased.self) { try input?.post(.go) }
  }

  @Test(
    "X5 posts from eight threads arrive in the order of each, and before what is sent after them")
  func threads() async throws {
    let store = Store(state: [:], transducer: Tally.self, env: ())
    let input = store.input(of: Tally.self)
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask {
          await onPlainThread {
            for number in 0..<2_000 { try? input.post(.init(thread: thread, number: number)) }
          }
          try? await input.send(.init(thread: thread, number: 2_000))
        }
      }
    }
    #expect(store.state.count == 8)
    for thread in 0..<8 { #expect(store.state[thread] == Array(0...2_000)) }
  }
}

/// What came, by where it came from.
private enum Tally: Transducer {
  typealias State = [Int: [Int]]
  struct Event {
    let thread: Int
    let number: Int
  }

  static func update(_ state: inout [Int: [Int]], event: Event) -> Effect? {
    state[event.thread, default: []].append(event.number)
    return nil
  }
}

private func onPlainThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}
