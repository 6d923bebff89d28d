import Foundation
import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct InputTests {
  @Test("A9 env is released with the store even if an input is kept, and its work is cancelled")
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

  @Test("X5 while a posted event is handled, dispatch handles first what was posted since")
  func postedWithin() async throws {
    let store = Clockwork.store()
    let input = store.input(of: Clockwork.self)
    let sink = store.publisher.log.sink {
      guard $0.last == "first" else { return }
      try? input.post("within")
      input.dispatch("at once")
    }
    try input.post("first")
    try input.post("second")
    try await input.send("last")
    #expect(store.log == ["first", "within", "at once", "second", "last"])
    withExtendedLifetime(sink) {}
  }

  @Test("X5 effects that send while many posts are delivered start concurrently")
  func flood() async {
    enum Echo: Transducer {
      struct State { var sent = 0, echoed = 0 }
      enum Event { case post, echo, own }
      static func update(_ state: inout State, event: Event) -> Effect? {
        switch event {
        case .post:
          state.sent += 1
          return run(overlap: .concurrent) { input, _ in
            try input.post(.own)
            try await input.send(.echo)
          }
        case .own: return nil
        case .echo:
          state.echoed += 1
          return nil
        }
      }
    }
    let store = Store(state: .init(), transducer: Echo.self)
    let input = store.input(of: Echo.self)
    for _ in 0..<5_000 { #expect(throws: Never.self) { try input.post(.post) } }
    store.send(.echo)
    await store.settle()
    #expect(store.sent == 5_000)
    #expect(store.echoed == 5_001)
  }

  @Test("X5 posts from eight threads keep the order of each and come before what is sent later")
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

/// Collects values by their source.
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
