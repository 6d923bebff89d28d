import Foundation
import Signalbox

/// Measures values from eight threads (B11) and checks that none is lost or out of order.
@MainActor enum Posts {
  static let comparisons = [
    Comparison("B11", "1,000,000 posts from 8 threads") {
      Sides(
        Subject("Emitter.post", awaiting: { await posts($0 * 1_000_000) }),
        limits: [.time(.seconds(1))])
    },
    Comparison("B11", "100,000 values from 8 threads") {
      Sides(
        Subject("Emitter.post", awaiting: { await posts($0 * 100_000) }),
        beside: [
          Subject("a Task { @MainActor } each", awaiting: { await tasks($0 * 100_000) }).atMost(1),
          Subject("AsyncStream", awaiting: { await yields($0 * 100_000) }).unlimited,
        ])
    },
  ]

  private struct Post: Sendable {
    let thread: Int
    let number: Int
  }

  /// Checks the order of the values of each thread and counts the missing ones.
  private final class Receiver {
    private var next = [Int](repeating: 0, count: 8)
    private var missing: Int
    private let finish: () -> Void

    init(_ count: Int, finish: @escaping () -> Void) {
      missing = count
      self.finish = finish
    }

    func receive(_ post: Post, inOrder isOrdered: Bool = true) {
      guard !isOrdered || next[post.thread] == post.number else {
        fatalError("thread \(post.thread): got \(post.number) instead of \(next[post.thread])")
      }
      next[post.thread] += 1
      missing -= 1
      if missing == 0 { finish() }
    }
  }

  private static func onThreads(_ count: Int, _ body: @escaping @Sendable (Post) -> Void) {
    for thread in 0..<8 {
      Thread { for number in 0..<count / 8 { body(Post(thread: thread, number: number)) } }.start()
    }
  }

  private static func posts(_ count: Int) async {
    let emitter = Emitter<Post>()
    var subscription = Subscription.empty
    await withCheckedContinuation { continuation in
      let receiver = Receiver(count) { continuation.resume() }
      subscription = emitter.sink { receiver.receive($0) }
      onThreads(count) { emitter.post($0) }
    }
    subscription.cancel()
  }

  private static func tasks(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let receiver = MainActorReceiver(Receiver(count) { continuation.resume() })
      // When the machine is busy, the tasks of one thread may run in any order.
      onThreads(count) { post in Task { @MainActor in receiver.receive(post) } }
    }
  }

  @MainActor private final class MainActorReceiver {
    private let receiver: Receiver
    init(_ receiver: Receiver) { self.receiver = receiver }
    func receive(_ post: Post) { receiver.receive(post, inOrder: false) }
  }

  private static func yields(_ count: Int) async {
    let (stream, source) = AsyncStream.makeStream(of: Post.self)
    let receiver = Receiver(count) { source.finish() }
    onThreads(count) { source.yield($0) }
    for await post in stream { receiver.receive(post) }
  }
}
