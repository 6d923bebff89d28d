import Foundation
import Signalbox
import SignalboxTesting

/// A library with racks, which have volumes, for tests of the tests that recordings become.
struct LibraryState: Equatable, Sendable {
  struct Label: Equatable, Sendable {
    var text = ""
    var size = 1
  }

  /// A type that nothing outside of it can make or change.
  struct Visitors: Equatable, Sendable {
    private(set) var names: [String] = []
    private(set) var isCrowded = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ name: String) {
      names.append(name)
      isCrowded = names.count > limit
    }
  }

  var racks: [RackState] = []
  var label: Label?
  var fees: [String: Label] = [:]
  var opened: Date?
  var page: URL?
  var visitors = Visitors(limit: 1)
  var count = 0
  @Redacted var code = ""
  var isOpen = false
  /// Named as a property of a test store.
  var events: [String] = []
}

struct RackState: Identifiable, Equatable, Sendable {
  let id: String
  var volumes: [VolumeState] = []
}

struct VolumeState: Identifiable, Equatable, Sendable {
  let id: Int
  var title = ""
  var isLent = false
}

enum LibraryAction: Sendable, CancellableAction {
  case open(Date, URL)
  case visit(String)
  case add(rack: String)
  /// Counts the volumes at an endpoint, as the action or as a run of it.
  case count
  case countLater
  case fail

  var cancelIdentifier: String? { if case .count = self { "count" } else { nil } }
}

enum LibraryHook: CaseIterable { case unlocked, labelled }

enum LibraryError: Error { case broken }

struct Library: Interactor {
  let counting: TestEndpoint<String, Int>

  func onAction(_ action: LibraryAction, store: MutatingStore<LibraryState, LibraryAction>)
    async throws
  {
    switch action {
    case .open(let date, let page): store.update { ($0.opened, $0.page) = (date, page) }
    case .visit(let name): store.visitors.add(name)
    case .add(let id): store.racks.append(RackState(id: id))
    case .count: store.count = try await counting("volumes")
    case .countLater:
      store.run(id: "later") { store in store.count = try await counting("later") }
    case .fail:
      store.label = LibraryState.Label(text: "Closed")
      store.racks.append(RackState(id: "c"))
      throw LibraryError.broken
    }
  }

  func subscription(for hook: LibraryHook, store: MutatingStore<LibraryState, LibraryAction>)
    -> Subscription
  {
    switch hook {
    case .unlocked: store.publisher.code.map { $0 == "sesame" }.assign(to: \.isOpen, using: store)
    case .labelled:
      store.publisher.label.compactMap { $0?.text == "Count!" ? LibraryAction.count : nil }
        .assign(toAction: \.self, using: store)
    }
  }

  func children(of store: MutatingStore<LibraryState, LibraryAction>) -> Children<LibraryState> {
    Each(\.racks) { id in
      Rack(
        onEmpty: {
          store.send(.visit("cleaner"))
          store.racks.removeAll { $0.id == id }
        })
    }
  }
}

enum RackAction: Sendable {
  case add(Int)
  case empty
}

struct Rack: Interactor {
  let onEmpty: @MainActor () -> Void

  func onAction(_ action: RackAction, store: MutatingStore<RackState, RackAction>) async throws {
    switch action {
    case .add(let id): store.volumes.append(VolumeState(id: id))
    case .empty: onEmpty()
    }
  }

  func children(of store: MutatingStore<RackState, RackAction>) -> Children<RackState> {
    Each(\.volumes) { _ in Volume() }
  }
}

enum VolumeAction: Sendable { case lend }

struct Volume: Interactor {
  func onAction(_ action: VolumeAction, store: MutatingStore<VolumeState, VolumeAction>)
    async throws
  {
    store.isLent.toggle()
  }
}
