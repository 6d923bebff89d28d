import Signalbox

/// The failures of attempts in a row, and the timer of the next attempt (P8).
@MainActor final class SaveFailures {
  /// Why the last attempt has failed; `nil` if it has not.
  private(set) var last: SaveError?
  private var count = 0
  private var timer: OneShotTimer?

  var isFirst: Bool { count == 1 }

  /// - Parameter error: `nil` if the attempt has succeeded.
  func hasEnded(_ error: SaveError?) {
    last = error
    count = error == nil ? 0 : count + 1
  }

  /// Sets the timer: after half a second, then twice as long each time, up to a minute.
  func retry(on clock: any Clock<Duration>, _ callback: @escaping @MainActor () -> Void) {
    let pause = min(Duration.milliseconds(500) * (1 << min(count - 1, 10)), .seconds(60))
    timer?.cancel()
    let timer = OneShotTimer.on(clock)
    self.timer = timer
    timer.set(after: pause, callback)
  }

  /// Sets the timer if the last attempt has failed and none is set.
  func retryIfNeeded(on clock: any Clock<Duration>, _ callback: @escaping @MainActor () -> Void) {
    if last != nil, timer == nil { retry(on: clock, callback) }
  }

  func stopWaiting() { timer.take()?.cancel() }
}
