import Foundation
import Instruments

/// What a subject takes each time.
struct Measurement {
  /// Nanoseconds of one round: by the clock, and of the processor.
  struct Time {
    let wall: Double
    let processor: Double
  }

  let rounds: [Time]
  /// Whether all is done by one thread, so that its processor's time is the whole: a busy machine
  /// disturbs that less.
  let isSynchronous: Bool
  /// `nil` where they cannot be counted.
  var allocations: Double?
  /// What was allocated and not released.
  var remains: Double?

  private var times: [Double] { rounds.map { isSynchronous ? $0.processor : $0.wall } }
  var time: Double { Quartiles(times).median }
  /// With as little disturbance as there was.
  var best: Double { times.min() ?? .infinity }

  /// How many times as long as another one it takes.
  func ratio(to other: Measurement) -> Quartiles {
    let areSynchronous = isSynchronous && other.isSynchronous
    return Quartiles(
      zip(rounds, other.rounds).map { ours, theirs in
        areSynchronous ? ours.processor / theirs.processor : ours.wall / theirs.wall
      })
  }
}

/// Subjects measured in turns in one process, so that what disturbs one disturbs the others.
@MainActor struct Rounds {
  /// How long one subject runs in one round, unless once takes longer.
  private static let turn = 4e6

  /// - Parameter patience: how long all rounds take together, in nanoseconds; there are some at least.
  static func measure(_ subjects: [Subject], patience: Double = 2.5e9) async -> [Measurement] {
    var counts: [Int] = []
    var times = [[Measurement.Time]](repeating: [], count: subjects.count)
    var roundTime = 0.0
    for subject in subjects {
      let (count, time) = await calibrate(subject)
      counts.append(count)
      roundTime += time * Double(count)
    }
    // Whoever takes seconds is not disturbed by much.
    let least = roundTime > 5e9 ? 3 : 5
    let rounds = min(41, max(least, Int(patience / roundTime)))
    for round in 0..<rounds {
      // Who comes after whom changes each time.
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

  /// How often it is done in one turn.
  private static func calibrate(_ subject: Subject) async -> (count: Int, time: Double) {
    // What is done for the first time takes longer.
    let first = await time(subject, 1).wall
    if first > turn * 100 { return (1, first) }
    var count = 1
    while true {
      let time = await time(subject, count).wall
      if time * Double(count) > turn / 4 { return (max(1, Int(turn / time)), time) }
      count *= 2
    }
  }

  /// What it takes each time.
  private static func time(_ subject: Subject, _ count: Int) async -> Measurement.Time {
    let before = processorTime()
    let start = ContinuousClock.now
    await subject.run(count)
    let wall = start.duration(to: .now) / .nanoseconds(1)
    let processor = processorTime() - before
    return Measurement.Time(wall: wall / Double(count), processor: processor / Double(count))
  }

  /// Of this thread.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private static func count(_ subject: Subject, _ count: Int, _ measurement: inout Measurement)
    async
  {
    guard allocations_are_counted() else { return }
    let made = allocations_made()
    let released = allocations_released()
    await subject.run(count)
    let newlyMade = allocations_made() - made
    measurement.allocations = Double(newlyMade) / Double(count)
    measurement.remains = Double(newlyMade - (allocations_released() - released))
  }
}

/// The middle of some numbers, and what half of them lie between.
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
