import Foundation
import Signalbox
import SignalboxSources
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct NotificationsTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("measured")

  private func numbers(from object: AnyObject? = nil) -> Signal<Int> {
    .notifications(name, object: object, center: center) { $0.userInfo?["number"] as? Int }
  }

  private nonisolated static func post(
    _ number: Int, from object: AnyObject? = nil, to center: NotificationCenter
  ) {
    center.post(
      name: Notification.Name("measured"), object: object, userInfo: ["number": number])
  }

  @Test("E4 what is posted on the main actor is delivered before the post returns")
  func onMainActor() {
    let sender = NSObject()
    var (all, own): ([Int], [Int]) = ([], [])
    let subscriptions = [
      numbers().sink { all.append($0) }, numbers(from: sender).sink { own.append($0) },
    ]
    Self.post(1, to: center)
    Self.post(2, from: sender, to: center)
    center.post(name: name, object: nil)
    center.post(name: Notification.Name("other"), object: nil, userInfo: ["number": 3])
    #expect(all == [1, 2] && own == [2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S1 E4 the subscribers of one signal are notified in the order of their subscriptions")
  func subscribers() {
    let numbers = numbers()
    var told: [Int] = []
    let subscriptions = (0..<100).map { subscriber in
      numbers.sink { _ in told.append(subscriber) }
    }
    Self.post(1, to: center)
    #expect(told == Array(0..<100))
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S5 E4 inside a delivery, what is posted waits its turn")
  func insideDelivery() {
    let numbers = numbers()
    var told: [String] = []
    let first = numbers.sink {
      told.append("first \($0)")
      guard $0 == 1 else { return }
      Self.post(2, to: center)
      told.append("posted")
    }
    let second = numbers.sink { told.append("second \($0)") }
    let trigger = Emitter<Int>()
    let third = trigger.sink { Self.post($0, to: center) }
    trigger.send(1)
    #expect(told == ["first 1", "posted", "second 1", "first 2", "second 2"])
    withExtendedLifetime((first, second, third)) {}
  }

  @Test("E4 what threads post arrives in the order of each thread, and nothing is lost")
  func threads() async {
    let log = SourceLog<Int>()
    let subscription = log.record(numbers())
    for thread in 0..<4 {
      Thread.detachNewThread { [center] in
        for number in 0..<1_000 { Self.post(thread * 1_000 + number, to: center) }
      }
    }
    await log.reach(4_000)
    for thread in 0..<4 {
      let own = log.entries.filter { $0 / 1_000 == thread }
      #expect(own == Array(thread * 1_000..<(thread + 1) * 1_000))
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("E4 a post on the main actor comes after what was posted before on other threads")
  func order() async {
    let log = SourceLog<Int>()
    let subscription = log.record(numbers())
    // The main actor is not free until this test waits for something on it.
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [center] in
      for number in 1...100 { Self.post(number, to: center) }
      done.signal()
    }
    Self.wait(for: done)
    Self.post(101, to: center)
    #expect(log.entries == Array(1...101))
    withExtendedLifetime(subscription) {}
  }

  private nonisolated static func wait(for done: DispatchSemaphore) { done.wait() }

  @Test("S4 S13 E4 10,000 subscriptions leave no observer and keep nothing alive")
  func manySubscriptions() {
    final class Token: Sendable { func hold() {} }
    weak var kept: Token?
    var told = 0
    do {
      let token = Token()
      kept = token
      let signal = Signal<Int>.notifications(name, center: center) { _ in
        token.hold()
        return 1
      }
      for _ in 0..<10_000 {
        let subscription = signal.sink { told += $0 }
        subscription.cancel()
      }
      Self.post(1, to: center)
      #expect(told == 0)
      let last = signal.sink { told += $0 }
      Self.post(1, to: center)
      withExtendedLifetime(last) {}
    }
    #expect(told == 1 && kept == nil)
  }

  @Test("S4 E4 subscribers may cancel, subscribe and post inside their closures")
  func reentry() {
    var told: [String] = []
    var subscriptions: [Subscription] = []
    subscriptions.append(
      numbers().sink { number in
        told.append("first \(number)")
        guard number == 1 else { return }
        subscriptions[1].cancel()
        subscriptions.append(numbers().sink { told.append("late \($0)") })
        Self.post(2, to: center)
        told.append("posted")
      })
    subscriptions.append(numbers().sink { told.append("second \($0)") })
    Self.post(1, to: center)
    // A notification center calls its observers in no particular order.
    #expect(Set(told).isSuperset(of: ["first 1", "posted", "first 2", "late 2"]), "\(told)")
    #expect(!told.contains("second 2"))
  }
}
