/// The parts of states that the values of a sink are made of.
///
/// The log of a hook uses them to find out which values it must not show. They are collected while
/// the sink is attached, and later by operators that subscribe later.
@MainActor final class ReadPaths {
  private(set) var all: [AnyKeyPath] = []
  /// The number of parts after which the values count as made of any part.
  private let most = 100

  /// Stands for any part, because it leads through no state.
  private static let anything: AnyKeyPath = \ReadPaths.most
  /// Stands for a closure that makes other values of the values of the parts.
  static let transformation: AnyKeyPath = \ReadPaths.all

  func append(_ path: AnyKeyPath) {
    guard !all.contains(path), all.count <= most else { return }
    all.append(all.count < most ? path : Self.anything)
  }

  /// Collects the parts that a body subscribes to.
  func gather(_ body: () -> Void) {
    let outer = Propagation.readPaths
    Propagation.readPaths = self
    body()
    Propagation.readPaths = outer
  }
}
