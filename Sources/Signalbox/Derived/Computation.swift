/// A computation of a derived value, which collects what it reads.
@MainActor final class Computation {
  /// A part that was read, and its version then.
  typealias Dependency = (part: ObservedPart, version: Int)

  /// The running computations, each within the one before; ambient, because a closure may read
  /// derived values of other stores, which do not know it.
  private static var running: [Computation] = []
  static var current: Computation? { running.last }

  private let name: String
  private let key: DependentKey
  private let home: StateNode
  /// Whether the result is kept, and so depends on what is read.
  let isRecorded: Bool
  private(set) var inputs: [Dependency] = []
  private var dependents: Set<ObjectIdentifier> = []

  init(of name: String, _ key: DependentKey, in home: StateNode, isRecorded: Bool) {
    self.name = name
    self.key = key
    self.home = home
    self.isRecorded = isRecorded
  }

  func run<State, Value>(
    on storage: StateStorage<State>, _ compute: @MainActor (Reader<State>) -> Value
  ) -> Value {
    if let first = Self.running.firstIndex(where: { $0.home === home && $0.key == key }) {
      let cycle = (Self.running[first...] + [self]).map(\.name).joined(separator: " → ")
      fatalError(
        "A derived value was derived from itself: \(cycle). Let one of them read the state instead."
      )
    }
    Self.running.append(self)
    defer { Self.running.removeLast() }
    return storage.reading { compute(Reader(storage, for: self)) }
  }

  /// Traps if another closure runs, or none, because nothing would notice what is read now.
  func checkIsRunning() {
    if Self.current === self { return }
    fatalError(
      "A reader was used outside of the closure of its derived value, \(name). Read in there.")
  }

  func add(_ path: StatePath, _ part: () -> ObservedPart) {
    if !inputs.contains(where: { $0.part.storage === home && $0.part.path.isSame(as: path) }) {
      inputs.append((part(), 0))
    }
  }

  func read<Value>(_ part: TypedPart<Value>) -> Value {
    if part.storage.transaction !== home.transaction {
      fatalError(
        """
        The derived value \(name) has read one of another store than its own, its parents and its \
        children. Use combineLatest with the publishers of both.
        """)
    }
    let value = part.read()
    if dependents.insert(ObjectIdentifier(part)).inserted { inputs.append((part, part.version)) }
    return value
  }
}
