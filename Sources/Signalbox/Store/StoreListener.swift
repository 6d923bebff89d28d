/// Gets the events of all stores, those to come and those that are there: the log.
@MainActor protocol StoreListener: AnyObject {
  func listen<State, Action>(to log: EventLog<State, Action>)
}

/// Where a store looks for a listener to all stores.
///
/// It looks when it is made, and then, by a number that is compared, before each thing that
/// happens; so no list of stores is kept.
@MainActor enum StoreListening {
  // Unchecked: read with every action, and never while it is written.
  @safe @exclusivity(unchecked) private(set) static var generation = 0

  /// Is not zero while there is a listener.
  ///
  /// A pointer, never freed: the code that is generated for a write tests this one byte, together
  /// with its other conditions, and must not call anything to find it.
  static let isActive: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    unsafe byte.initialize(to: 0)
    return unsafe byte
  }()

  private(set) static var listener: (any StoreListener)?

  /// Sets or removes the listener.
  static func listen(by listener: (any StoreListener)?) {
    // Held beyond the assignment: what the listener before holds may call back when it is released.
    let before = self.listener
    self.listener = listener
    generation += 1
    unsafe isActive.pointee = listener == nil ? 0 : 1
    withExtendedLifetime(before) {}
  }
}
