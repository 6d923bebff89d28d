import Signalbox

/// The two renderings of a diff, for tests that compare them.
protocol DiffReading {}

extension DiffReading {
  func tree(_ old: Any, _ new: Any, _ limits: Limits = .standard) -> String? {
    Diff(from: old, to: new, limits: limits)?.description
  }

  func paths(_ old: Any, _ new: Any, _ limits: Limits = .standard) -> [String]? {
    Diff(from: old, to: new, limits: limits)?.paths
  }
}
