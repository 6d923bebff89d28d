import Signalbox

/// Sums that actions of an exploration write.
struct Sums: Equatable {
  var a = 0
  var b = 0
  var log: [Int] = []
}

typealias SumsHandle = MutatingStore<Sums, Int>

/// Actions and a hook as closures.
struct HookingSums: Interactor {
  enum Hook: CaseIterable { case sum }
  var hook: (@MainActor (SumsHandle) -> Subscription)?
  var handle: @MainActor (Int, SumsHandle) async throws -> Void = { _, _ in }

  func onAction(_ action: Int, store: SumsHandle) async throws {
    try await handle(action, store)
  }

  func subscription(for hook: Hook, store: SumsHandle) -> Subscription {
    self.hook?(store) ?? .empty
  }
}

/// Keeps a subscription of a scenario.
@MainActor final class Subscriptions {
  var last: Subscription?
}

/// Keeps the answers of a scenario in their order.
@MainActor final class Answers {
  var all: [Int] = []
  func add(_ answer: Int) { all.append(answer) }
}
