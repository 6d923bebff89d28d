import Signalbox
import SignalboxTesting

/// A part of a program, which is a child or a part of the state of a flat program.
struct DeskState: Equatable, Identifiable {
  var id = 0
  var count = 0
  var double = 0
  var isBusy = false
  var log: [String] = []
}

struct WingState: Equatable { var desk = DeskState() }

struct OfficeState: Equatable {
  var left = DeskState()
  var right = DeskState()
  var wing = WingState()
  var desks = [DeskState(id: 1), DeskState(id: 2), DeskState(id: 3)]
  var total = 0
}

enum DeskAction: Equatable {
  case add(Int)
  case ask, queue, fail, run

  var name: String? {
    switch self {
    case .ask: "ask"
    case .queue: "queue"
    default: nil
    }
  }

  var overlap: Overlap { self == .queue ? .queue : .latest }
}

/// Where a desk is in the state of an office.
struct DeskPlace: Hashable {
  let name: String
  let path: WritableKeyPath<OfficeState, DeskState>

  @MainActor static let fixed = [
    DeskPlace(name: "\\.left", path: \.left),
    DeskPlace(name: "\\.right", path: \.right),
    DeskPlace(name: "\\.wing.desk", path: \.wing.desk),
  ]

  static func element(_ id: Int) -> DeskPlace {
    DeskPlace(name: "\\.desks[id: \(id)]", path: \.desks[desk: id])
  }
}

extension [DeskState] {
  fileprivate subscript(desk id: Int) -> DeskState {
    get { first { $0.id == id } ?? DeskState(id: id) }
    set { if let index = firstIndex(where: { $0.id == id }) { self[index] = newValue } }
  }
}

/// What a desk does, wherever it is.
struct DeskWork {
  let name: String
  let ask: @MainActor (String) async throws -> Int

  @MainActor func perform<State, Action>(
    _ action: DeskAction, _ desk: WritableKeyPath<State, DeskState>, id: String,
    _ store: MutatingStore<State, Action>
  ) async throws {
    let count = desk.appending(path: \.count)
    switch action {
    case .add(let number): store[dynamicMember: count] += number
    case .ask, .queue:
      store.mark(desk.appending(path: \.isBusy))
      let answer = try await ask("\(name) \(action)")
      store[dynamicMember: count] += answer
      store[dynamicMember: desk.appending(path: \.log)].append("\(action)")
    case .fail: throw ChildFailure()
    case .run:
      let name = name
      store.run(id: id) { [ask] store in
        let answer = try await ask("\(name) run")
        store[dynamicMember: count] -= answer
      }
    }
  }

  @MainActor static func note<State, Action>(
    _ text: String, _ desk: WritableKeyPath<State, DeskState>, _ store: MutatingStore<State, Action>
  ) {
    store[dynamicMember: desk.appending(path: \.log)].append(text)
  }
}

// MARK: - With children

struct FamilyOffice: Interactor {
  enum Hook: CaseIterable { case total }

  let ask: @MainActor (String) async throws -> Int

  func children(of store: MutatingStore<OfficeState, Never>) -> Children<OfficeState> {
    Child(\.left) { Desk(work: DeskWork(name: "\\.left", ask: ask)) }
    Child(\.right) { Desk(work: DeskWork(name: "\\.right", ask: ask)) }
    Child(\.wing) { Wing(ask: ask) }
    Each(\.desks) { id in
      PlainDesk(desk: Desk(work: DeskWork(name: "\\.desks[id: \(id)]", ask: ask)))
    }
  }

  func onAction(_ action: Never, store: MutatingStore<OfficeState, Never>) {}

  func subscription(for hook: Hook, store: MutatingStore<OfficeState, Never>) -> Subscription {
    officeTotal(store)
  }

  struct Wing: Interactor {
    let ask: @MainActor (String) async throws -> Int

