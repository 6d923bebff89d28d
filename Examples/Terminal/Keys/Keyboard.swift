package import Signalbox

/// Turns the bytes of a terminal into key presses.
@MainActor
package final class Keyboard {
  package let keys = Emitter<Key>()

  private var decoder = KeyDecoder()
  private let undecided = Emitter<Void>()
  private var deciding = Subscription.empty

  /// - Parameters:
  ///   - patience: how long an Escape waits for the rest of a sequence. Over a slow line, only time
  ///     tells the Escape key from the start of a sequence.
  ///   - clock: measures that time.
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
