import ExampleTesting
import Signalbox
import Testing

@testable import SignalboxTrace

extension RecordedFile {
  /// Records the stores of these tests.
  ///
  /// Each test gives its stores a name of their own.
  ///
  /// - Parameter state: the only type of state whose stores are recorded; `nil` means all types of
  ///   these tests.
  convenience init(
    limit: Int = 64_000_000, checkpoint: Int = 262_144, mostWeight: Int = 32_000_000,
    of state: Any.Type? = nil
  ) throws {
    try self.init(
      limit: limit, checkpoint: checkpoint, mostWeight: mostWeight,
      isRecorded: { type, _ in
        state.map { $0 == type } ?? String(reflecting: type).contains("SignalboxTraceTests.")
      })
  }

  /// Ends the recording and reads the lines of one store.
  func events(of name: String) throws -> [TraceEvent] {
    let (reader, events) = try read()
    #expect(reader.problems.isEmpty && reader.skipped == 0)
    return events.of(name)
  }
}

extension [TraceEvent] {
  /// The lines of the store with a name.
  func of(_ name: String) -> [TraceEvent] {
    let store = lazy.compactMap { event in
      if case .store(let info) = event.kind, info.name == name { event.store } else { nil }
    }.first
    return filter { $0.store == store && store != nil }
  }

  /// Each line with its cause, without the numbers.
  var texts: [String] {
    let names = Dictionary(
      compactMap { event in event.id.map { ($0, event.kind.text) } }, uniquingKeysWith: { $1 })
    return map { event in
      let cause = event.cause.map { " ← " + (names[$0] ?? "?") } ?? ""
      return (event.child.map { "\($0): " } ?? "") + event.kind.text + cause
    }
  }
}

extension TraceEvent.Kind {
  var text: String {
    switch self {
    case .began(.action(let action)), .finished(.action(let action), _):
      "\(name) \(action.text())"
    case .cancelled(.action(let action), let reason?): "\(name) \(action.text()) \(reason)"
    case .failed(.action(let action), let failure): "\(name) \(action.text()) \(failure.text)"
    case .hookFired(let hook, let value): "hook \(hook) \(value.text())"
    case .changed(let edits): edits.text()
    case .dropped(.change(let edits)): "dropped \(edits.text())"
    case .dropped(.action(let action)): "dropped \(action.text())"
    case .started(let state): "started \(state.text(room: 200))"
    default: name
    }
  }
}
