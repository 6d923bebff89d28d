import Foundation
import SignalboxTrace

/// A recording in the format of Chrome's traces, which Perfetto opens.
///
///     store ──▶ process
///     work  ──▶ asynchronous event, from "b" to "e"
///     event ──▶ slice "X", and an arrow from "s" at its cause to "f"
///
/// <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>
struct ChromeTrace {
  private(set) var records: [Record] = []

  struct Record: Codable, Equatable {
    var name: String
    var cat: String?
    /// The kind of the record, a letter.
    var ph: String
    /// In microseconds.
    var ts: Double
    var dur: Double?
    var pid: Int
    var tid = 1
    var id: String?
    /// Binds the end of an arrow to the slice around it.
    var bp: String?
    var args: [String: String]?
  }

  init(_ events: [TraceEvent]) {
    let names = Dictionary(
      events.compactMap { event in
        if case .store(let info) = event.kind {
          (event.store ?? 0, info.name ?? info.state)
        } else {
          nil
        }
      }, uniquingKeysWith: { _, new in new })
    for (store, name) in names.sorted(by: { $0.key < $1.key }) {
      records.append(
        Record(name: "process_name", ph: "M", ts: 0, pid: store, args: ["name": name]))
    }
    let shown = events.filter(\.isShown)
    let starts = Self.starts(shown)
    var work = WorkBook()
    var places: [EventKey: Int] = [:]
    for (place, event) in shown.enumerated() {
      add(event, at: starts[place], until: starts.dropFirst(place + 1).first)
      if let cause = event.causeKey.flatMap({ places[$0] }) {
        addArrow(from: starts[cause], to: starts[place], event)
      }
      if let key = event.key { places[key] = place }
      records += work.follow(event, at: starts[place])
    }
    records += work.end(at: starts.last ?? 0)
  }

  /// Strictly increasing times, because slices of one track must not overlap.
  private static func starts(_ events: [TraceEvent]) -> [Double] {
    var last = -1.0
    return events.map { event in
      last = max((event.time * 1e6).rounded(), last + 0.01)
      return last
    }
  }

  private mutating func add(_ event: TraceEvent, at start: Double, until next: Double?) {
    var args = ["kind": event.kind.name]
    if let id = event.id { args["id"] = "\(id)" }
    if let child = event.child { args["child"] = child }
    records.append(
      Record(
        name: event.text, cat: "event", ph: "X", ts: start,
        dur: min(1, next.map { $0 - start } ?? 1), pid: event.store ?? 0, args: args))
  }

  private mutating func addArrow(from cause: Double, to effect: Double, _ event: TraceEvent) {
    let pid = event.store ?? 0
    let id = "\(pid).\(event.id ?? 0)"
    records.append(Record(name: "cause", cat: "cause", ph: "s", ts: cause, pid: pid, id: id))
    records.append(
      Record(name: "cause", cat: "cause", ph: "f", ts: effect, pid: pid, id: id, bp: "e"))
  }

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      var json = Data(#"{"displayTimeUnit":"ms","traceEvents":["#.utf8)
      for (place, record) in records.enumerated() {
        json.append(contentsOf: (place > 0 ? ",\n" : "\n").utf8)
        json.append(try encoder.encode(record))
      }
      json.append(contentsOf: "\n]}\n".utf8)
      return json
    }
  }
}

/// The work that is in progress, each with the record of its beginning.
private struct WorkBook {
  private var open: [EventKey: ChromeTrace.Record] = [:]
  private var order: [EventKey] = []

  mutating func follow(_ event: TraceEvent, at time: Double) -> [ChromeTrace.Record] {
    switch event.kind {
    case .began:
      guard let key = event.key else { return [] }
      let record = ChromeTrace.Record(
        name: event.text, cat: "work", ph: "b", ts: time, pid: key.store,
        id: "\(key.store).\(key.id)")
      open[key] = record
      order.append(key)
      return [record]
    case .finished, .cancelled, .failed:
      guard let store = event.store, let work = event.work,
        let begin = open.removeValue(forKey: EventKey(store: store, id: work))
      else { return [] }
      return [Self.end(begin, at: time, how: event.kind.name)]
    default: return []
    }
  }

  mutating func end(at time: Double) -> [ChromeTrace.Record] {
    order.compactMap { open[$0] }.map { Self.end($0, at: time, how: "not ended") }
  }

  private static func end(
    _ begin: ChromeTrace.Record, at time: Double, how: String
  ) -> ChromeTrace.Record {
    var record = begin
    record.ph = "e"
    record.ts = time
    record.args = ["end": how]
    return record
  }
}
