import Signalbox

extension Growth {
  static let observers = Curve(
    name: "observers", title: "One of 50 observed properties changes", axis: "observers in all",
    sizes: [10, 30, 100, 300, 1_000, 3_000, 10_000],
    series: [
      Curve.Series("Signalbox, one observes it", .ours) { changing(own: 1, others: $0 - 1) },
      Curve.Series("Signalbox, all observe it", .ours) { changing(own: $0, others: 0) },
      Curve.Series("OpenCombine, in both cases", .peer) { size in
        let peer = ObservedSubject(Fifty())
        for number in 0..<size { peer.observe(Fifty.keyPaths[number % 50]) }
        return { count in
          for _ in 0..<count { peer.subject.value.p7 += 1 }
        }
      },
      Curve.Series("an array of closures", .floor) { size in
        let closures = Closures(size)
        return { count in
          for value in 0..<count { closures.call(value) }
        }
      },
    ])

  private static func changing(own: Int, others: Int) -> @MainActor (Int) -> Void {
    let (store, writing) = Writing.store(Fifty())
    var subscriptions: [Subscription] = []
    let otherPaths = Fifty.keyPaths.filter { $0 != \.p7 }
    for number in 0..<others {
      let path = otherPaths[number % otherPaths.count]
      subscriptions.append(store.publisher[dynamicMember: path].sink { blackHole($0) })
    }
    for _ in 0..<own { subscriptions.append(store.publisher.p7.sink { blackHole($0) }) }
    return { count in
      for _ in 0..<count { writing.p7 += 1 }
      blackHole((store, subscriptions))
    }
  }
}
