import Foundation

/// Catches one kind of signal, from its initialisation to its end.
struct SignalCatch {
  private let number: Int32
  private let former: sigaction
  /// The handler that replaces the former one.
  private let own: UInt
  #if canImport(Darwin)
  private static let queue = DispatchQueue(label: "SignalboxSources.SignalCatch")
  private let source: any DispatchSourceSignal
  #endif

  static func isPossible(_ number: Int32) -> Bool {
    var current = sigaction()
    let code = unsafe sigaction(number, nil, &current)
    // `PendingSignals` has no bit for a greater number.
    return code == 0 && (1..<64).contains(number)
  }

  init(_ number: Int32) {
    self.number = number
    var (former, own) = (sigaction(), sigaction())
    _ = unsafe sigaction(number, nil, &former)
    #if canImport(Darwin)
    source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
    source.setEventHandler { SignalReceivers.receive(number) }
    source.resume()
    // The source hears of a signal that is handled, too. Not `SIG_IGN`, which the child processes
    // would inherit.
    signal(number) { _ in }
    _ = unsafe sigaction(number, nil, &own)
    #else
    signal(number) { PendingSignals.add($0) }
    _ = unsafe sigaction(number, nil, &own)
    // Otherwise, a second signal interrupts the handler before it has added the first.
    _ = unsafe sigfillset(&own.sa_mask)
    _ = unsafe sigaction(number, &own, nil)
    #endif
    self.former = former
    self.own = Self.handler(of: own)
  }

  /// Gives the signal its former disposition back, unless other code has replaced the one in between.
  func end() {
    #if canImport(Darwin)
    source.cancel()
    #endif
    var (former, current) = (former, sigaction())
    _ = unsafe sigaction(number, nil, &current)
    if Self.handler(of: current) == own { _ = unsafe sigaction(number, &former, nil) }
  }

  /// The address of the handler, which comes first and has another name in each libc.
  private static func handler(of action: sigaction) -> UInt {
    unsafe withUnsafeBytes(of: action) { unsafe $0.load(as: UInt.self) }
  }
}

#if canImport(Darwin)
/// Dispatch passes signals on, without a thread of ours.
enum SignalThread {
  static func start() {}
  static func wake() {}
}
#endif
