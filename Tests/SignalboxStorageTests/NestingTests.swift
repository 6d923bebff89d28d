import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Values that cannot be stored as they are.
@MainActor struct NestingTests {
  private struct Outline: Codable, Equatable, Sendable { var parts: [Outline] = [] }

  /// A list that encodes its parts where a superclass would be, and reads lists of any length.
  private enum List: Codable, Equatable, Sendable {
    case end
    indirect case part(List)

    init(from decoder: any Decoder) throws { self = .end }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if case .part(let list) = self { try list.encode(to: container.superEncoder()) }
      try container.encode(1)
    }
  }

  /// A number in nested containers of one value.
  private struct Boxes: Codable, Equatable, Sendable {
    var depth = 1

    init(depth: Int = 1) { self.depth = depth }
    init(from decoder: any Decoder) throws {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
      try container.encode(1)
    }
  }

  private struct State: Sendable {
    var outline = Outline()
    var list = List.end
    var boxes = Boxes()
    var twice: Int?? = 5
  }

  private struct Saving: Hookable {
    let saved: SavedState<State>
    func subscription(for hook: NoteHook, store: MutatingStore<State, Never>) -> Subscription {
      saved.autosave(store, clock: TestClock())
    }
  }

  private let storage = MemoryStorage()

  private var saved: SavedState<State> {
    SavedState<State>("state", in: storage).property("outline", \.outline)
      .property("twice", \.twice).property("list", \.list).property("boxes", \.boxes)
  }

  private func nested(_ depth: Int) -> Outline {
    (0..<depth).reduce(Outline()) { outline, _ in Outline(parts: [outline]) }
  }

  @Test("P11 a value that is nested too deep fails the save, and what is stored stays")
  func tooDeep() async throws {
    let saved = saved
    let store = Store(state: State(outline: nested(200)), hookable: Saving(saved: saved))
    try await saved.flush()
    let stored = storage["state"]
    for depth in [300, 3_000] {
      store.binder.outline.wrappedValue = nested(depth)
      let error = await #expect(throws: SaveError.self) { try await saved.flush() }
      #expect(error?.description.contains("nested in more than 500 levels") == true)
      #expect(storage["state"] == stored)
    }
    var state = State()
    let next = MemoryStorage()
    next["state"] = stored
    let other = SavedState<State>("state", in: next).property("outline", \.outline)
    #expect(other.restore(into: &state) == .restored)
    #expect(state.outline == nested(200))
  }

  @Test("P11 containers within one value count as levels, too")
  func containers() async throws {
    let saved = saved
    let store = Store(state: State(), hookable: Saving(saved: saved))
    func fails() async {
      let error = await #expect(throws: SaveError.self) { try await saved.flush() }
      #expect(error?.description.contains("nested in more than 500 levels") == true)
    }
    store.binder.list.wrappedValue = (0..<3_000).reduce(.end) { list, _ in .part(list) }
    await fails()
    store.binder.list.wrappedValue = (0..<400).reduce(.end) { list, _ in .part(list) }
    store.binder.boxes.wrappedValue = Boxes(depth: 1_000_000)
    await fails()
    store.binder.boxes.wrappedValue = Boxes(depth: 400)
    try await saved.flush()
  }

  @Test("P11 an optional that would come back as another one fails the save")
  func optional() async throws {
    let saved = saved
    let store = Store(state: State(), hookable: Saving(saved: saved))
    store.binder.twice.wrappedValue = .some(nil)
    let error = await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(error?.description.contains("twice would come back as nil") == true)
    store.binder.twice.wrappedValue = nil
    try await saved.flush()
  }

  @Test("P2 a value that reads the last key of its coding path is saved under its name")
  func codingPath() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Keyed>("keyed", in: storage).property("key", \.key)
    let store = Store(state: Keyed(), hookable: KeyedEditor(saved: saved))
    try await saved.flush()
    let text = String(decoding: try #require(storage["keyed"]), as: UTF8.self)
    #expect(text.contains("\"key\" : \"key\""))
    withExtendedLifetime(store) {}
  }
}

private struct Key: Codable, Sendable {
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    guard let key = encoder.codingPath.last else { fatalError("There is no key.") }
    var container = encoder.singleValueContainer()
    try container.encode(key.stringValue)
  }
}

private struct Keyed: Sendable { var key = Key() }

private struct KeyedEditor: Hookable {
  let saved: SavedState<Keyed>
  func subscription(for hook: NoteHook, store: MutatingStore<Keyed, Never>) -> Subscription {
    saved.autosave(store)
  }
}
