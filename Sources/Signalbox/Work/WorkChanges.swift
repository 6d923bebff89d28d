/// The changes of a piece of work that are pending, which its end keeps or takes back (O2).
@MainActor protocol WorkChanges: AnyObject {
  func confirm()
  /// - Parameter event: the event with which the work ended; `nil` if it is not known.
  func takeBack(after event: Int?)
  /// Notes that the end has begun, so that no handle ends a change any more. All are still shown.
  func willEnd()
}

extension Work {
  final func endChanges(_ result: Result<Void, any Error>, after event: Int? = nil) {
    guard let changes = waiters?.changes.take() else { return }
    if case .success = result { changes.confirm() } else { changes.takeBack(after: event) }
  }

  /// Takes back the changes of cancelled work; those of superseded work later, like its marks.
  final func cancelChanges(_ reason: CancelReason, after event: Int?) -> [@MainActor () -> Void] {
    guard let changes = waiters?.changes.take() else { return [] }
    guard case .superseded = reason else {
      changes.takeBack(after: event)
      return []
    }
    changes.willEnd()
    return [{ changes.takeBack(after: event) }]
  }
}
