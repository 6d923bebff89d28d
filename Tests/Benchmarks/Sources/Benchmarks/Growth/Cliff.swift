import Foundation

/// Work that consists of pieces.
///
/// The cost of a piece must not grow with the number of pieces. `Tests/Benchmarks/count` compares a
/// piece among 1,000 and among 16,000.
@MainActor struct Cliff {
  /// The name in `limits`.
  let name: String
  let title: String
  /// The number of pieces.
  ///
  /// `nil` means that it is the size.
  private let fixedPieces: Int?
  /// Sets up for a size.
  ///
  /// The result does the work once.
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

  /// The number of pieces of the work for a size.
  private func pieces(_ size: Int) -> Int { fixedPieces ?? size }

  static let all =
    Waits.cliffs + Cancels.cliffs + Remains.cliffs + Bursts.cliffs + Recordings.cliffs

  /// Prints a line for each cliff, with its name and a ratio.
  ///
  /// The ratio compares the processor time of a piece among many with that of a piece among few.
  static func report(few: Int, many: Int) async {
    for cliff in all {
      // Warms up, because the first run takes longer.
      _ = await cliff.time(10)
      var best = (few: Double.infinity, many: Double.infinity)
      // A busy machine disturbs some of the rounds. A real cliff shows in all of them.
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

  /// The processor time of one piece, in nanoseconds.
  private func time(_ size: Int) async -> Double {
    let work = await prepare(size)
    let before = Self.processorTime()
    await work()
    let time = Self.processorTime() - before
    // Lets cancelled work return now instead of in the next round.
    for _ in 0..<10 { await Task.yield() }
    return time / Double(pieces(size))
  }

  /// The processor time of all threads, in nanoseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The time of one piece, including the setup.
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
