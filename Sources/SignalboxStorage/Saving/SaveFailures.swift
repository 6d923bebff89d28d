import Signalbox

/// The failures of attempts in a row, and the timer of the next attempt (P8).
@MainActor final class SaveFailures {
  /// Why the last attempt has failed; `nil` if it has not.
  private(set) var last: SaveError?
  /// The number of rounds in which an attempt has failed.
  private var count = 0
  private var hasFailed = false
  private var timer: OneShotTimer?

  var isFirst: Bool { count == 1 }

  /// Begins a round, in which each store's values that are not saved are tried once.
  func beginRound() { hasFailed = false }

  /// - Parameter error: `nil` if everything is saved.
  func hasEnded(_ error: SaveError?) {
    last = error
    if error == nil { count = 0 } else if !hasFailed { count += 1 }
    hasFailed = error != nil
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
