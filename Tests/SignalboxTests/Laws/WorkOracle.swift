import Signalbox

/// What should be so of the work of a store, by the letter of A4, A6 and A7.
struct WorkOracle {
  enum Fate: Equatable {
    case running, queued
    /// Given up by its own caller, it runs on for those who joined.
    case abandoned
    case joined(Int)
    case ended, failed, cancelled
  }

  private(set) var fates: [Fate] = []
  private(set) var log: [String] = []
  /// The names of those that wait at their door in the service, current or not.
  private(set) var waiting: Set<Int> = []
  private var ids: [String?] = []

  var runningCount: Int { fates.indices.count { isAlive($0) } }
  func isRunning(_ id: String) -> Bool { !alive(id).isEmpty }

  private func alive(_ id: String) -> [Int] {
    fates.indices.filter { ids[$0] == id && isAlive($0) }
  }

  private func isAlive(_ number: Int) -> Bool { isRunning(number) || fates[number] == .queued }

  private func isRunning(_ number: Int) -> Bool {
    fates[number] == .running || fates[number] == .abandoned
  }

  mutating func dispatch(_ id: String?, _ overlap: Overlap) {
    let number = fates.count
    fates.append(.queued)
    ids.append(id)
    guard let id else { return begin(number) }
    let others = alive(id).filter { $0 != number }
    switch overlap {
    case .latest:
      cancel(others)
      begin(number)
    case .first: if others.isEmpty { begin(number) } else { fates[number] = .cancelled }
    case .queue: if others.isEmpty { begin(number) }
    case .join:
      if let leader = others.last(where: { isRunning($0) }) {
        fates[number] = .joined(leader)
      } else {
        begin(number)
      }
    case .concurrent: begin(number)
    }
  }

  mutating func cancel(_ id: String) { cancel(alive(id)) }

  mutating func cancelAll() {
    cancel(fates.indices.filter { isAlive($0) })
  }

  mutating func cancelHandle(_ number: Int) {
    switch fates[number] {
    case .joined(let leader):
      fates[number] = .cancelled
      guard fates[leader] == .abandoned, !hasFollowers(leader) else { return }
      cancel([leader])
      startNext(ids[leader])
    case .running where hasFollowers(number):
      fates[number] = .abandoned
    case .running, .queued:
      cancel([number])
      startNext(ids[number])
    case .abandoned, .ended, .failed, .cancelled: break
    }
  }

  /// The service answers; whether the body that it answers is current.
  mutating func answer(_ number: Int, fails: Bool) -> Bool {
    waiting.remove(number)
    guard isRunning(number) else { return false }
    let wasAbandoned = fates[number] == .abandoned
    log.append("\(number)\(fails ? "!" : "-")")
    fates[number] = fails ? .failed : .ended
    follow(number)
    if wasAbandoned { fates[number] = .cancelled }
    startNext(ids[number])
    return true
  }

  private mutating func begin(_ number: Int) {
    fates[number] = .running
    log.append("\(number)+")
    waiting.insert(number)
  }

  private mutating func cancel(_ numbers: [Int]) {
    for number in numbers {
      fates[number] = .cancelled
      follow(number)
    }
  }

  private func hasFollowers(_ leader: Int) -> Bool { fates.contains(.joined(leader)) }

  private mutating func follow(_ leader: Int) {
    for number in fates.indices where fates[number] == .joined(leader) {
      fates[number] = fates[leader]
    }
  }

  private mutating func startNext(_ id: String?) {
    guard let id else { return }
    let others = alive(id)
    if others.contains(where: { isRunning($0) }) { return }
    if let next = others.first { begin(next) }
  }
}
