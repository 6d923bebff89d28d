import Signalbox
import SignalboxInspection

extension TestStore {
  /// Expects one error that was not handled since the last assertion.
  ///
  ///     await store.dispatch(.load)
  ///     store.expectError { $0 is Offline }
  ///
  /// Without this call, the error fails the test at the line of the call that led to it (T8).
  ///
  /// - `isExpected`: whether an error is the expected one.
  public func expectError(
    _ isExpected: (any Error) -> Bool = { _ in true }, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let mishaps = recorder.mishaps
    if let index = mishaps.firstIndex(where: { $0.error.map(isExpected) ?? false }) {
      recorder.mishaps.remove(at: index)
    } else {
      let others = mishaps.compactMap(\.error).map { SourceFormatter.text(of: $0) }
      let remark =
        others.isEmpty
        ? "no unhandled error since the last assertion"
        : "these were not handled: \(listed(others))"
      fail("expectError: \(remark).", at: site)
    }
  }

  /// Expects that cancelled work has tried something since the last call, which was dropped (A6).
  ///
  /// Only an exhaustive store demands this call.
  ///
  /// - `count`: the number of attempts.
  public func expectDropped(
    _ count: Int = 1, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let found = recorder.dropped.count
    recorder.dropped = []
    if found != count {
      fail("expectDropped: expected \(count) dropped attempts, found \(found).", at: site)
    }
  }

  /// Begins an assertion, which closes what came before it.
  func begin(at site: CallSite) {
    reporter.reportMishaps()
    scope.willCall(from: site)
  }

  // An assignment does not know its line, so the failure is at the call before it.
  func willArrange<T>(_ keyPath: KeyPath<State, T>, isStored: Bool) {
    guard isExhaustive else { return }
    let changes =
      isStored
      ? SourceChanges(
        from: reporter.asserted[keyPath: keyPath] as Any,
        to: store.instruments.state[keyPath: keyPath] as Any)
      : SourceChanges(from: reporter.asserted, to: store.instruments.state)
    guard !changes.all.isEmpty else { return }
    reporter.fail(
      """
      After this call, the test writes a part of the state that has changed and was not asserted.
      """, SourceChanges(from: reporter.asserted, to: store.instruments.state),
      at: recorder.ledger.site)
  }
}
