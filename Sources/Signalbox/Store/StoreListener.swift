/// Who wants to hear the events of all stores, those to come and those that are there: the log.
@MainActor protocol StoreListener: AnyObject {
  func listen<State, Action>(to events: Signal<StoreEvent<State, Action>>)
}

/// Where a store looks for somebody who wants to hear its events.
///
/// It looks when it is made, and then, by a number that is compared, before each thing that
/// happens; so nobody has to know all stores.
@MainActor enum StoreListening {
  // Unchecked: read with every action, and never while it is written.
  @safe @exclusivity(unchecked) private(set) static var generation = 0

  /// Not zero while there is a listener: what a write looks at before it goes on alone.
  // Allocated once, and there as long as the process.
  static let isActive: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    unsafe byte.initialize(to: 0)
    return unsafe byte
  }()

  static var listener: (any StoreListener)? {
    didSet {
      generation += 1
      unsafe isActive.pointee = listener == nil ? 0 : 1
    }
  }
}