    func children(of store: MutatingStore<WingState, Never>) -> Children<WingState> {
      Child(\.desk) { Desk(work: DeskWork(name: "\\.wing.desk", ask: ask)) }
    }

    func onAction(_ action: Never, store: MutatingStore<WingState, Never>) {}
  }

  struct DeskCall: CancellableAction, CustomStringConvertible {
    let action: DeskAction

    var cancelIdentifier: String? { action.name }
    var overlap: Overlap { action.overlap }
    var description: String { "\(action)" }
  }

  struct Desk: Interactor {
    enum Hook: CaseIterable { case double }

    let work: DeskWork

    func onAction(_ call: DeskCall, store: MutatingStore<DeskState, DeskCall>) async throws {
      try await work.perform(call.action, \.self, id: "run", store)
    }

    func onError(
      _ error: any Error, action: DeskCall, store: MutatingStore<DeskState, DeskCall>
    ) {
      DeskWork.note("\(action) failed", \.self, store)
    }

    func onCancel(_ action: DeskCall, store: MutatingStore<DeskState, DeskCall>) {
      DeskWork.note("\(action) cancelled", \.self, store)
    }

    func subscription(
      for hook: Hook, store: MutatingStore<DeskState, DeskCall>
    ) -> Subscription {
      store.publisher.count.map { $0 * 2 }.assign(to: \.double, using: store)
    }
  }

  /// A desk without hooks.
  struct PlainDesk: Interactor {
    let desk: Desk

    func onAction(_ call: DeskCall, store: MutatingStore<DeskState, DeskCall>) async throws {
      try await desk.onAction(call, store: store)
    }

    func onError(
      _ error: any Error, action: DeskCall, store: MutatingStore<DeskState, DeskCall>
    ) {
      desk.onError(error, action: action, store: store)
    }

    func onCancel(_ action: DeskCall, store: MutatingStore<DeskState, DeskCall>) {
      desk.onCancel(action, store: store)
    }
  }
}

@MainActor private func officeTotal<Action>(
  _ store: MutatingStore<OfficeState, Action>
) -> Subscription {
  combineLatest(store.publisher.left.count, store.publisher.right.double)
    .map(+)
    .assign(to: \.total, using: store)
}

// MARK: - Flat

struct FlatOffice: Interactor {
  struct Call: CancellableAction, CustomStringConvertible {
    let place: DeskPlace
    let action: DeskAction

    var cancelIdentifier: String? { action.name.map { "@\(place.name) \($0)" } }
    var overlap: Overlap { action.overlap }
    var description: String { "@\(place.name) \(action)" }
  }

  struct Hook: CaseIterable, Hashable, CustomStringConvertible {
    // The hooks of a parent are connected before those of its children.
    static let allCases = [nil, "\\.left", "\\.right", "\\.wing.desk"].map(Hook.init(place:))

    let place: String?

    var description: String { place.map { "@\($0) double" } ?? "total" }
  }

  let ask: @MainActor (String) async throws -> Int

  func onAction(_ call: Call, store: MutatingStore<OfficeState, Call>) async throws {
    try await DeskWork(name: call.place.name, ask: ask)
      .perform(call.action, call.place.path, id: "@\(call.place.name) run", store)
  }

  func onError(_ error: any Error, action: Call, store: MutatingStore<OfficeState, Call>) {
    DeskWork.note("\(action.action) failed", action.place.path, store)
  }

  func onCancel(_ action: Call, store: MutatingStore<OfficeState, Call>) {
    DeskWork.note("\(action.action) cancelled", action.place.path, store)
  }

  func subscription(for hook: Hook, store: MutatingStore<OfficeState, Call>) -> Subscription {
    guard let desk = DeskPlace.fixed.first(where: { $0.name == hook.place })?.path else {
      return officeTotal(store)
    }
    return store.publisher[dynamicMember: desk.appending(path: \.count)].map { $0 * 2 }
      .sink { store[dynamicMember: desk.appending(path: \.double)] = $0 }
  }
}
