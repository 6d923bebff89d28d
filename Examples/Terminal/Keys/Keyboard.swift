package import Signalbox

/// Turns what comes from a terminal into key presses.
@MainActor
package final class Keyboard {
  package let keys = Emitter<Key>()

  private var decoder = KeyDecoder()
  private let undecided = Emitter<Void>()
  private var deciding = Subscription.empty

  /// - Parameters:
  ///   - patience: how long an Escape waits for the rest of a sequence. Nothing but time tells the
  ///     key itself from the beginning of another one, over a slow line.
  ///   - clock: measures it.
  package init(
    patience: Duration = .milliseconds(50), clock: any Clock<Duration> = ContinuousClock()
  ) {
    deciding = undecided.debounce(for: patience, clock: clock).sink { [weak self] in
      if let key = self?.decoder.decide() { self?.keys.send(key) }
    }
  }

  package func receive(_ bytes: [UInt8]) {
    for key in decoder.decode(bytes) { keys.send(key) }
    if decoder.isUndecided { undecided.send() }
  }
}
