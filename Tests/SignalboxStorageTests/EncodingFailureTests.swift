import Foundation
import Signalbox
import SignalboxStorage
import Testing

/// Values that cannot be encoded.
@MainActor struct EncodingFailureTests {
  private let storage = MemoryStorage()

  private struct Odd: Codable, Equatable, Sendable {
    var text = ""
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      if text == "odd" {
        throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "It is odd."))
      }
      try text.encode(to: encoder)
    }
  }

  private struct State: Sendable { var odd = Odd("") }

  @Test("P8 values that cannot be encoded do not keep those of a later store waiting")
  func notEncoded() async throws {
    storage["odd"] = Data("// signalbox 1, version 1\n{\"odd\": \"first\"}".utf8)
    var taken = try storage.lock("odd")
    let saved = SavedState<State>("odd", in: storage).property("odd", \.odd)
    var state = State()
    #expect(saved.restore(into: &state) == .busy)
    var first: Store<State, Never>? = Store(state: state, hookable: Autosaving(saved: saved))
    first?.binder.odd.wrappedValue = Odd("odd")
    first = nil
    _ = (first, taken)
    taken = nil
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(saved.restore(into: &state) == .restored)
    let second = Store<State, Never>(state: state, hookable: Autosaving(saved: saved))
    second.binder.odd.wrappedValue = Odd("even")
    try await saved.flush()
    let stored = try #require(storage["odd"])
    #expect(String(decoding: stored, as: UTF8.self).contains("even"))
  }

  @Test(
    "P5 P8 what the newest values continue is kept while those cannot be encoded",
    arguments: [false, true])
  func notEncodedLater(isDiskFullBefore: Bool) async throws {
    let storage = FaultyStorage()
    let saved = SavedState<State>("odd", in: storage).property("odd", \.odd)
    var state = State()
    saved.restore(into: &state)
    var first: Store<State, Never>? = Store(state: state, hookable: Autosaving(saved: saved))
    first?.binder.odd.wrappedValue = Odd("even")
    storage.fault = .diskIsFull
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(saved.restore(into: &state) == .restored)
    let second = Store<State, Never>(state: state, hookable: Autosaving(saved: saved))
    if isDiskFullBefore {
      second.binder.odd.wrappedValue = Odd("even, too")
      await #expect(throws: SaveError.self) { try await saved.flush() }
    }
    storage.fault = .none
    second.binder.odd.wrappedValue = Odd("odd")
    first = nil
    _ = first
    await #expect(throws: SaveError.self) { try await saved.flush() }
    let stored = storage.memory.contents.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(stored.contains { $0.contains("even") })
  }
}
