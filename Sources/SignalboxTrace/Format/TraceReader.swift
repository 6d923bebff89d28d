package import SignalboxInspection

/// Reads a recording, whole or while it grows.
///
///     var reader = TraceReader()
///     let events = try reader.read(bytes)          // as often as there are more bytes
///     reader.states[1]                             // the state of store 1 after them
///
/// The start of a line waits for its rest, so a file that was cut anywhere is read up to its last
/// whole line (R1). Fields and kinds of lines that this version does not know are skipped.
package struct TraceReader {
  package private(set) var header: TraceHeader?
  /// The state of each store; none after an unknown change, until its next whole state.
  package private(set) var states: [Int: ValueTree] = [:]
  package private(set) var stores: [Int: TraceEvent.StoreInfo] = [:]
  /// What is wrong with the recording, as sentences (R3).
  package private(set) var problems: [String] = []
  package private(set) var skipped = 0

  private var rest: [UInt8] = []
  private var line = 0

  package init() {}

  package static func read(
    _ bytes: some Collection<UInt8>
  ) throws(TraceError) -> (reader: TraceReader, events: [TraceEvent]) {
    var reader = TraceReader()
    let events = try reader.read(bytes)
    guard reader.header != nil else { throw .empty }
    return (reader, events)
  }

  /// Reads the lines that are whole with the next bytes of the file.
  package mutating func read(_ bytes: some Collection<UInt8>) throws(TraceError) -> [TraceEvent] {
    rest += bytes
    var events: [TraceEvent] = []
    var start = 0
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let text = rest[start..<end]
      start = end + 1
      line += 1
      guard header != nil else {
        header = try TraceHeader(line: text)
        continue
      }
      if let event = event(text) { events.append(event) }
    }
    rest.removeFirst(start)
    return events
  }

  private mutating func event(_ text: ArraySlice<UInt8>) -> TraceEvent? {
    guard let json = JSONValue(text), let event = TraceEvent(json) else {
      skipped += 1
      // Without these changes, the state is not known.
      if let json = JSONValue(text), json["changes"] != nil, json["what"] == nil,
        let store = json["store"]?.int
      {
        states[store] = nil
      }
      return nil
    }
    follow(event)
    return event
  }

  private mutating func follow(_ event: TraceEvent) {
    guard let store = event.store, event.child == nil else { return }
    switch event.kind {
    case .store(let info): stores[store] = info
    case .started(let state): states[store] = state
    case .state(let state):
      if let known = states[store], !known.matches(state) {
        problems.append(
          "Line \(line): the changes of store \(store) do not lead to the state in this line.")
      }
      states[store] = state
    case .changed(let edits), .lost(_, let edits): apply(edits, to: store)
    case .released: states[store] = nil
    default: break
    }
  }

  private mutating func apply(_ edits: [ValueEdit], to store: Int) {
    // Taken out, because a state that is held twice would be copied.
    guard var state = states.removeValue(forKey: store) else { return }
    do {
      try state.apply(edits)
      states[store] = state
    } catch {
      problems.append("Line \(line): a change of store \(store) does not fit its state.")
    }
  }
}
