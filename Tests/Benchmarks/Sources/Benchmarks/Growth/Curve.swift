import Foundation

/// How the cost of something grows with the size of something else.
@MainActor struct Curve {
  /// The name of its files.
  let name: String
  let title: String
  /// What grows.
  let axis: String
  let sizes: [Int]
  let series: [Series]

  struct Series {
    enum Kind { case ours, peer, floor }

    let name: String
    let kind: Kind
    /// `nil`: too much of it.
    let subject: @MainActor (Int) -> Subject?

    init(_ name: String, _ kind: Kind, _ subject: @escaping @MainActor (Int) -> Subject?) {
      self.name = name
      self.kind = kind
      self.subject = subject
    }

    /// One that sets up for a size, and then does its work any number of times.
    init(
      _ name: String, _ kind: Kind, upTo largest: Int = .max,
      _ work: @escaping @MainActor (Int) -> @MainActor (Int) -> Void
    ) {
      self.init(name, kind) { size in size > largest ? nil : Subject(name, work(size)) }
    }
  }

  /// What was measured: for each series the nanoseconds by size, of the best round.
  struct Measured {
    let curve: Curve
    let times: [[(size: Int, time: Double)]]
  }

  /// - Parameter passes: how often all sizes are measured; what disturbs one pass spares another.
  func measure(passes: Int = 3) async -> Measured {
    var best = [[Int: Double]](repeating: [:], count: series.count)
    for size in (0..<passes).flatMap({ _ in sizes }) {
      var subjects: [Subject] = []
      var places: [Int] = []
      for (place, series) in series.enumerated() {
        guard let subject = series.subject(size) else { continue }
        subjects.append(subject)
        places.append(place)
      }
      let measurements = await Rounds.measure(subjects, patience: 1e9 / Double(passes))
      for (subject, (place, measurement)) in zip(subjects, zip(places, measurements)) {
        best[place][size] = min(
          measurement.best / Double(subject.pieces), best[place][size] ?? .infinity)
      }
    }
    let times = best.map { best in
      sizes.compactMap { size in best[size].map { (size: size, time: $0) } }
    }
    return Measured(curve: self, times: times)
  }
}

extension Curve.Measured {
  @MainActor var table: String {
    let rows = curve.sizes.map { size in
      [Format.count(size)]
        + times.map { points in
          points.first { $0.size == size }.map { Format.time($0.time) } ?? ""
        }
    }
    return Table.markdown([curve.axis] + curve.series.map(\.name), rows)
  }
}
