import Signalbox

/// A transducer whose effects overlap and fail.
enum Lookup: Transducer {
  struct State: Equatable { var word = "" }
  enum Event: Equatable {
    case look(String)
    case found, failed
  }
  typealias Env = StoreGate

  static func update(_ state: inout State, event: Event) -> Effect? {
    guard case .look(let word) = event else { return nil }
    state.word = word
    return .sequence([
      .event(.found),
      .task(id: "look") { gate in
        try await gate.pass(word)
        return .found
      }
      .catch { _ in .failed },
    ])
  }
}

/// A parent transducer of `Lookup`.
enum LookupBook: Transducer {
  struct Book: Equatable { var lookup = Lookup.State() }
  typealias State = Book
  enum Event: Equatable { case lookup(Lookup.Event) }
  typealias Env = StoreGate

  static func update(_ state: inout Book, event: Event) -> Effect? {
    switch event {
    case .lookup(let event):
      forward(event, to: Lookup.self, at: \.lookup, in: &state, as: Event.lookup) { $0 }
    }
  }
}
