/// Receives the events of all stores, existing and new ones, for the log or a recording.
@MainActor package protocol StoreListener: AnyObject {
  /// Called once for each store that is not a child, whose events include those of its children.
  func listen<State, Action>(to log: EventLog<State, Action>)
}

/// Holds the listeners to all stores, without a list of stores: before each event, a store compares
/// `generation` with the number that it saw last.
@MainActor package enum StoreListening {
  // Unchecked because it is read for every action. It is never read while it is written.
  @safe @exclusivity(unchecked) private(set) static var generation = 0

  // Points to a byte, which is never freed and not zero while there is a listener. A pointer,
  // because the code of a write tests the byte and must not call a function to find it.
  static let isActive: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    unsafe byte.initialize(to: 0)
    return unsafe byte
  }()

  /// The listeners, with the generations that began with them.
  private static var members: [(listener: any StoreListener, since: Int)] = []

  /// Adds a listener, to which each store connects before its next event.
  package static func add(_ listener: any StoreListener) {
    generation += 1
    members.append((listener, generation))
    unsafe isActive.pointee = 1
  }

  /// Removes a listener, which keeps what it has connected.
  package static func remove(_ listener: any StoreListener) {
    members.removeAll { $0.listener === listener }
    unsafe isActive.pointee = members.isEmpty ? 0 : 1
  }

  package static var all: [any StoreListener] { members.map(\.listener) }

  static func listeners(after generation: Int) -> [any StoreListener] {
    members.filter { $0.since > generation }.map(\.listener)
  }
}
