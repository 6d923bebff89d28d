/// Receives the callbacks of values that are compared, computed or released.
@MainActor protocol HostileListener: AnyObject {
  /// May run any code.
  func released()
  /// Must only read.
  func compared()
}

@MainActor enum Hostile {
  static var listener: (any HostileListener)?
}

/// An object that calls back when it is released.
final class Charge: Sendable {
  let id: Int

  init(_ id: Int) { self.id = id }

  // Only the tests of this law make charges, on the main actor.
  deinit { MainActor.assumeIsolated { Hostile.listener?.released() } }
}

/// A value that calls back when it is compared, and when it is released.
struct Shell: Equatable {
  let charge: Charge
  var id: Int { charge.id }

  init(_ id: Int) { charge = Charge(id) }

  static func == (l: Shell, r: Shell) -> Bool {
    MainActor.assumeIsolated { Hostile.listener?.compared() }
    return l.id == r.id
  }
}

/// Two values that are always written together.
struct ShellPair: Equatable {
  var left: Shell
  var right: Shell

  init(_ id: Int) {
    left = Shell(id)
    right = Shell(id)
  }
}

/// A value that is not comparable.
struct OpaqueShell {
  var shell: Shell
}

/// A state whose values call back into its own store.
struct HostileState {
  var number = 0
  var one = Shell(0)
  var pair = ShellPair(0)
  var list = [Shell(0), Shell(1)]
  var maybe: Shell?
  var opaque = OpaqueShell(shell: Shell(0))
  var watched = Shell(0) { didSet { writes += 1 } }
  var writes = 0

  var sum: Int {
    MainActor.assumeIsolated { Hostile.listener?.compared() }
    return number + list.count
  }

  var alias: Int {
    get { one.id }
    set { one = Shell(newValue) }
  }

  init() {}

  init(_ id: Int) {
    number = id
    one = Shell(id)
    pair = ShellPair(id)
    list = (0..<(id % 4)).map { Shell($0 + id) }
    maybe = id % 2 == 0 ? nil : Shell(id)
    opaque = OpaqueShell(shell: Shell(id))
    watched = Shell(id)
  }
}

/// The same state without callbacks.
struct PlainState: Equatable {
  var number = 0
  var one = 0
  var pair = [0, 0]
  var list = [0, 1]
  var maybe: Int?
  var opaque = 0
  var watched = 0
  var writes = 0

  init() {}

  init(_ state: HostileState) {
    number = state.number
    one = state.one.id
    pair = [state.pair.left.id, state.pair.right.id]
    list = state.list.map(\.id)
    maybe = state.maybe?.id
    opaque = state.opaque.shell.id
    watched = state.watched.id
    writes = state.writes
  }
}
