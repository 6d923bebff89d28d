/// What happens to new work, given the running and queued work of its name (A4).
enum Admission {
  case starts
  /// It starts, and the other work is cancelled.
  case supersedes
  case joins(Work)
  case waits
  /// It is ignored.
  case givesWay
}

extension Overlap {
  /// - Parameter lane: the work of the name; `nil` if there is none.
  @MainActor func admission(beside lane: WorkLane?) -> Admission {
    switch self {
    case .latest: .supersedes
    case .first: lane == nil ? .starts : .givesWay
    case .join: lane?.leader.map { .joins($0) } ?? .starts
    case .queue: lane == nil ? .starts : .waits
    case .concurrent: .starts
    }
  }
}
