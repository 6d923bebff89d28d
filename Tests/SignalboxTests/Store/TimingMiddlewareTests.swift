import Signalbox
import Testing

/// Tests the two middlewares that come with the library.
@MainActor struct TimingMiddlewareTests {
  private let clock = SignalClock()
  private let gate = StoreGate()

  private var interactor: HandlingErrors<Desk, Job> {
    HandlingErrors(
      handle: { [clock, gate] job, store in
        clock.advance(by: .microseconds(1_260))
        if job.id != nil { try await gate.pass("\(job)") }
        if job.text == "throws" { throw Refusal(reason: "no") }
      }, recover: { error, job, store in store.log.append("\(job): \(error)") })
  }

  @Test("A11 timing reports how long each action took and how it ended")
  func timing() async {
    var lines: [String] = []
    let store = DeskStore(
      state: Desk(), actionable: interactor,
      middleware: TimingMiddleware(clock: clock) { action, duration, outcome in
        let end =
          switch outcome {
          case .finished: "finished"
          case .cancelled: "cancelled"
          case .failed(let error): "failed \(error)"
          }
        lines.append("\(action) \(duration / .microseconds(1)) \(end)")
      })
    store.send("a")
    store.send("throws")
    #expect(lines == ["a 1260.0 finished", "throws 1260.0 failed \(Refusal(reason: "no"))"])
    #expect(store.log == ["throws: \(Refusal(reason: "no"))"], "it passes the error on")
  }

  @Test("A11 A6 a cancelled action is reported as cancelled once its body has returned")
  func cancelled() async {
    let told = SignalLog<Void>()
    var lines: [String] = []
    let store = DeskStore(
      state: Desk(), actionable: interactor,
      middleware: LoggingMiddleware(clock: clock) {
        lines.append($0)
        told.add(())
      })
    store.send(Job("old", id: "x"))
    store.send(Job("throws", id: "x"))
    store.cancelAll()
    #expect(lines.isEmpty)
    gate.open("old")
    gate.open("throws")
    await told.reach(2)
    // "old" was running while "throws" took its time.
    #expect(lines.sorted() == ["old cancelled after 2.5 ms", "throws cancelled after 1.3 ms"])
  }

  @Test("A11 logging writes a line for each action, with its outcome and its duration")
  func logging() {
    var lines: [String] = []
    let store = DeskStore(
      state: Desk(), actionable: interactor,
      middleware: LoggingMiddleware(clock: clock) { lines.append($0) })
    store.send("a")
    store.send("throws")
    #expect(
      lines == ["a finished after 1.3 ms", "throws failed after 1.3 ms: Refusal(reason: \"no\")"])
  }

  @Test("A11 timing and logging measure only what they wrap")
  func insideOnly() {
    var times: [String] = []
    func timing(_ name: String) -> TimingMiddleware<Desk, Job> {
      TimingMiddleware(clock: clock) { _, time, _ in
        times.append("\(name) \(time / .microseconds(1))")
      }
    }
    let slow = Wrapping<Desk, Job> { [clock] job, _, next in
      clock.advance(by: .microseconds(1_000))
      try await next(job)
    }
    let store = DeskStore(
      state: Desk(), actionable: interactor, middleware: timing("outer"), slow, timing("inner"))
    store.send("a")
    #expect(times == ["inner 1260.0", "outer 2260.0"])
  }
}
