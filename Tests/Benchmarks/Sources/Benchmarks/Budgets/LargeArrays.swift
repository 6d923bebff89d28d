import Signalbox

/// Measures in-place changes of small and large arrays (B5).
@MainActor enum LargeArrays {
  static let comparisons = [
    Comparison("B5", "append to an observed array, and remove again") {
      let peer = ObservedSubject(Items(items: Array(0..<100_000)))
      peer.observe(\.items.count)
      let bare = Bare()
      return Sides(
        Subject("of 100,000", appending(to: 100_000)),
        beside: [
          Subject("of 10", appending(to: 10)).atMost(3),
          Subject("OpenCombine, of 100,000") { count in
            for value in 0..<count {
              peer.subject.value.items.append(value)
              peer.subject.value.items.removeLast()
            }
          }.atMost(1),
          Subject("a bare array of 100,000") { count in
            for value in 0..<count { bare.appendAndRemove(value) }
          }.unlimited,
        ])
    }
  ]

  private static func appending(to size: Int) -> @MainActor (Int) -> Void {
    let (store, writing) = Writing.store(Items(items: Array(0..<size)))
    let subscription = store.publisher.items.sink { blackHole($0.count) }
    return { count in
      for value in 0..<count {
        writing.items.append(value)
        writing.items.removeLast()
      }
      blackHole((store, subscription))
    }
  }

  private final class Bare {
    var items = Array(0..<100_000)

    @inline(never) func appendAndRemove(_ value: Int) {
      items.append(value)
      items.removeLast()
    }
  }
}
