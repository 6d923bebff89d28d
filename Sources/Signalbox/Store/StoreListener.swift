/// Receives the events of all stores, existing and new ones, for the log.
@MainActor protocol StoreListener: AnyObject {
  func listen<State, Action>(to log: EventLog<State, Action>)
}

/// Holds the listener to all stores.
///
/// A store looks here when it is made. Before each event, it compares `generation` with the number
/// that it saw last. So no list of stores is needed.
@MainActor enum StoreListening {
  // Unchecked because it is read for every action. It is never read while it is written.
  @safe @exclusivity(unchecked) private(set) static var generation = 0

  /// Points to a byte that is not zero while there is a listener.
  ///
  /// The byte is never freed. The code of a write tests it together with its other conditions and
  /// must not call a function to find it, so a pointer is used.
  static let isActive: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    unsafe byte.initialize(to: 0)
    return unsafe byte
  }()

  private(set) static var listener: (any StoreListener)?

  /// Sets or removes the listener.
  static func listen(by listener: (any StoreListener)?) {
    // Released last, because what the previous listener holds may call back when it is released.
    let before = self.listener
    self.listener = listener
    generation += 1
    unsafe isActive.pointee = listener == nil ? 0 : 1
    withExtendedLifetime(before) {}
  }
}
