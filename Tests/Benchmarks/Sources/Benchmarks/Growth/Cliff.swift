import Foundation

/// Work in pieces, each of which costs the same however many there are.
///
/// `Tests/Benchmarks/count` compares a piece among 1,000 and among 16,000.
@MainActor struct Cliff {
  /// Its name in `limits`.
  let name: String
  let title: String
  /// `nil`: as many as the size.
  private let fixedPieces: Int?
  /// Sets up for a size; the result does the work, once.
  let prepare: @MainActor (Int) async -> @MainActor () async -> Void

  init(
    _ name: String, _ title: String, pieces: Int? = nil,
    _ prepare: @escaping @MainActor (Int) async -> @MainActor () async -> Void
  ) {
    self.name = name
    self.title = title
    fixedPieces = pieces
    self.prepare = prepare
  }

  /// How many pieces the work has for a size.
  private func pieces(_ size: Int) -> Int { fixedPieces ?? size }

  static let all = Waits.cliffs + Cancels.cliffs + Remains.cliffs

  /// Prints a line for each: the name, and how many times as long a piece takes among many as among
  /// few, in time of the processor.
  static func report(few: Int, many: Int) async {
    for cliff in all {
      // What is done for the first time takes longer.
      _ = await cliff.time(10)
      var best = (few: Double.infinity, many: Double.infinity)
      // A busy machine disturbs a round or two, but not all; a cliff is there in each.
      for round in 0..<8 {
        if round > 1, best.many < 2 * best.few { break }
        for _ in 0..<3 { best.few = min(best.few, await cliff.time(few)) }
        best.many = min(best.many, await cliff.time(many))
      }
      let times = "\(Format.time(best.few)) among \(few), \(Format.time(best.many)) among \(many)"
      Benchmarks.progress("\(cliff.name): \(cliff.title): \(times)")
      print(cliff.name, Format.number(best.many / best.few))
    }
  }

  /// What one piece takes, by the processor.
  private func time(_ size: Int) async -> Double {
    let work = await prepare(size)
    let before = Self.processorTime()
    await work()
    let time = Self.processorTime() - before
    // What was cancelled returns now, and not in the next round.
    for _ in 0..<10 { await Task.yield() }
    return time / Double(pieces(size))
  }

  /// Of all threads.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The time of one piece, setup included.
  var series: Curve.Series {
    Curve.Series(title, .ours) { size in
      Subject(
        title,
        awaiting: { count in
          for _ in 0..<count { await prepare(size)() }
        }
      ).inPieces(pieces(size))
    }
  }
}
