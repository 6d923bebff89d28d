/// An event that happens once and can be awaited.
@MainActor final class StoreMoment {
  private(set) var hasHappened = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func happen() {
    hasHappened = true
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }

  var arrival: Void {
    get async {
      if hasHappened { return }
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}
