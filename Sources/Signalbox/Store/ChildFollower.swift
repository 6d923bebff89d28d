/// Follows the work of a child for its parent's follower, with the child's path in its name.
final class ChildFollower: StoreFollower {
  private let parent: any StoreFollower
  private let log: any ParentLog

  init(_ parent: any StoreFollower, of log: any ParentLog) {
    self.parent = parent
    self.log = log
  }

  private var path: String { log.path ?? "" }

  func willStart(_ name: String, event: Int?) -> any FollowedWork {
    parent.willStart("\(path): \(name)", event: event)
  }

  func willWait(
    for event: Int?, orGiveUp giveUp: (@MainActor () -> Void)?
  ) -> @MainActor () -> Void {
    parent.willWait(for: event, orGiveUp: giveUp)
  }

  func willWaitForValue(orGiveUp giveUp: @escaping @MainActor () -> Void)
    -> (@MainActor () -> Void)?
  {
    parent.willWaitForValue(orGiveUp: giveUp)
  }

  func willListen() -> @MainActor () -> Void { parent.willListen() }

  func willHold(
    for interval: Duration, on clock: any Clock<Duration>, hook: String
  ) -> @MainActor () -> Void {
    parent.willHold(for: interval, on: clock, hook: "\(path): \(hook)")
  }

  func willIterate(_ hook: String) -> any FollowedWork {
    parent.willIterate("\(path): \(hook)")
  }

  func hookIsOver(_ name: String) { parent.hookIsOver("\(path): \(name)") }
}
