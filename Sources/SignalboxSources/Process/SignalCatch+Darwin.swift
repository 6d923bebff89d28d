#if canImport(Darwin)
import Darwin
import Dispatch

/// Catches one kind of signal, from its initialisation to its end.
struct SignalCatch {
  private static let queue = DispatchQueue(label: "SignalboxSources.SignalCatch")

  private let number: Int32
  private let former: sigaction
  private let source: any DispatchSourceSignal

  static func isPossible(_ number: Int32) -> Bool {
    var current = sigaction()
    let code = unsafe sigaction(number, nil, &current)
    return code == 0 && (1..<32).contains(number)
  }

  init(_ number: Int32) {
    self.number = number
    var former = sigaction()
    _ = unsafe sigaction(number, nil, &former)
    self.former = former
    let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
    source.setEventHandler { SignalReceivers.receive(number) }
    source.resume()
    self.source = source
    // The source hears of an ignored signal, too.
    signal(number, SIG_IGN)
  }

  /// Gives the signal its former disposition back.
  func end() {
    source.cancel()
    var former = former
    _ = unsafe sigaction(number, &former, nil)
  }
}

/// Dispatch passes signals on, without a thread of ours.
enum SignalThread {
  static func start() {}
  static func wake() {}
}
#endif
