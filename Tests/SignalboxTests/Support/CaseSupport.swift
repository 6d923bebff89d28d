@testable import Signalbox

/// A program whose screens are the cases of an enum.
struct Foyer: Equatable {
  var title = ""
  var route = FoyerRoute.lobby
  /// A destination, which may be missing.
  var sheet: FoyerRoute?
}

/// A case for each kind of payload.
enum FoyerRoute: Equatable {
  case lobby
  case room(FoyerRoom)
  case attic(FoyerRoom)
  case named(guest: FoyerGuest)
  case pair(FoyerRoom, FoyerRoom)
  indirect case deeper(FoyerNook)
  case key(FoyerKey)
  case text(String)
  case nothing(FoyerNothing)
}

struct FoyerRoom: Equatable {
  var name = "a room with a long name"
  var size = 0
  var length = 0
  var numbers: [Int] = []
  var guests: [FoyerGuest] = []
  var corner = FoyerCorner.empty
}

enum FoyerCorner: Equatable {
  case empty
  case shelf(FoyerShelf)
}

struct FoyerShelf: Equatable {
  var name = ""
  var books: [Int] = []
}

struct FoyerGuest: Equatable, Identifiable {
  var id = 1
  var name = "guest"
}

struct FoyerNook: Equatable {
  var depth = 0
  var numbers: [Int] = []
  var route = FoyerRoute.lobby
}

struct FoyerNothing: Equatable {}

final class FoyerKey: Equatable {
  static func == (l: FoyerKey, r: FoyerKey) -> Bool { l === r }
}

enum RoomAction: Equatable {
  case grow, append, leave
  case rename(String)
  case wait
}

/// What the children of a foyer share with a test.
@MainActor final class FoyerJournal {
  var lines: [String] = []
}

struct FoyerFeature: Interactor {
  var journal = FoyerJournal()

  func children(of store: MutatingStore<Foyer, Never>) -> Children<Foyer> {
    Child(case: \.route, FoyerRoute.room) {
      RoomFeature(name: "room", journal: journal) { store.route = .lobby }
    }
    Child(case: \.route, FoyerRoute.attic) {
      RoomFeature(name: "attic", journal: journal) { store.route = .lobby }
    }
    Child(case: \.route, FoyerRoute.named) { GuestFeature(journal: journal) }
    Child(case: \.route, FoyerRoute.deeper) { NookFeature() }
    Child(case: \.route, FoyerRoute.key) { KeyFeature() }
    Child(case: \.route, FoyerRoute.text) { TextFeature() }
    Child(case: \.route, FoyerRoute.nothing) { NothingFeature() }
    Child(case: \.sheet, FoyerRoute.room) {
      RoomFeature(name: "sheet", journal: journal) { store.sheet = nil }
    }
  }

  func onAction(_ action: Never, store: MutatingStore<Foyer, Never>) {}
}

struct RoomFeature: Interactor {
  var name = ""
  var journal = FoyerJournal()
  var onLeave: @MainActor () -> Void = {}

  func children(of store: MutatingStore<FoyerRoom, RoomAction>) -> Children<FoyerRoom> {
    Each(\.guests) { _ in GuestFeature() }
    Child(case: \.corner, FoyerCorner.shelf) { ShelfFeature() }
  }

  func onAction(_ action: RoomAction, store: MutatingStore<FoyerRoom, RoomAction>) async throws {
    switch action {
    case .grow: store.size += 1
    case .append: store.numbers.append(store.numbers.count)
    case .rename(let name): store.name = name
    case .leave:
      onLeave()
      store.name = "late"
    case .wait:
      await StationJournal.waitUntilCancelled()
      store.name = "late"
    }
  }

  func subscription(
    for hook: StationEditorHook, store: MutatingStore<FoyerRoom, RoomAction>
  ) -> Subscription {
    if !name.isEmpty { journal.lines.append("\(name) begins") }
    return .all(
      store.publisher.name.map(\.count).assign(to: \.length, using: store),
      Subscription { [journal, name] in if !name.isEmpty { journal.lines.append("\(name) ends") } })
  }
}

struct GuestFeature: Interactor {
  var journal: FoyerJournal?

  func onAction(_ action: String, store: MutatingStore<FoyerGuest, String>) { store.name = action }

  func subscription(
    for hook: StationEditorHook, store: MutatingStore<FoyerGuest, String>
  ) -> Subscription {
    let id = store.id
    journal?.lines.append("guest \(id) begins")
    return Subscription { [journal] in journal?.lines.append("guest \(id) ends") }
  }
}

enum ShelfAction {
  case append
  case rename(String)
}

struct ShelfFeature: Interactor {
  func onAction(_ action: ShelfAction, store: MutatingStore<FoyerShelf, ShelfAction>) {
    switch action {
    case .append: store.books.append(store.books.count)
    case .rename(let name): store.name = name
    }
  }
}

struct NookFeature: Interactor {
  func children(of store: MutatingStore<FoyerNook, Int>) -> Children<FoyerNook> {
    Child(case: \.route, FoyerRoute.deeper) { Self() }
  }

  func onAction(_ action: Int, store: MutatingStore<FoyerNook, Int>) {
    store.depth = action
    store.numbers.append(action)
  }
}

struct KeyFeature: Interactor {
  func onAction(_ action: FoyerKey, store: MutatingStore<FoyerKey, FoyerKey>) {
    store.update { $0 = action }
  }
}

struct TextFeature: Interactor {
  func onAction(_ action: String, store: MutatingStore<String, String>) {
    store.update { $0 += action }
  }
}

struct NothingFeature: Interactor {
  func onAction(_ action: Int, store: MutatingStore<FoyerNothing, Int>) {
    store.update { $0 = FoyerNothing() }
  }
}

/// A foyer with its store, and the stores of its children.
@MainActor class FoyerTests {
  let journal: FoyerJournal
  let store: Store<Foyer, Never>
  var parent: MutatingStore<Foyer, Never> { store.instruments.arranging }

  init() {
    journal = FoyerJournal()
    store = Store(state: Foyer(), interactor: FoyerFeature(journal: journal))
  }

  var room: Store<FoyerRoom, RoomAction>? {
    store.child(case: \.route, FoyerRoute.room, RoomFeature.self)
  }

  var attic: Store<FoyerRoom, RoomAction>? {
    store.child(case: \.route, FoyerRoute.attic, RoomFeature.self)
  }

  var nook: Store<FoyerNook, Int>? {
    store.child(case: \.route, FoyerRoute.deeper, NookFeature.self)
  }
}
