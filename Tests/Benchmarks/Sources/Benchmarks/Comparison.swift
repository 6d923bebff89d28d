import Foundation

/// Two subjects timed in turns in one process, so that what disturbs one disturbs the other.
@MainActor struct Comparison {
  let name: String
  let budget: String
  let subject: (String, @MainActor () -> Void)
  let reference: (String, @MainActor () -> Void)
  var rounds = 41

  func run() {
    var ratios: [Double] = []
    var times: [Duration] = []
    for round in 0..<rounds {
      // Who goes first changes each time.
      let (a, b) =
        round.isMultiple(of: 2)
        ? (time(subject.1), time(reference.1))
        : {
          let b = time(reference.1)
          return (time(subject.1), b)
        }()
      ratios.append(a / b)
      times.append(a)
    }
    ratios.sort()
    times.sort()
    let median = ratios[rounds / 2]
    let spread = ratios[rounds * 3 / 4] - ratios[rounds / 4]
    print(
      name, "·", subject.0, times[rounds / 2], "· ratio to \(reference.0):",
      String(format: "%.3f ± %.3f", median, spread), "· budget:", budget)
  }

  private func time(_ body: @MainActor () -> Void) -> Duration {
    let start = ContinuousClock.now
    body()
    return start.duration(to: .now)
  }
}
