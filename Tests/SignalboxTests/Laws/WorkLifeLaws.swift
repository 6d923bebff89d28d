import Testing

@testable import Signalbox

/// Takes every sequence of events through the life of a piece of work.
@Suite struct WorkLifeLaws {
  private enum Event: CaseIterable {
    case began, failed, returned, cancelled, callerLeft, leaderCancelled

    var event: WorkLife.Event {
      switch self {
      case .began: .began
      case .failed: .failed
      case .returned: .returned
      case .cancelled: .cancelled
      case .callerLeft: .callerLeft
      case .leaderCancelled: .leaderEnded(.cancelled)
      }
    }

    var isEnd: Bool {
      switch self {
      case .returned, .cancelled, .leaderCancelled: true
      case .began, .failed, .callerLeft: false
      }
    }
  }

  @Test("A2 A7 law: work begins once, fails once, ends once and answers its caller once")
  func everySequence() {
    var checked = 0
    func extend(_ life: WorkLife, _ history: [Event]) {
      guard history.count < 6 else { return }
      for event in Event.allCases {
        var next = life
        let answer = next.take(event.event)
        let events = history + [event]
        // Compared first, because an expectation for each of many thousand sequences is slow.
        if name(answer) != expectedAnswer(to: event, after: history)
          || name(next.end) != expectedEnd(events)
          || next.isOver != events.contains(where: \.isEnd)
        {
          Issue.record("after \(events): \(next), answered with \(answer)")
          return
        }
        checked += 1
        extend(next, events)
      }
    }
    extend(.waiting(.waits), [])
    #expect(checked == 6 + 36 + 216 + 1_296 + 7_776 + 46_656)
  }

  private func expectedAnswer(to event: Event, after history: [Event]) -> String {
    if history.contains(where: \.isEnd) { return "nothing" }
    let hasFailed = history.contains(.failed)
    let isRunning = history.contains(.began) && !hasFailed
    switch event {
    case .began: return isRunning || hasFailed ? "nothing" : "runBody"
    case .failed: return hasFailed ? "nothing" : "handleError"
    case .callerLeft: return history.contains(.callerLeft) ? "nothing" : "answerCaller"
    case .returned, .cancelled, .leaderCancelled: return "end, was running: \(isRunning)"
    }
  }

  /// How the work has ended for its own caller, which is decided by the first event that answers it.
  private func expectedEnd(_ history: [Event]) -> String {
    switch history.first(where: { $0.isEnd || $0 == .callerLeft }) {
    case .returned: "returned"
    case .cancelled, .callerLeft, .leaderCancelled: "cancelled"
    case .began, .failed, nil: "none"
    }
  }

  private func name(_ answer: WorkLife.Answer) -> String {
    switch answer {
    case .nothing: "nothing"
    case .runBody: "runBody"
    case .handleError: "handleError"
    case .answerCaller: "answerCaller"
    case .end(let wasRunning): "end, was running: \(wasRunning)"
    }
  }

  private func name(_ end: WorkLife.End?) -> String {
    switch end {
    case .returned: "returned"
    case .cancelled: "cancelled"
    case nil: "none"
    }
  }
}
