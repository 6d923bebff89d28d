import Instruments
import Signalbox

/// A state with fifty properties.
@MainActor struct Fifty {
  var p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0, p8 = 0, p9 = 0
  var p10 = 0, p11 = 0, p12 = 0, p13 = 0, p14 = 0, p15 = 0, p16 = 0, p17 = 0, p18 = 0, p19 = 0
  var p20 = 0, p21 = 0, p22 = 0, p23 = 0, p24 = 0, p25 = 0, p26 = 0, p27 = 0, p28 = 0, p29 = 0
  var p30 = 0, p31 = 0, p32 = 0, p33 = 0, p34 = 0, p35 = 0, p36 = 0, p37 = 0, p38 = 0, p39 = 0
  var p40 = 0, p41 = 0, p42 = 0, p43 = 0, p44 = 0, p45 = 0, p46 = 0, p47 = 0, p48 = 0, p49 = 0

  static let keyPaths: [WritableKeyPath<Fifty, Int>] = [
    \.p0, \.p1, \.p2, \.p3, \.p4, \.p5, \.p6, \.p7, \.p8, \.p9,
    \.p10, \.p11, \.p12, \.p13, \.p14, \.p15, \.p16, \.p17, \.p18, \.p19,
    \.p20, \.p21, \.p22, \.p23, \.p24, \.p25, \.p26, \.p27, \.p28, \.p29,
    \.p30, \.p31, \.p32, \.p33, \.p34, \.p35, \.p36, \.p37, \.p38, \.p39,
    \.p40, \.p41, \.p42, \.p43, \.p44, \.p45, \.p46, \.p47, \.p48, \.p49,
  ]
}

struct Items {
  var items: [Int] = []
  var count = 0
}

/// Provides the `MutatingStore` of a hook, to write without the cost of an action.
@MainActor final class Writing<State>: Hookable {
  enum Hook: CaseIterable { case only }
  private(set) var handle: MutatingStore<State, Never>?

  func subscription(for hook: Hook, store: MutatingStore<State, Never>) -> Subscription {
    handle = store
    return .empty
  }

  static func store(_ state: State) -> (Store<State, Never>, MutatingStore<State, Never>) {
    let hookable = Writing()
    let store = Store(state: state, hookable: hookable)
    guard let handle = hookable.handle else {
      fatalError("the store has not connected its hook")
    }
    return (store, handle)
  }
}

/// Uses a value, so that the compiler does not remove the code that made it.
@inline(__always) func blackHole<T>(_ value: T) { withUnsafePointer(to: value) { look_at($0) } }
