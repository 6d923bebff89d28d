import Foundation
import Instruments

/// The time and the allocations that a subject takes for each repetition.
struct Measurement {
  /// The elapsed time and the processor time of one round, in nanoseconds.
  struct Time {
    let wall: Double
    let processor: Double
  }

  let rounds: [Time]
  /// Whether the work stays on one thread.
  ///
  /// Then its processor time is measured, which a busy machine disturbs less than elapsed time.
  let isSynchronous: Bool
  /// The number of allocations for each repetition.
  ///
  /// `nil` where they cannot be counted.
  var allocations: Double?
  /// The number of allocations that were not released.
  var remains: Double?

  private var times: [Double] { rounds.map { isSynchronous ? $0.processor : $0.wall } }
  var time: Double { Quartiles(times).median }
  /// The time of the least disturbed round.
  var best: Double { times.min() ?? .infinity }

  /// The ratio of this time to another one.
  func ratio(to other: Measurement) -> Quartiles {
    let areSynchronous = isSynchronous && other.isSynchronous
    return Quartiles(
      zip(rounds, other.rounds).map { ours, theirs in
        areSynchronous ? ours.processor / theirs.processor : ours.wall / theirs.wall
      })
  }
}

/// Measures subjects in turns in one process, so that a disturbance affects all of them.
@MainActor struct Rounds {
  /// How long one subject runs in one round, in nanoseconds, unless one repetition takes longer.
  private static let turn = 4e6

  /// Measures subjects in several rounds.
  ///
  /// - Parameters:
  ///   - subjects: the subjects.
  ///   - patience: the time of all rounds together, in nanoseconds. There are at least three
  ///     rounds.
  static func measure(_ subjects: [Subject], patience: Double = 2.5e9) async -> [Measurement] {
    var counts: [Int] = []
    var times = [[Measurement.Time]](repeating: [], count: subjects.count)
    var roundTime = 0.0
    for subject in subjects {
      let (count, time) = await calibrate(subject)
      counts.append(count)
      roundTime += time * Double(count)
    }
    // Disturbances matter less for work that takes seconds, so fewer rounds suffice.
    let least = roundTime > 5e9 ? 3 : 5
    let rounds = min(41, max(least, Int(patience / roundTime)))
    for round in 0..<rounds {
      // The order of the subjects changes in each round.
      let order = subjects.indices.map { ($0 + round / 2) % subjects.count }
      for index in round.isMultiple(of: 2) ? order : order.reversed() {
        times[index].append(await time(subjects[index], counts[index]))
      }
    }
    var measurements: [Measurement] = []
    for (index, subject) in subjects.enumerated() {
      var measurement = Measurement(rounds: times[index], isSynchronous: subject.isSynchronous)
      if subject.isSynchronous { await count(subject, counts[index], &measurement) }
      measurements.append(measurement)
    }
    return measurements
  }

  /// The number of repetitions in one turn, and the time of one.
  private static func calibrate(_ subject: Subject) async -> (count: Int, time: Double) {
    // Warms up, because the first run takes longer.
    let first = await time(subject, 1).wall
    if first > turn * 100 { return (1, first) }
    var count = 1
    while true {
      let time = await time(subject, count).wall
      if time * Double(count) > turn / 4 { return (max(1, Int(turn / time)), time) }
      count *= 2
    }
  }

  /// The time of one repetition.
  private static func time(_ subject: Subject, _ count: Int) async -> Measurement.Time {
    subject.begin()
    defer { subject.end() }
    let before = processorTime()
    let start = ContinuousClock.now
    await subject.run(count)
    let wall = start.duration(to: .now) / .nanoseconds(1)
    let processor = processorTime() - before
    return Measurement.Time(wall: wall / Double(count), processor: processor / Double(count))
  }

  /// The processor time of this thread, in nanoseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private static func count(_ subject: Subject, _ count: Int, _ measurement: inout Measurement)
    async
  {
    guard allocations_are_counted() else { return }
    subject.begin()
    defer { subject.end() }
    let made = allocations_made()
    let released = allocations_released()
    await subject.run(count)
    let newlyMade = allocations_made() - made
    measurement.allocations = Double(newlyMade) / Double(count)
    measurement.remains = Double(newlyMade - (allocations_released() - released))
  }
}

/// The quartiles of some numbers.
struct Quartiles {
  let low: Double
  let median: Double
  let high: Double

  init(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    low = sorted[sorted.count / 4]
    median = sorted[sorted.count / 2]
    high = sorted[sorted.count * 3 / 4]
  }
}
