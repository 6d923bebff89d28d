import Observation
import OpenCombine
import Signalbox

/// Measures `store.x += 1`, unobserved (B1) and with one observer (B2).
@MainActor enum Mutation {
  static let comparisons = [
    Comparison("B1", "x += 1, unobserved") {
      let box = Box()
      let observable = Counter()
      let subject = CurrentValueSubject<Items, Never>(Items())
      return Sides(
        Subject("store", unobserved),
        beside: [
          Subject("a struct's field") { count in
            for _ in 0..<count { increment(&box.items.count) }
          }.unlimited,
          Subject("@Observable") { count in
            for _ in 0..<count { observable.count += 1 }
          }.unlimited,
          Subject("OpenCombine CurrentValueSubject") { count in
            for _ in 0..<count { subject.value.count += 1 }
          }.unlimited,
        ])
    },
    Comparison("B2", "x += 1, one observer") {
      let closure = Closure { blackHole($0) }
      let observable = Counter()
      let peer = ObservedSubject(Items())
      peer.observe(\.count)
      return Sides(
        Subject("store", observed),
        beside: [
          Subject("a closure called by hand") { count in
            for _ in 0..<count { closure.count += 1 }
          }.unlimited,
          Subject("@Observable, tracked anew each time") { count in
            for _ in 0..<count {
              withObservationTracking {
                blackHole(observable.count)
              } onChange: {
                blackHole(())
              }
              observable.count += 1
            }
          }.atMost(1),
          Subject("OpenCombine map + removeDuplicates") { count in
            for _ in 0..<count { peer.subject.value.count += 1 }
          }.atMost(1),
        ])
    },
  ]

  static func unobserved(_ count: Int) {
    let (store, writing) = Writing.store(Items())
    for _ in 0..<count { writing.count += 1 }
    blackHole(store)
  }

  static func observed(_ count: Int) {
    let (store, writing) = Writing.store(Items())
    let subscription = store.publisher.count.sink { blackHole($0) }
    for _ in 0..<count { writing.count += 1 }
    blackHole((store, subscription))
  }

  private final class Box { var items = Items() }

  @inline(never) private static func increment(_ number: inout Int) { number += 1 }

  private final class Closure {
    var count = 0 { didSet { receive(count) } }
    let receive: (Int) -> Void
    init(_ receive: @escaping (Int) -> Void) { self.receive = receive }
  }
}

@Observable private final class Counter { var count = 0 }
