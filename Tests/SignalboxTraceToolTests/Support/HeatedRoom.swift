import Foundation
import Signalbox
import SignalboxInspection

@testable import SignalboxTrace

/// A recording of a room in which it gets cold.
enum HeatedRoom {
  static let header = TraceHeader(started: "2026-11-23T10:50:00Z", program: "Room", process: 7)

  static let events: [TraceEvent] = [
    event(
      at: 0.00004, .store(.init(name: "room", state: "RoomState", action: "RoomAction"))),
    event(
      1, at: 0.00005,
      .started(
        record(
          "RoomState", ("celsius", .number("20.0")), ("isHeated", .bool(false)),
          ("people", .list(type: nil, []))))),
    event(2, at: 1.5, .hookFired(name: "measured", .number("17.0"))),
    event(
      3, cause: 2, at: 1.5001,
      .changed([ValueEdit([.field("celsius")], .replaced(.number("20.0"), by: .number("17.0")))])),
    event(4, cause: 3, at: 1.5002, .hookFired(name: "cold", .bool(true))),
    event(5, cause: 4, work: 5, at: 1.5003, .began(.action(turn))),
    event(6, at: 1.6, .hookFired(name: "entered", .string("ann"))),
    event(
      7, cause: 6, at: 1.6001,
      .changed([
        ValueEdit(
          [.field("people")],
          .elements(
            inserting(record("Person", ("id", .integer(3)), ("name", .string("ann"))))))
      ])),
    event(
      8, cause: 5, work: 5, at: 1.7,
      .changed([ValueEdit([.field("isHeated")], .replaced(.bool(false), by: .bool(true)))])),
    event(9, cause: 5, work: 5, at: 1.7001, .finished(.action(turn), seconds: 0.1998)),
    event(10, work: 10, at: 2, child: ann, .began(.action(rename))),
    event(
      11, cause: 10, work: 10, at: 2.1, child: ann,
      .changed([
        ValueEdit(
          [.field("people"), .index(0, id: "3"), .field("name")],
          .replaced(.string("ann"), by: .string("<b>ann</b></script>")))
      ])),
    event(
      12, cause: 10, work: 10, at: 2.2, child: ann,
      .failed(
        .action(rename),
        .init(error: .text(type: "Fault", "fault"), text: "the name is\u{1B}[2J taken"))),
  ]

  static var text: String { text(of: events) }

  static func text(of events: some Sequence<TraceEvent>) -> String {
    header.line + events.map(\.line).joined()
  }

  private static let ann = #"\.people[id: 3]"#
  private static let rename = ValueTree.record(
    .init(type: "PersonAction", caseName: "rename", fields: []))
  private static let turn = ValueTree.record(
    .init(type: "RoomAction", caseName: "turn", fields: [.init(label: "on", value: .bool(true))]))

  private static func event(
    _ id: Int? = nil, cause: Int? = nil, work: Int? = nil, at time: Double, child: String? = nil,
    _ kind: TraceEvent.Kind
  ) -> TraceEvent {
    TraceEvent(
      store: 1, child: child, id: id, cause: cause, work: work, time: time, kind: kind)
  }

  private static func inserting(_ element: ValueTree) -> ValueEdit.Elements {
    var elements = ValueEdit.Elements()
    elements.inserted = [.init(index: 0, value: element)]
    return elements
  }

  private static func record(_ type: String, _ fields: (String, ValueTree)...) -> ValueTree {
    .record(.init(type: type, fields: fields.map { .init(label: $0.0, value: $0.1) }))
  }
}
