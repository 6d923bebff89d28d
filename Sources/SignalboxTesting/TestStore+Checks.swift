import Signalbox
import SignalboxInspection

extension TestStore {
  typealias StateChange = (inout State) -> Void

  // `exact` makes of the state before the state after, and `partial` makes some of the changes.
  // Without both, no state is asserted. `updates` counts until `actual`; `nil` means all of them.
  func check(
    _ exact: StateChange?, including partial: StateChange? = nil, from before: State,
    to actual: State, after updates: Int? = nil, _ subject: @autoclosure () -> String,
    at site: CallSite
  ) {
    let updates = updates ?? recorder.updates
    guard let change = exact ?? partial else {
      if !isExhaustive { reporter.pass(to: actual, updates) }
      return
    }
    if exact != nil, partial != nil {
      fail("\(subject()): takes one closure, expecting: or including:.", at: site)
    }
    let objects = ObjectSnapshot(of: before)
    var wanted = before
    change(&wanted)
    if let type = objects?.changedType {
      reporter.advance(to: actual, updates, asserting: actual)
      return fail(
        """
        \(subject()): the closure changes an object (\(type)) that the states before and after share, \
        so it proves nothing. Read the object and compare its properties with #expect.
        """, at: site)
    }
    let found =
      exact == nil
      ? SourceChanges.missing(from: before, to: wanted, in: actual)
      : SourceChanges(from: wanted, to: actual)
    let holds = found.all.isEmpty && found.more == 0
    let isPartial = isExhaustive && exact == nil && holds
    reporter.advance(to: actual, updates, asserting: isPartial ? wanted : actual)
    if holds { return }
    let isUnexpected = before == wanted
    let headline =
      if isUnexpected {
        "\(subject()): changed although nothing was expected."
      } else if before == actual {
        "\(subject()): nothing changed." + adviceToSettle
      } else if SourceChanges.missing(from: before, to: wanted, in: actual).all.isEmpty {
        """
        \(subject()): more has changed than what the closure changes. The label including: asserts \
        only that.
        """
      } else {
        "\(subject()): the state is not as expected."
      }
    fail(
      headline,
      found.all.compactMap { isUnexpected ? $0.line(naming: $0.name) : Self.expectation($0) },
      more: found.more, instead: SourceChanges(from: before, to: actual).statements, at: site)
  }

  /// How to wait for a change that a stream or running work may still make.
  private var adviceToSettle: String {
    if store.eventLog.life.end != nil { return " The child is gone." }
    let isWaited = tracker.inFlight.isQuiet() && tracker.sequences.isEmpty
    return isWaited
      ? ""
      : " If the change comes from a stream or from running work, call `await store.settle()` before."
  }

  func check(
    _ exact: StateChange?, including partial: StateChange?,
    between before: (state: State, updates: Int), and after: (state: State, updates: Int),
    _ subject: @autoclosure () -> String, at site: CallSite
  ) {
    let (start, end) = reporter.compared(before, after)
    check(
      exact, including: partial, from: start, to: end.state, after: end.updates, subject(),
      at: site)
  }

  /// A line about a difference; `nil` if the lines about the elements around it say the same.
  private static func expectation(_ change: PathChange) -> String? {
    switch change.kind {
    case .moved(_, let from, let to) where from == to: nil
    case .replaced(let expected, let actual):
      "\(change.name): expected \(expected), is \(actual)"
    case .removed(let expected): "\(change.name): expected \(expected), is missing"
    case .inserted(let actual): "\(change.name): unexpected \(actual)"
    case .moved("", let from, let to): "\(change.name): expected at [\(from)], is at [\(to)]"
    case .moved(let element, let from, let to):
      "\(change.name): expected \(element) at [\(from)], is at [\(to)]"
    case .other(""): "\(change.name): not as expected"
    case .other(let text): "\(change.name): \(text)"
    }
  }

  func named(_ text: String) -> String { reporter.named(text) }

  func fail(
    _ headline: String, _ differences: [String] = [], more: Int = 0, instead: [String] = [],
    at site: CallSite
  ) {
    reporter.fail(headline, differences, more: more, instead: instead, at: site)
  }
}
