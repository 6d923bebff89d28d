public import Signalbox

extension Signal where Value == Int32 {
  /// Makes a signal of the signals that the system sends to this process.
  ///
  ///     Signal.processSignals(SIGINT, SIGTERM).sink { store.send(.quit(code: 128 + $0)) }
  ///
  /// While there is a subscriber of a number, such a signal has no other effect: it neither ends nor
  /// stops the process. After the last subscription, the number gets its former disposition back (E4).
  /// Each number is delivered on the main actor, in the order of arrival. As the system does, it may
  /// deliver two signals of a kind as one, if the second one arrives before the first is handled. On
  /// Apple platforms, a signal within microseconds of the first subscription may be missed.
  ///
  /// - Parameter numbers: the numbers of the signals. A number that cannot be received, such as
  ///   `SIGKILL`, or one that reports a mistake of the program itself, such as `SIGSEGV`, traps with a
  ///   message.
  public static func processSignals(_ numbers: Int32...) -> Signal {
    for number in numbers { SignalReceivers.check(number) }
    return .arrivals { arrivals in
      let receiver = SignalReceivers.add(Set(numbers)) { arrivals.post($0) }
      return { SignalReceivers.remove(receiver) }
    }
  }
}
