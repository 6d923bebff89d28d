import Signalbox

/// Measures a change among observers of other properties, which must cost nothing (B3).
@MainActor enum Observing {
  static let comparisons = [
    Comparison("B3", "one of 50 properties changes") {
      let peer = ObservedSubject(Fifty())
      for _ in 0..<200 {
        for keyPath in Fifty.keyPaths { peer.observe(keyPath) }
      }
      return Sides(
        Subject("10,000 observers", changing(Fifty.keyPaths[...], observers: 200)),
        beside: [
          Subject("its 200 alone", changing(Fifty.keyPaths[7...7], observers: 200)).atMost(1.2),
          Subject("OpenCombine map + removeDuplicates") { count in
            for _ in 0..<count { peer.subject.value.p7 += 1 }
          }.atMost(1),
        ])
    }
  ]

  /// Changes the seventh property.
  ///
  /// Each of the key paths has that many observers.
  static func changing(_ keyPaths: ArraySlice<WritableKeyPath<Fifty, Int>>, observers: Int)
    -> @MainActor (Int) -> Void
  {
    let (store, writing) = Writing.store(Fifty())
    var subscriptions: [Subscription] = []
    for _ in 0..<observers {
      for keyPath in keyPaths {
        subscriptions.append(store.publisher[dynamicMember: keyPath].sink { blackHole($0) })
      }
    }
    return { count in
      for _ in 0..<count { writing.p7 += 1 }
      blackHole((store, subscriptions))
    }
  }

  /// Changes a property with one observer among the observers of the others, for callgrind.
  static func amongMany(_ count: Int) {
    let others = Fifty.keyPaths.filter { $0 != \.p7 }
    let (store, writing) = Writing.store(Fifty())
    var subscriptions: [Subscription] = []
    for _ in 0..<20 {
      for keyPath in others {
        subscriptions.append(store.publisher[dynamicMember: keyPath].sink { blackHole($0) })
      }
    }
    subscriptions.append(store.publisher.p7.sink { blackHole($0) })
    for _ in 0..<count { writing.p7 += 1 }
    blackHole((store, subscriptions))
  }

  /// Notifies `count` observers, a thousand with each change.
  static func oneMore(_ count: Int) {
    let (store, writing) = Writing.store(Items())
    var subscriptions: [Subscription] = []
    for _ in 0..<1_000 { subscriptions.append(store.publisher.count.sink { blackHole($0) }) }
    for _ in 0..<count / 1_000 { writing.count += 1 }
    blackHole((store, subscriptions))
  }
}
