import Foundation

/// A cost that is measured for several sizes, to show how it grows.
@MainActor struct Curve {
  /// The name of the files.
  let name: String
  let title: String
  /// The label of the size.
  let axis: String
  let sizes: [Int]
  let series: [Series]

  struct Series {
    enum Kind { case ours, peer, floor }

    let name: String
    let kind: Kind
    /// Makes the subject for a size.
    ///
    /// Returns `nil` if the size is too large to measure.
    let subject: @MainActor (Int) -> Subject?

    init(_ name: String, _ kind: Kind, _ subject: @escaping @MainActor (Int) -> Subject?) {
      self.name = name
      self.kind = kind
      self.subject = subject
    }

    /// Makes a series that sets up for a size and then repeats its work.
    init(
      _ name: String, _ kind: Kind, upTo largest: Int = .max,
      _ work: @escaping @MainActor (Int) -> @MainActor (Int) -> Void
    ) {
      self.init(name, kind) { size in size > largest ? nil : Subject(name, work(size)) }
    }
  }

  /// The results, which are the nanoseconds of the best round for each series and size.
  struct Measured {
    let curve: Curve
    let times: [[(size: Int, time: Double)]]
  }

  /// Measures all series.
  ///
  /// - Parameter passes: the number of times that all sizes are measured, because a disturbance
  ///   may affect one of them.
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
