@testable import Signalbox

/// The state of the programs in `OptimisticLaws`.
struct Barn: Equatable {
  var title = ""
  /// What a hook copies from the title.
  var echo = ""
  var count = 0
  var tags: [String] = []
  var rows: [BarnRow] = []
  var named: [String: BarnRow] = [:]
  var guest: BarnRow?
  var gate = BarnGate.shut
  var attic = BarnRow(id: 0)

  /// The part with the state of a child; `nil` if there is no such child.
  subscript(place: BarnPlace) -> BarnRow? {
    get {
      switch place {
      case .row(let id): rows.first { $0.id == id }
      case .named(let name): named[name]
      case .guest(let id): guest.flatMap { $0.id == id ? $0 : nil }
      case .gate(let id): gate.row.flatMap { $0.id == id ? $0 : nil }
      case .attic: attic
      }
    }
    set {
      switch place {
      case .row(let id):
        guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
        if let newValue { rows[index] = newValue } else { rows.remove(at: index) }
      case .named(let name): named[name] = newValue
      case .guest: guest = newValue
      case .gate: gate = newValue.map { .open($0) } ?? .shut
      case .attic: attic = newValue ?? attic
      }
    }
  }

  var places: [BarnPlace] {
    rows.map { .row($0.id) } + named.keys.sorted().map { .named($0) }
      + (guest.map { [.guest($0.id)] } ?? []) + (gate.row.map { [.gate($0.id)] } ?? []) + [.attic]
  }
}

extension Barn: CustomStringConvertible {
  /// A text in which the order of the dictionary does not show.
  var description: String {
    let named = named.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let guest = guest.map { "\($0)" } ?? "-"
    return "\(title) \(echo) \(count) \(tags) \(rows) \(named) guest \(guest) \(gate) \(attic)"
  }
}

struct BarnRow: Equatable, Identifiable {
  var id: Int
  var text = ""
  var isStarred = false
  var note: BarnNote?
}

enum BarnGate: Equatable {
  case shut
  case open(BarnRow)

  var row: BarnRow? { if case .open(let row) = self { row } else { nil } }
}

struct BarnNote: Equatable {
  var text = ""
}

enum BarnPlace: Hashable {
  case row(Int)
  case named(String)
  case guest(Int)
  case gate(Int)
  case attic

  /// Whether the only row that there can be is another one.
  func isTaken(in barn: Barn) -> Bool {
    switch self {
    case .row, .named, .attic: false
    case .guest: barn.guest != nil
    case .gate: barn.gate.row != nil
    }
  }
}

/// Starts the work with a number.
struct BarnJob: CancellableAction, CustomStringConvertible {
  let number: Int
  let name: Int?

  var cancelIdentifier: Int? { name }
  var overlap: Overlap { name == nil ? .concurrent : .latest }
  var description: String { "work \(number)" }
}

/// What the work of a barn does.
@MainActor protocol BarnBody: AnyObject {
  func work(_ number: Int, in store: MutatingStore<Barn, BarnJob>) async throws
  func work(
    _ number: Int, in store: MutatingStore<BarnRow, BarnJob>,
    of parent: MutatingStore<Barn, BarnJob>
  ) async throws
  func hears(_ place: BarnPlace, _ text: String)
  func handles(_ number: Int)
}

struct BarnFeature: Interactor {
  enum Hook: CaseIterable { case echo }

  let live: LiveChildren
  unowned let body: any BarnBody

  func children(of store: MutatingStore<Barn, BarnJob>) -> Children<Barn> {
    Each(\.rows) { _ in BarnRowFeature(place: BarnPlace.row, parent: store, live: live, body: body)
    }
    Each(\.named) { name in
      BarnRowFeature(place: { _ in .named(name) }, parent: store, live: live, body: body)
    }
    Child(\.guest) {
      BarnRowFeature(place: BarnPlace.guest, parent: store, live: live, body: body)
    }
    Child(case: \.gate, BarnGate.open) {
      BarnRowFeature(place: BarnPlace.gate, parent: store, live: live, body: body)
    }
    Child(\.attic) {
      BarnRowFeature(place: { _ in .attic }, parent: store, live: live, body: body)
    }
  }

  func onAction(_ action: BarnJob, store: MutatingStore<Barn, BarnJob>) async throws {
    try await body.work(action.number, in: store)
  }

  func onError(_ error: any Error, action: BarnJob, store: MutatingStore<Barn, BarnJob>) {
    body.handles(action.number)
  }

  func onCancel(_ action: BarnJob, store: MutatingStore<Barn, BarnJob>) {
    body.handles(action.number)
  }

  func subscription(for hook: Hook, store: MutatingStore<Barn, BarnJob>) -> Subscription {
    store.publisher.title.assign(to: \.echo, using: store)
  }
}

struct BarnRowFeature: Interactor {
  let place: (_ id: Int) -> BarnPlace
  let parent: MutatingStore<Barn, BarnJob>
  let live: LiveChildren
  unowned let body: any BarnBody

  func children(of store: MutatingStore<BarnRow, BarnJob>) -> Children<BarnRow> {
    Child(\.note) { BarnNoteFeature(name: "note of \(place(store.id))", live: live) }
  }

  func onAction(_ action: BarnJob, store: MutatingStore<BarnRow, BarnJob>) async throws {
    try await body.work(action.number, in: store, of: parent)
  }

  func onError(_ error: any Error, action: BarnJob, store: MutatingStore<BarnRow, BarnJob>) {
    body.handles(action.number)
  }

  func onCancel(_ action: BarnJob, store: MutatingStore<BarnRow, BarnJob>) {
    body.handles(action.number)
  }

  func subscription(for hook: OnlyHook, store: MutatingStore<BarnRow, BarnJob>) -> Subscription {
    let place = place(store.id)
    let tracked = live.track("\(place)")
    let heard = store.publisher.text.sink { [body] in body.hears(place, $0) }
    return Subscription {
      tracked.cancel()
      heard.cancel()
    }
  }
}

struct BarnNoteFeature: Interactor {
  let name: String
  let live: LiveChildren

  func onAction(_ action: Never, store: MutatingStore<BarnNote, Never>) {}

  func subscription(for hook: OnlyHook, store: MutatingStore<BarnNote, Never>) -> Subscription {
    live.track(name)
  }
}
