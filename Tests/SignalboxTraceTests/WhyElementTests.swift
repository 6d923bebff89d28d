import ExampleTesting
import Foundation
import Signalbox
import SignalboxInspection
import SignalboxTesting
import Testing

@testable import SignalboxTrace

/// Who changed an element last, and what `why` says when it cannot know.
@MainActor struct WhyElementTests {
  private struct Card: Identifiable, Equatable, Sendable {
    var id: Int
    @Redacted var pin = "s3cret"
    var name = ""
  }

  private final class Pebble: Identifiable, Equatable, Sendable {
    static func == (left: Pebble, right: Pebble) -> Bool { left === right }
  }

  private struct Model: Equatable, Sendable {
    final class Part: Equatable, Sendable {
      let size = 1
      static func == (left: Part, right: Part) -> Bool { left === right }
    }

    var cards: [Card] = []
    var pebbles: [Pebble] = []
    var byName: [String: Card] = [:]
    var pair = (0, 1)
    var part = Part()
    var label = ""

    static func == (left: Model, right: Model) -> Bool {
      left.cards == right.cards && left.pebbles == right.pebbles && left.byName == right.byName
        && left.pair == right.pair && left.part == right.part && left.label == right.label
    }
  }

  private enum ModelAction: Sendable {
    case add([Int])
    case remove(Int)
    case rename(Int)
    case pebble
    case file(String)
    case unfile(String)
  }

  private struct Keeper: Interactor {
    func onAction(_ action: ModelAction, store: MutatingStore<Model, ModelAction>) async throws {
      switch action {
      case .add(let ids): store.cards += ids.map { Card(id: $0) }
      case .remove(let id): store.cards.removeAll { $0.id == id }
      case .rename(let id):
        if let place = store.cards.firstIndex(where: { $0.id == id }) {
          store.cards[place].name += "!"
        }
      case .pebble: store.pebbles.append(Pebble())
      case .file(let name): store.byName[name] = Card(id: 1)
      case .unfile(let name): store.byName[name] = nil
      }
    }
  }

  private func makeStore(_ name: String) -> Store<Model, ModelAction> {
    Store(state: Model(), interactor: Keeper(), name: name)
  }

