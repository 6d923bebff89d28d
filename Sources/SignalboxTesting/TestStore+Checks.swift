import Signalbox

extension TestStore {
  /// Compares the change that an assertion expects with the actual change.
  ///
  /// - Parameters:
  ///   - change: makes the expected changes. `nil` expects none, which only an exhaustive store
  ///     checks.
  ///   - before: the state before the change.
  ///   - actual: the state after the change.
  ///   - updates: the number of state updates until `actual`. `nil` means all updates.
  ///   - subject: the name of the assertion in the failure.
  ///   - place: the source location of the failure.
  func check(
    _ change: ((inout State) -> Void)?, from before: State, to actual: State,
    after updates: Int? = nil, _ subject: @autoclosure () -> String,
    at place: CallSite
  ) {
    let updates = updates ?? recorder.updates
    // An assertion about an older action does not take back a later one.
    if updates >= reporter.assertedUpdates {
      (reporter.asserted, reporter.assertedUpdates) = (actual, updates)
    }
    guard change != nil || isExhaustive else { return }
    let objects = change == nil ? nil : ObjectSnapshot(of: before)
    var wanted = before
    change?(&wanted)
    if let type = objects?.changedType {
      return failBecauseChanged(type, subject(), at: place)
    }
    let live = change == nil ? nil : ObjectSnapshot(of: actual)
    let found =
      isExhaustive
      ? SourceChanges(from: wanted, to: actual)
      : SourceChanges.unmet(
        from: before, to: wanted, again: again(change, from: before, to: wanted, in: actual),
        in: actual)
    if let type = live?.changedType { return failBecauseChanged(type, subject(), at: place) }
    guard !found.all.isEmpty else { return }
    let headline =
      if before == wanted, isExhaustive {
        "\(subject()): changed although nothing was expected."
      } else if before == actual {
        "\(subject()): nothing changed."
      } else {
        "\(subject()): the state is not as expected."
      }
    let lines = found.all.map {
      before == wanted && isExhaustive ? $0.line(naming: $0.name) : Self.expectation($0)
    }
    fail(
      headline, lines, more: found.more,
      instead: SourceChanges(from: before, to: actual).all.compactMap(\.statement),
      at: place)
  }

  private func failBecauseChanged(_ type: String, _ subject: String, at place: CallSite) {
    fail(
      """
      \(subject): the closure changes an object (\(type)) that the states before and after share, \
      so it proves nothing. Read the object and compare its properties with #expect.
      """, at: place)
  }

  /// What the closure of an assertion makes of the state after the change.
  ///
  /// Where this agrees with what the closure makes of the state before, the closure has written the
  /// value, whatever was there (T8). `nil` if the state after is as expected anyway, or if the
  /// closure might trap there, such as with an index into a list that has become shorter.
  private func again(
    _ change: ((inout State) -> Void)?, from before: State, to wanted: State, in actual: State
  ) -> State? {
    guard let change, wanted != actual,
      SourceChanges.mayRunAgain(on: actual, after: before, wanting: wanted)
    else { return nil }
    var again = actual
    change(&again)
    return again
  }

  /// The line about a change from the expected to the actual state.
  private static func expectation(_ change: PathChange) -> String {
    switch change.kind {
    case .replaced(let expected, let actual):
      "\(change.name): expected \(expected), is \(actual)"
    case .removed(let expected): "\(change.name): expected \(expected), is missing"
    case .inserted(let actual): "\(change.name): unexpected \(actual)"
    case .other(""): "\(change.name): not as expected"
    case .other(let text): "\(change.name): \(text)"
    }
  }

  /// Prefixes a text with the name of this store, if it has one.
  func named(_ text: String) -> String { reporter.named(text) }

  func fail(
    _ headline: String, _ differences: [String] = [], more: Int = 0, instead: [String] = [],
    at place: CallSite
  ) {
    reporter.fail(headline, differences, more: more, instead: instead, at: place)
  }
}
