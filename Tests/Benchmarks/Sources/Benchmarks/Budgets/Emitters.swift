import AsyncAlgorithms
import Signalbox

/// Measures a value that passes through operators (B6).
@MainActor enum Emitters {
  static let comparisons = [chain, merged, combined]

  private static var chain: Comparison {
    Comparison("B6", "source → map → filter → sink") {
      let emitter = Emitter<Int>()
      let subscription = emitter.map { $0 * 2 }.filter { $0 % 3 != 0 }.sink { blackHole($0) }
      let peer = SubscribedSubject()
      let bare: @MainActor (Int) -> Void = { value in
        let doubled = value * 2
        if doubled % 3 != 0 { blackHole(doubled) }
      }
      return Sides(
        Subject("Emitter") { count in
          for value in 0..<count { emitter.send(value) }
          blackHole(subscription)
        }, limits: [.allocations(0)],
        beside: [
          Subject("OpenCombine PassthroughSubject") { count in
            for value in 0..<count { peer.send(value) }
          }.atMost(1),
          Subject("AsyncStream", awaiting: { await streamed($0) }).atMost(1),
          Subject("AsyncStream, off the main actor", awaiting: { await streamedElsewhere($0) })
            .unlimited,
          Subject("a closure") { count in
            for value in 0..<count { bare(value) }
          }.unlimited,
        ])
    }
  }

  static func chained(_ count: Int) {
    let emitter = Emitter<Int>()
    let subscription = emitter.map { $0 * 2 }.filter { $0 % 3 != 0 }.sink { blackHole($0) }
    for value in 0..<count { emitter.send(value) }
    blackHole(subscription)
  }

  private static func streamed(_ count: Int) async {
    let (stream, source) = AsyncStream.makeStream(of: Int.self)
    for value in 0..<count { source.yield(value) }
    source.finish()
    for await value in stream.map({ $0 * 2 }).filter({ $0 % 3 != 0 }) { blackHole(value) }
  }

  @concurrent nonisolated private static func streamedElsewhere(_ count: Int) async {
    let (stream, source) = AsyncStream.makeStream(of: Int.self)
    for value in 0..<count { source.yield(value) }
    source.finish()
    for await value in stream.map({ $0 * 2 }).filter({ $0 % 3 != 0 }) { blackHole(value) }
  }

  private static let merged = Comparison("B6", "merge of two sources") {
    let (a, b) = (Emitter<Int>(), Emitter<Int>())
    let subscription = a.merge(with: b).sink { blackHole($0) }
    return Sides(
      Subject("Emitter") { count in
        for value in 0..<count { (value.isMultiple(of: 2) ? a : b).send(value) }
        blackHole(subscription)
      }, limits: [.allocations(0)],
      beside: [
        Subject(
          "AsyncAlgorithms",
          awaiting: { count in
            let (a, b) = twoStreams(count)
            for await value in merge(a, b) { blackHole(value) }
          }
        ).atMost(1)
      ])
  }

  private static let combined = Comparison("B6", "combineLatest of two sources") {
    let (a, b) = (Emitter<Int>(), Emitter<Int>())
    let subscription = Signalbox.combineLatest(a, b).sink { blackHole($0) }
    return Sides(
      Subject("Emitter") { count in
        for value in 0..<count { (value.isMultiple(of: 2) ? a : b).send(value) }
        blackHole(subscription)
      },
      beside: [
        Subject(
          "AsyncAlgorithms",
          awaiting: { count in
            let (a, b) = twoStreams(count)
            for await value in AsyncAlgorithms.combineLatest(a, b) { blackHole(value) }
          }
        ).atMost(1)
      ])
  }

  /// Two finished streams, which contain `count` values together.
  private static func twoStreams(_ count: Int) -> (AsyncStream<Int>, AsyncStream<Int>) {
    let (a, first) = AsyncStream.makeStream(of: Int.self)
    let (b, second) = AsyncStream.makeStream(of: Int.self)
    for value in 0..<count { (value.isMultiple(of: 2) ? first : second).yield(value) }
    first.finish()
    second.finish()
    return (a, b)
  }
}
