/// The parts of states that the values of a sink are made of, for a hook's log to know what it
/// must not show.
///
/// They are gathered while the sink is attached, and later by operators that subscribe later.
@MainActor final class ReadPaths {
  private(set) var all: [AnyKeyPath] = []
  /// More than this and they count as being made of anything.
  private let most = 100

  /// Stands for any part: it leads through no state.
  private static let anything: AnyKeyPath = \ReadPaths.most
  /// Stands among the parts for a closure that makes something else of their values.
  static let transformation: AnyKeyPath = \ReadPaths.all

  func append(_ path: AnyKeyPath) {
    guard !all.contains(path), all.count <= most else { return }
    all.append(all.count < most ? path : Self.anything)
  }

  /// Gathers what a body subscribes to.
  func gather(_ body: () -> Void) {
    let outer = Propagation.readPaths
    Propagation.readPaths = self
    body()
    Propagation.readPaths = outer
  }
}
