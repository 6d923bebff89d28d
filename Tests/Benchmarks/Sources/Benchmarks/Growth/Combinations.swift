import Signalbox

extension Growth {
  static let combinations = Curve(
    name: "combinations", title: "A property changes at the leaves of combineLatest",
    axis: "depth", sizes: [1, 2, 3, 4, 6, 8, 10, 16, 32, 64],
    series: [
      Curve.Series("a tree: two branches at each level", .ours, upTo: 10) { depth in
        changing { x, _ in
          var signal = x
          for _ in 0..<depth { signal = combineLatest(signal, signal).map { $0 &+ $1 } }
          return signal
        }
      },
      Curve.Series("a chain: one leaf more at each level", .ours) { depth in
        changing { x, y in
          var signal = x
          for _ in 0..<depth { signal = combineLatest(signal, y).map { $0 &+ $1 } }
          return signal
        }
      },
    ])

  private static func changing(
    _ combine: @MainActor (Signal<Int>, Signal<Int>) -> Signal<Int>
  ) -> @MainActor (Int) -> Void {
    let (store, writing) = Writing.store(Fifty())
    var outputs = 0
    let subscription = combine(store.publisher.p0.signal, store.publisher.p1.signal)
      .sink { _ in outputs += 1 }
    return { count in
      let before = outputs
      for _ in 0..<count { writing.p0 += 1 }
      // An output that mixes old and new values would be one more.
      guard outputs - before == count else {
        fatalError("\(count) commits have made \(outputs - before) outputs")
      }
      blackHole((store, subscription))
    }
  }
}
