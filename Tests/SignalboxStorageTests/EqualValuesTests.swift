import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Files that hold the values of a store in other bytes.
@MainActor struct EqualValuesTests {
  private struct Label: Equatable, Sendable {
    var text = ""
    var tags: Set<String> = []
  }

  private struct Labelling: Interactor {
    enum Action: Sendable { case type, restore }
    let saved: SavedState<Label>

    func onAction(_ action: Action, store: MutatingStore<Label, Action>) async {
      switch action {
      case .type: store.text += "!"
      case .restore: store.update { _ = saved.restore(into: &$0) }
      }
    }

    func subscription(for hook: NoteHook, store: MutatingStore<Label, Action>) -> Subscription {
      saved.autosave(store, clock: TestClock())
    }
  }

  private let storage = MemoryStorage()
  private static let tags = (0..<12).map { "tag\($0)" }
  /// As a person writes it.
  ///
  /// A set of so many is not encoded in this order.
  private let bytes = Data("// signalbox 1, version 1\n{text: 'a', tags: \(tags)}".utf8)

  private var saved: SavedState<Label> {
    SavedState<Label>("label", in: storage).property("text", \.text).property("tags", \.tags)
  }

  private func restored() -> Label {
    var label = Label()
    saved.restore(into: &label)
    return label
  }

  @Test("P5 a store that begins with the values of the file keeps no copy, whatever its bytes are")
  func restoredByAnother() async throws {
    storage["label"] = bytes
    let saved = saved
    let store = Store(state: restored(), interactor: Labelling(saved: saved))
    await store.dispatch(.type)
    try await saved.flush()
    #expect(storage.names == ["label"])
    #expect(restored() == Label(text: "a!", tags: Set(Self.tags)))
  }

  @Test("P6 fields that the program does not know stay, though another SavedState has read them")
  func unknown() async throws {
    storage["label"] = Data("// signalbox 1, version 1\n{\"text\": \"a\", \"new\": 1.50}".utf8)
    let saved = saved
    let store = Store(state: restored(), interactor: Labelling(saved: saved))
    await store.dispatch(.type)
    try await saved.flush()
    #expect(storage.names == ["label"])
    let text = String(decoding: try #require(storage["label"]), as: UTF8.self)
    #expect(text.contains("\"new\" : 1.50"))
    #expect(text.contains("\"text\" : \"a!\""))
  }

  @Test("P5 a flush of an untouched store leaves equal values in the order that they have")
  func untouched() async throws {
    storage["label"] = bytes
    let saved = saved
    var label = Label()
    saved.restore(into: &label)
    let store = Store(state: label, interactor: Labelling(saved: saved))
    try await saved.flush()
    #expect(storage["label"] == bytes)
    withExtendedLifetime(store) {}
  }

  @Test("P5 a restore into a store that is there leaves the file, and makes no copy")
  func intoStore() async throws {
    storage["label"] = bytes
    let saved = saved
    let store = Store(state: Label(), interactor: Labelling(saved: saved))
    await store.dispatch(.restore)
    #expect(store.text == "a")
    try await saved.flush()
    #expect(storage.names == ["label"])
    #expect(storage["label"] == bytes)
    await store.dispatch(.type)
    try await saved.flush()
    #expect(storage.names == ["label"])
    #expect(restored().text == "a!")
  }

  /// Is equal to each one with its number.
  private struct Item: Codable, Equatable, Sendable {
    var number = 1
    var text = ""
    static func == (a: Item, b: Item) -> Bool { a.number == b.number }
  }

  private struct Shelf: Sendable { var items = [Item()] }

  @Test("P3 a flush saves values that differ in the file, although == says that they are equal")
  func writtenDifferently() async throws {
    let saved = SavedState<Shelf>("shelf", in: storage).property("items", \.items)
    for text in ["old", "new"] {
      let store = Store<Shelf, Never>(
        state: Shelf(items: [Item(text: text)]), hookable: Autosaving(saved: saved))
      try await saved.flush()
      withExtendedLifetime(store) {}
      #expect(String(decoding: try #require(storage["shelf"]), as: UTF8.self).contains(text))
    }
  }
}
