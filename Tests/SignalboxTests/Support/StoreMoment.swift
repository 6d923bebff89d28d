import Signalbox

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

extension ActionTask {
  /// The moment at which everything that the work has started has ended.
  ///
  /// When this returns, a moment that is already due has happened.
  func settling() async -> StoreMoment {
    let moment = StoreMoment()
    Task {
      await settled
      moment.happen()
    }
    await mainActorCatchesUp()
    return moment
  }
}
