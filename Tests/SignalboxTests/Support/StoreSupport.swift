import Signalbox

/// The state of the stores in these tests.
struct Desk: Equatable {
  var log: [String] = []
  var count = 0
  var title = ""
}

/// An action that carries its own name, identifier and overlap.
struct Job: CancellableAction, Equatable, ExpressibleByStringLiteral, CustomStringConvertible {
  var text: String
  var id: String?
  var overlap = Overlap.latest

  init(_ text: String, id: String? = nil, _ overlap: Overlap = .latest) {
    self.text = text
    self.id = id
    self.overlap = overlap
  }

  init(stringLiteral text: String) { self.init(text) }

  var cancelIdentifier: String? { id }
  var description: String { text }
}

typealias DeskStore = Store<Desk, Job>
typealias DeskHandle = MutatingStore<Desk, Job>

/// Handles actions with a closure, and leaves errors to the default implementation of `Actionable`.
struct Handling<State, Action>: Actionable {
  let handle: @MainActor (Action, MutatingStore<State, Action>) async throws -> Void

  init(
    _ handle: @escaping @MainActor (Action, MutatingStore<State, Action>) async throws -> Void
  ) {
    self.handle = handle
  }

  func onAction(_ action: Action, store: MutatingStore<State, Action>) async throws {
    try await handle(action, store)
  }
}

/// Handles actions and their errors with closures.
struct HandlingErrors<State, Action>: Actionable {
  let handle: @MainActor (Action, MutatingStore<State, Action>) async throws -> Void
  let recover: @MainActor (any Error, Action, MutatingStore<State, Action>) -> Void

  func onAction(_ action: Action, store: MutatingStore<State, Action>) async throws {
    try await handle(action, store)
  }

  func onError(_ error: any Error, action: Action, store: MutatingStore<State, Action>) {
    recover(error, action, store)
  }
}

enum OneHook: CaseIterable { case only }

enum ThreeHooks: CaseIterable { case first, second, third }

/// Connects hooks and handles actions with closures.
struct Hooking<State, Action, Hook: CaseIterable & Hashable>: Interactor {
  let connect: @MainActor (Hook, MutatingStore<State, Action>) -> Subscription
  let handle: @MainActor (Action, MutatingStore<State, Action>) async throws -> Void

  init(
    connect: @escaping @MainActor (Hook, MutatingStore<State, Action>) -> Subscription,
    handle: @escaping @MainActor (Action, MutatingStore<State, Action>) async throws -> Void = {
      _, _ in
    }
  ) {
    self.connect = connect
    self.handle = handle
  }

  func onAction(_ action: Action, store: MutatingStore<State, Action>) async throws {
    try await handle(action, store)
  }

  func subscription(for hook: Hook, store: MutatingStore<State, Action>) -> Subscription {
    connect(hook, store)
  }
}

/// Middleware made of a closure.
struct Wrapping<State, Action>: Middleware {
  typealias Next = @MainActor (Action) async throws -> Void
  let body: @MainActor (Action, MutatingStore<State, Action>, Next) async throws -> Void

  init(
    _ body: @escaping @MainActor (Action, MutatingStore<State, Action>, Next) async throws -> Void
  ) {
    self.body = body
  }

  func onAction(_ action: Action, store: MutatingStore<State, Action>, next: Next) async throws {
    try await body(action, store, next)
  }
}

struct Refusal: Error, Equatable {
  var reason = ""
}

@MainActor extension [ActionTask] {
  var isAnyCancelled: Bool { contains { $0.isCancelled } }
  var areAllCancelled: Bool { allSatisfy { $0.isCancelled } }
}
