import Signalbox

extension Growth {
  static let subscribers = Curve(
    name: "subscribers", title: "A value is sent", axis: "subscribers",
    sizes: [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000],
    series: [
      Curve.Series("Signalbox Emitter", .ours) { size in
        let emitter = Emitter<Int>()
        let subscriptions = (0..<size).map { _ in emitter.sink { blackHole($0) } }
        return { count in
          for value in 0..<count { emitter.send(value) }
          blackHole(subscriptions)
        }
      },
      Curve.Series("OpenCombine PassthroughSubject", .peer) { size in
        let peer = SubscribedSubject(subscribers: size)
        return { count in
          for value in 0..<count { peer.send(value) }
        }
      },
      Curve.Series("an array of closures", .floor) { size in
        let closures = Closures(size)
        return { count in
          for value in 0..<count { closures.call(value) }
        }
      },
    ])

  static let subscriptions = Curve(
    name: "subscriptions", title: "One more subscriber subscribes and cancels",
    axis: "subscribers already there", sizes: [1, 10, 100, 1_000, 10_000],
    series: [
      Curve.Series("Signalbox Emitter", .ours) { size in
        let emitter = Emitter<Int>()
        let subscriptions = (0..<size).map { _ in emitter.sink { blackHole($0) } }
        return { count in
          for _ in 0..<count { emitter.sink { blackHole($0) }.cancel() }
          blackHole(subscriptions)
        }
      },
      Curve.Series("Signalbox store.publisher.x", .ours) { size in
        let (store, _) = Writing.store(Fifty())
        let subscriptions = (0..<size).map { number in
          store.publisher[dynamicMember: Fifty.keyPaths[number % 50]].sink { blackHole($0) }
        }
        return { count in
          for _ in 0..<count { store.publisher.p7.sink { blackHole($0) }.cancel() }
          blackHole(subscriptions)
        }
      },
      Curve.Series("OpenCombine PassthroughSubject", .peer) { size in
        let peer = SubscribedSubject(subscribers: size)
        return { count in
          for _ in 0..<count { peer.subscribeAndCancel() }
        }
      },
    ])
}
