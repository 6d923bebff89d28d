import Foundation
import Signalbox
import Testing

@testable import SignalboxTesting

/// Tests that a test store knows of the elements that are on their way through an async sequence to a
/// hook.
///
/// A wait for the main actor that is not counted ends after some hundred turns without a change. So most
/// elements take longer, and bodies with quick ones run many times.
@Suite(.timeLimit(.minutes(60))) @MainActor struct SequenceHookTests {
  typealias Stream = (stream: AsyncStream<Int>, continuation: AsyncStream<Int>.Continuation)

  private let rounds = 50
  private let fewRounds = 5

  func makeStream() -> Stream { AsyncStream.makeStream(of: Int.self) }

  /// A stream whose elements hop to the main actor and back on their way.
  func slow(_ stream: AsyncStream<Int>) -> AsyncMapSequence<AsyncStream<Int>, Int> {
    stream.map { number in
      for _ in 0..<300 { await MainActor.run {} }
      return number
    }
  }

  func makeStore(
    _ connect: @escaping @MainActor (DeskHandle) -> Subscription,
    handle: @escaping @MainActor (Job, DeskHandle) async throws -> Void = { _, _ in }
  ) -> DeskTest {
    DeskTest(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in connect(store) }, handle: handle))
  }

  @Test("T3 settle waits for what a stream has received", arguments: [1, 3, 100, 250])
  func elements(count: Int) async {
    for _ in 0..<rounds {
      let (stream, continuation) = makeStream()
      let store = makeStore { store in Signal(stream).sink { store.log.append("\($0)") } }
      for number in 0..<count { continuation.yield(number) }
      await store.settle()
      store.expect { $0.log = (0..<count).map { "\($0)" } }
      // Now the task waits for an element, and one more wakes it.
      continuation.yield(count)
      await store.settle()
      store.expect { $0.log.append("\(count)") }
    }
  }

  @Test("T2 the trigger of testHook may be a call of yield")
  func yielding() async {
    let (stream, continuation) = makeStream()
    let store = await DeskTest.testHook(
      .only, trigger: continuation.yield(1), state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { _, store in Signal(stream).sink { store.log.append("\($0)") } },
        handle: { _, _ in }))
    #expect(store.didTriggerHook)
    #expect(store.state.log == ["1"])
  }

  @Test("T4 an expectation that comes too early says how to wait for the element")
  func early() async {
    let (stream, continuation) = makeStream()
    let store = makeStore { store in Signal(stream).sink { store.log.append("\($0)") } }
    let headlines = await AssertedDesk.headlines {
      continuation.yield(1)
      store.expect { $0.log = ["1"] }
    }
    #expect(
      headlines == [
        """
        expect: nothing changed. If the change comes from a stream or from running work, call `await store.settle()` before.
        """
      ])
    continuation.finish()
    await store.settle()
  }

  @Test("T3 settle waits for each sequence between the stream and the hook, and for errors")
  func transformed() async {
    for _ in 0..<rounds {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      let sequence = stream.map { $0 * 2 }.filter { $0 > 2 }.dropFirst(0).prefix(99)
        .compactMap { $0 }.map { "\($0)" }.dropFirst(0).dropFirst(0).dropFirst(0).dropFirst(0)
      let store = makeStore { store in
        Signal.results(of: sequence).sink {
          switch $0 {
          case .success(let text): store.log.append(text)
          case .failure: store.title = "failed"
          }
        }
      }
      for number in 1...3 { continuation.yield(number) }
      await store.settle()
      store.expect { $0.log = ["4", "6"] }
      continuation.yield(4)
      await store.settle()
      store.expect { $0.log.append("8") }
      continuation.finish(throwing: Refusal())
      await store.settle()
      store.expect { $0.title = "failed" }
    }
  }

  @Test("T3 a clock that advances first lets what a stream has received reach a debounce")
  func debounced() async {
    for _ in 0..<fewRounds {
      let (stream, continuation) = makeStream()
      let clock = TestClock()
      let store = makeStore { store in
        Signal(slow(stream)).map { $0 + 1 }.debounce(for: .seconds(1), clock: clock).sink {
          store.count = $0
        }
      }
      continuation.yield(1)
      await clock.advance(by: .milliseconds(999))
      continuation.yield(2)
      await clock.advance(by: .milliseconds(999))
      store.expect { _ in }
      await clock.advance(by: .milliseconds(1))
      store.expect { $0.count = 3 }
    }
  }

  @Test("T3 settle waits for the end of a stream")
  func finished() async {
    for _ in 0..<fewRounds {
      let (stream, continuation) = makeStream()
      let store = makeStore { store in
        Signal(slow(stream)).sink(
          receiveCompletion: { store.title = "over" }, receiveValue: { store.count += $0 })
      }
      await store.settle()
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
      await store.settle()
      store.expect { $0 = Desk(count: 6, title: "over") }
    }
  }

  @Test("T3 settle waits for the actions that the elements lead to")
  func actions() async {
    for _ in 0..<fewRounds {
      let (stream, continuation) = makeStream()
      let store = makeStore { store in
        Signal(slow(stream)).map { Job("\($0)") }.sink { store.dispatch($0) }
      } handle: { job, store in
        await elsewhere()
        store.log.append(job.text)
      }
      for number in 1...3 { continuation.yield(number) }
      await store.settle()
      #expect(store.triggeredActions == ["1", "2", "3"])
      #expect(Set(store.state.log) == ["1", "2", "3"])
    }
  }

  @Test("T3 settle waits for the streams of two hooks")
  func twoHooks() async {
    for _ in 0..<fewRounds {
      let (one, two) = (makeStream(), makeStream())
      let store = DeskTest(
        state: Desk(),
        interactor: Hooking<Desk, Job, ThreeHooks>(connect: { hook, store in
          switch hook {
          case .first: Signal(slow(one.stream)).sink { store.log.append("\($0)") }
          case .second: Signal(slow(two.stream)).sink { store.count += $0 }
          case .third: .empty
          }
        }))
      for number in 1...3 {
        one.continuation.yield(number)
        two.continuation.yield(number)
      }
      await store.settle()
      store.expect { $0 = Desk(log: ["1", "2", "3"], count: 6) }
    }
  }

  @Test("T3 T9 settle waits for a shared stream, also when the first of its stores is gone")
  func shared() async {
    for _ in 0..<fewRounds {
      let (stream, continuation) = makeStream()
      let numbers = Signal(slow(stream)).share()
      var first: DeskTest? = makeStore { store in numbers.sink { store.count += $0 } }
      let second = makeStore { store in numbers.sink { store.count += $0 } }
      continuation.yield(1)
      await second.settle()
      #expect(first?.count == 1 && second.count == 1)
      first = nil
      continuation.yield(2)
      await second.settle()
      continuation.yield(3)
      await second.settle()
      #expect(second.count == 6)
    }
  }

  @Test("T3 settle waits for a stream that a hook subscribes to later")
  func switched() async {
    for _ in 0..<fewRounds {
      let (stream, continuation) = makeStream()
      let store = makeStore { store in
        store.publisher.title.flatMapLatest { _ in Signal(slow(stream)) }.sink { store.count += $0 }
      }
      store.title = "next"
      continuation.yield(1)
      await store.settle()
      continuation.yield(2)
      await store.settle()
      #expect(store.count == 3)
    }
  }

  private struct Parent: Equatable { var child = Desk() }

  private struct ParentFeature: Interactor {
    let numbers: AsyncMapSequence<AsyncStream<Int>, Int>

    func children(of store: MutatingStore<Parent, Never>) -> Children<Parent> {
      Child(\.child) {
        Hooking<Desk, Job, OneHook>(
          connect: { _, store in Signal(numbers).sink { store.count += $0 } })
      }
    }
  }

  @Test("T3 C9 settle waits for the stream of a hook of a child")
  func child() async {
    for _ in 0..<fewRounds {
      let (stream, continuation) = makeStream()
      let store = TestStore(state: Parent(), interactor: ParentFeature(numbers: slow(stream)))
      for number in 1...3 { continuation.yield(number) }
      await store.settle()
      #expect(store.state.child.count == 6)
    }
  }

  @Test(
    "T3 A6 a store that is released while elements are queued is gone, and gets no more of them")
  func released() async {
    for _ in 0..<rounds {
      let (stream, continuation) = makeStream()
      var received: [Int] = []
      var store: DeskTest? = makeStore { _ in Signal(stream).sink { received.append($0) } }
      let other = makeStore { store in store.publisher.title.sink { _ in } }
      weak let released = store
      for number in 1...3 { continuation.yield(number) }
      store = nil
      #expect(released == nil)
      await other.settle()
      #expect(received.isEmpty)
      // The task of the hook has ended the stream.
      if case .terminated = continuation.yield(4) {} else { Issue.record("The stream goes on.") }
    }
  }

  @Test("T6 a sequence that never ends and never waits is a failure that shows its hook")
  func endless() async {
    let store = makeStore { store in
      Signal(AsyncStream(unfolding: { 1 })).sink { store.count += $0 }
    }
    store.scope.activity.mostChanges = 10_000
    let text = await failures { await store.settle() }.only
    #expect(text.headline.hasPrefix("settle(): never comes to rest"), "\(text)")
    #expect(text.section("Last events:").last?.contains("← hook only") == true, "\(text)")
    store.deactivateHooks()
  }

  @Test("T3 T7 an action in a loop over a stream receives what the test sends")
  func action() async {
    for _ in 0..<rounds {
      let (stream, continuation) = makeStream()
      let store = makeStore { _ in
        .empty
      } handle: { job, store in
        guard job == "listen" else { return store.log.append(job.text) }
        for await number in stream { store.send(Job("\(number)")) }
      }
      store.send("listen")
      for number in 1...3 { continuation.yield(number) }
      await store.receive("1", timeout: .seconds(600))
      await store.receive("3", timeout: .seconds(600))
      continuation.finish()
      await store.settle()
      store.expect { $0.log = ["1", "2", "3"] }
    }
  }
}