  @Test("R5 why names who removed an element or an entry, and who put it back")
  func removed() async throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Model.self })
    let store = makeStore("removed")
    await store.dispatch(.add([1, 2]))
    await store.dispatch(.file("a"))
    await store.dispatch(.rename(1))
    #expect("\(store.why(child: \.cards, id: 1))".hasSuffix("← .rename(1) ← outside"))
    await store.dispatch(.remove(1))
    await store.dispatch(.unfile("a"))
    #expect("\(store.why(child: \.cards, id: 1))" == "nil ← .remove(1) ← outside")
    #expect("\(store.why(child: \.byName, id: "a"))" == #"nil ← .unfile("a") ← outside"#)
    #expect("\(store.why(child: \.cards, id: 2))".hasSuffix("← .add([1, 2]) ← outside"))
    await store.dispatch(.add([1]))
    #expect("\(store.why(child: \.cards, id: 1))".hasSuffix("← .add([1]) ← outside"))
    #expect("\(store.why(child: \.cards, id: 9))".hasSuffix("nothing since it was first recorded"))
    withExtendedLifetime(file) {}
  }

  @Test("R5 D4 an element with redacted parts is told apart by its id")
  func redactedParts() async throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Model.self })
    let store = makeStore("redacted parts")
    await store.dispatch(.add([1, 2]))
    await store.dispatch(.rename(2))
    await store.dispatch(.rename(1))
    let why = store.why(child: \.cards, id: 2)
    #expect("\(why)".hasSuffix("← .rename(2) ← outside") && !"\(why)".contains("s3cret"))
    #expect(why.steps.first?.text == #"cards[1, id: 2].name "" → "!""#)
    withExtendedLifetime(file) {}
  }

  @Test("R5 why says that it does not know who changed one of very many or unnamed elements")
  func many() async throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Model.self })
    let store = makeStore("many")
    await store.dispatch(.add([1]))
    await store.dispatch(.add(Array(2...3_000)))
    for id in [1, 2, 3_000] {
      let why = store.why(child: \.cards, id: id)
      #expect(why.steps.map(\.kind) == [.forgotten])
      #expect("\(why)".hasSuffix("← not known any more"))
    }
    for id in 1...1_100 { await store.dispatch(.rename(id)) }
    #expect("\(store.why(child: \.cards, id: 1_100))".hasSuffix("← .rename(1100) ← outside"))
    #expect(store.why(child: \.cards, id: 1).steps.map(\.kind) == [.forgotten])
    await store.dispatch(.pebble)
    let pebble = try #require(store.pebbles.first)
    let why = store.why(child: \.pebbles, id: ObjectIdentifier(pebble))
    #expect(why.steps.map(\.kind) == [.forgotten])
    #expect("\(store.why(\.pebbles))".hasSuffix("← .pebble ← outside"))
    withExtendedLifetime(file) {}
  }

  @Test("R5 why does not tell elements with one id apart")
  func duplicates() async throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Model.self })
    let store = makeStore("duplicates")
    await store.dispatch(.add([1]))
    await store.dispatch(.add([1]))
    #expect(store.why(child: \.cards, id: 1).steps.map(\.kind) == [.forgotten])
    withExtendedLifetime(file) {}
  }

  @Test("R5 why does not know who changed a child that shares its id with another element")
  func duplicateChildren() throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Yard.self })
    let store = Store(state: Yard(), interactor: YardKeeper(gate: LawGate()), name: "twins")
    store.binder.plants.wrappedValue = [Plant(number: 1)]
    let child = try #require(store.child(\.plants, id: Plant.ID(number: 1), PlantKeeper.self))
    store.binder.plants.wrappedValue[0].note = "mine"
    #expect(child.why(\.note).steps.first?.kind == .change)
    store.binder.plants.wrappedValue.append(Plant(number: 1))
    store.binder.plants.wrappedValue[1].note = "the other's"
    let why = child.why(\.note)
    #expect(why.gap == nil && why.steps.map(\.kind) == [.forgotten], "\(why)")
    withExtendedLifetime(file) {}
  }

  @Test("R5 a recording keeps no object alive that was the key of an entry")
  func objectKeys() throws {
    final class Key: Hashable {
      static func == (left: Key, right: Key) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    struct Table: Equatable { var counts: [Key: Int] = [:] }
    let file = try RecordedFile(isRecorded: { type, _ in type == Table.self })
    let store = Store(state: Table(), name: "object keys")
    weak var kept: Key?
    do {
      let key = Key()
      kept = key
      store.binder.counts.wrappedValue[key] = 1
      store.binder.counts.wrappedValue[key] = 2
      store.binder.counts.wrappedValue[key] = nil
    }
    file.recording.flush()
    #expect(kept == nil)
    withExtendedLifetime(file) {}
  }

  @Test("R5 a part of an element that was forgotten and changes again is not known to be unchanged")
  func forgottenPart() {
    let history = History()
    func note(_ id: Int, _ name: String) {
      let path: [ChangedPart.Step] = [.property("rows"), .element(id), .property(name)]
      history.note(
        TraceEvent(store: 1, id: id, time: 0, kind: .changed([])), weight: 0,
        changing: [ChangedPart(path, .whole)])
    }
    func last(_ name: String) -> LastChange {
      history.lastChange(of: [.property("rows"), .element(1), .property(name)])
    }
    for id in 1...1_100 { note(id, "name") }
    note(1, "size")
    guard case .event = last("size") else { return #expect(Bool(false), "The size is known.") }
    guard case .forgotten = last("name") else { return #expect(Bool(false), "\(last("name"))") }
  }

  @Test("R5 why refuses parts that no change names: of tuples, objects and collections")
  func unnamedParts() throws {
    let file = try RecordedFile(isRecorded: { type, _ in type == Model.self })
    let store = makeStore("unnamed parts")
    store.instruments.arranging.state.pair.1 = 2
    #expect(store.why(\.pair.0).gap == .noStoredProperty)
    #expect(store.why(\.part.size).gap == .noStoredProperty)
    #expect(store.why(\.cards.first?.name).gap == .noStoredProperty)
    #expect("\(store.why(\.pair))".hasSuffix("← outside"))
    withExtendedLifetime(file) {}
  }

  @Test("R5 why says of a change among lost events that its cause is not known")
  func lost() async {
    // A process of its own, because the recordings of other tests lose nothing.
    await #expect(processExitsWith: .success) { @MainActor in
      let file = try RecordedFile(mostWeight: 3_000, isRecorded: { type, _ in type == Model.self })
      let store = Store(state: Model(), interactor: Keeper(), name: "lost")
      store.binder.label.wrappedValue = "first"
      file.recording.flush()
      file.recording.hold()
      for count in 1...100 { store.binder.label.wrappedValue = "\(count)" }
      #expect(store.why(\.label).steps.map(\.kind) == [.forgotten])
      file.recording.release()
      file.recording.flush()
      store.instruments.arranging.state.cards = [Card(id: 1)]
      let why = store.why(\.label)
      #expect(why.steps.map(\.kind) == [.change, .forgotten], "\(why)")
      #expect(why.steps.first?.text.contains("lost events: label") == true, "\(why)")
      #expect("\(store.why(\.cards))".hasSuffix("← outside"))
      withExtendedLifetime(file) {}
    }
  }

  @Test("R4 R5 no text is made of an event until why is asked about it, and no large one is kept")
  func lazily() throws {
    let history = History()
    func note(_ id: Int, _ text: String) -> History.Event? {
      let edit = ValueEdit([.field("text")], .replaced(.string(""), by: .string(text)))
      history.note(
        TraceEvent(store: 1, id: id, time: 0, kind: .changed([edit])), weight: text.utf8.count,
        changing: [ChangedPart([.property("text")], .unnamed)])
      guard case .event(let event) = history.lastChange(of: [.property("text")]) else { return nil }
      return event
    }
    let small = try #require(note(1, "a"))
    #expect(!small.isFormatted)
    #expect(small.text == #"text "" → "a""# && small.isFormatted)
    let large = try #require(note(2, String(repeating: "a", count: 10_000)))
    #expect(large.isFormatted && large.text.utf8.count < 100)
  }

  @Test("R4 the text of a change of many elements formats those that it shows")
  func shortText() {
    var elements = ValueEdit.Elements()
    elements.removed = (0..<5).map { ValueEdit.Elements.Element(index: $0, value: .integer($0)) }
    elements.moved = [ValueEdit.Elements.Move(old: 7, new: 0)]
    #expect(
      ValueEdit([.field("list")], .elements(elements)).text()
        == "list - [0] 0, - [1] 1, - [2] 2, … 3 more")
    elements.removed.removeFirst(4)
    #expect(
      ValueEdit([.field("list")], .elements(elements)).text() == "list - [4] 4, [7 → 0]")
    let members = ValueEdit.Change.members(
      removed: [.integer(1)], inserted: [.integer(2), .integer(3), .integer(4)])
    #expect(ValueEdit([.field("set")], members).text() == "set - 1, + 2, + 3, … 1 more")
  }
}
