import ExampleTesting
import Signalbox
import SignalboxInspection
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Who changed a property last.
@MainActor struct WhyTests {
  private struct Login: Equatable, Sendable {
    // Not `user`: other tests redact a part of one, and the name then hides others, too.
    var nickname = "ann"
    @Redacted var token = "s3cret"
  }

  @Test("R5 why tells who changed a property, back to what came from outside")
  func heating() throws {
    let file = try RecordedFile()
    let sensor = Emitter<Double>()
    let store = Store(state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "why")
    sensor.send(17)
    let why = store.why(\.isHeated)
    #expect(
      "\(why)" == "true ← hook cold ← celsius 20.0 → 17.0 ← hook measured ← outside")
    #expect(why.steps.map(\.kind) == [.change, .hook, .change, .hook, .outside])
    #expect("\(store.why(\.celsius))" == "17.0 ← hook measured ← outside")
    sensor.send(16)
    #expect("\(store.why(\.celsius))" == "16.0 ← hook measured ← outside")
    #expect("\(store.why(\.isHeated))".contains("celsius 20.0 → 17.0"))
    withExtendedLifetime(file) {}
  }

  @Test("R5 why tells about parts of parts, elements, children and what a child changed")
  func parts() async throws {
    let file = try RecordedFile()
    let search = TestEndpoint<String, String>("search")
    let store = Store(state: DeskState(), interactor: Desk(search: search), name: "parts")
    #expect("\(store.why(\.found))" == #""" ← nothing since it was first recorded"#)
    await store.dispatch(.add(3))
    await store.dispatch(.add(4))
    let row = try #require(store.child(\.rows, id: 3, Row.self))
    await row.dispatch(.rename("x"))
    #expect(
      "\(store.why(child: \.rows, id: 3))"
        == #"RowState(id: 3, name: "x") ← \.rows[id: 3]: .rename("x") ← outside"#)
    #expect("\(row.why(\.name))" == #""x" ← \.rows[id: 3]: .rename("x") ← outside"#)
    #expect("\(store.why(child: \.rows, id: 4))".hasSuffix("← .add(4) ← outside"))
    #expect("\(store.why(\.rows))".hasSuffix(#"← \.rows[id: 3]: .rename("x") ← outside"#))
    #expect(store.why(\.rows.count).gap == .noStoredProperty)
    withExtendedLifetime(file) {}
  }

  @Test("R5 D4 why shows nothing that is redacted")
  func redacted() throws {
    let file = try RecordedFile()
    let store = Store(state: Login(), name: "login")
    store.binder.token.wrappedValue = "s3cret-2"
    store.binder.nickname.wrappedValue = "bob"
    // A property with a wrapper is a computed one, which no change names.
    #expect("\(store.why(\.token))".hasPrefix("<redacted> (no change names it"))
    #expect("\(store.why(\.nickname))" == #""bob" ← outside"#)
    #expect("\(store.why(\.self))".contains("s3cret") == false)
    withExtendedLifetime(file) {}
  }

  @Test("R5 a loop that goes on forever leaves no more than the latest events behind")
  func bounded() throws {
    let history = History()
    for id in 1...20_000 {
      let edit = ValueEdit([.field("count")], .replaced(.integer(id), by: .integer(id + 1)))
      history.note(
        TraceEvent(store: 1, id: id, cause: id - 1, time: 0, kind: .changed([edit])), weight: 0,
        changing: [ChangedPart([.property("count")], .unnamed)])
    }
    guard case .event(let last) = history.lastChange(of: [.property("count")]) else {
      Issue.record("The last change is not known.")
      return
    }
    var depth = 0
    var event: History.Event? = last
    while let next = event {
      depth += 1
      event = next.cause
    }
    #expect(depth <= 50)
  }

  @Test("R5 work that has not ended is known, however many events came since it began")
  func longWork() {
    let history = History()
    let begin = TraceEvent.Kind.began(.action(.string("load")))
    history.note(
      TraceEvent(store: 1, id: 1, work: 1, time: 0, kind: begin), weight: 0, changing: [])
    for id in 2...5_000 {
      history.note(
        TraceEvent(store: 1, id: id, time: 0, kind: .hookFired(name: "tick", .integer(id))),
        weight: 0, changing: [])
    }
    let edit = ValueEdit([.field("count")], .replaced(.integer(1), by: .integer(2)))
    history.note(
      TraceEvent(store: 1, id: 5_001, cause: 1, work: 1, time: 0, kind: .changed([edit])),
      weight: 0, changing: [ChangedPart([.property("count")], .unnamed)])
    guard case .event(let last) = history.lastChange(of: [.property("count")]) else {
      Issue.record("The last change is not known.")
      return
    }
    #expect(last.cause?.id == 1 && last.cause?.kind == .action)
  }

  @Test("R5 why says how to turn it on, and is on after Why.start()")
  func off() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let sensor = Emitter<Double>()
      let store = Store(state: RoomState(), hookable: Heating(sensor: sensor.signal))
      sensor.send(1)
      guard store.why(\.celsius).gap == .off,
        "\(store.why(\.celsius))".hasPrefix("1.0 (why is off: call Why.start()")
      else { fatalError("\(store.why(\.celsius))") }
      Why.start()
      sensor.send(2)
      guard "\(store.why(\.celsius))" == "2.0 ← hook measured ← outside" else {
        fatalError("\(store.why(\.celsius))")
      }
      Why.stop()
      guard store.why(\.celsius).gap == .off else { fatalError("on after stop()") }
    }
  }
}
