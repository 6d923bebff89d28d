import Foundation
import Instruments

/// What a subject takes each time.
struct Measurement {
  /// Nanoseconds, one for each round.
  let times: [Double]
  /// `nil` where they cannot be counted.
  var allocations: Double?
  /// What was allocated and not released.
  var remains: Double?

  var time: Double { Quartiles(times).median }
  /// With as little disturbance as there was.
  var best: Double { times.min() ?? .infinity }
}

/// Subjects measured in turns in one process, so that what disturbs one disturbs the others.
@MainActor struct Rounds {
  /// How long one subject runs in one round, unless once takes longer.
  private static let turn = 4e6

  /// - Parameter patience: how long all rounds take together, in nanoseconds; there are some at least.
  static func measure(_ subjects: [Subject], patience: Double = 2.5e9) async -> [Measurement] {
    var counts: [Int] = []
    var times = [[Double]](repeating: [], count: subjects.count)
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
        let time = await time(subjects[index], counts[index])
        times[index].append(time / Double(counts[index]))
      }
    }
    var measurements: [Measurement] = []
    for (index, subject) in subjects.enumerated() {
      var measurement = Measurement(times: times[index])
      if subject.isSynchronous { await count(subject, counts[index], &measurement) }
      measurements.append(measurement)
    }
    return measurements
  }

  /// How often it is done in one turn.
  private static func calibrate(_ subject: Subject) async -> (count: Int, time: Double) {
    // What is done for the first time takes longer.
    let first = await time(subject, 1)
    if first > turn * 100 { return (1, first) }
    var count = 1
    while true {
      let time = await time(subject, count)
      if time > turn / 4 {
        return (max(1, Int(Double(count) * turn / time)), time / Double(count))
      }
      count *= 2
    }
  }

  private static func time(_ subject: Subject, _ count: Int) async -> Double {
    let start = ContinuousClock.now
    await subject.run(count)
    return start.duration(to: .now) / .nanoseconds(1)
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
