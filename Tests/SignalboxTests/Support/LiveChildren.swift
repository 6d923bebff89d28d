@testable import Signalbox

/// The state of a child without actions of its own.
@MainActor protocol LeafKind { associatedtype State }

struct Leaf<Kind: LeafKind>: Interactor {
  let live: LiveChildren
  let name: String?

  init(_ live: LiveChildren, _ name: String?) { (self.live, self.name) = (live, name) }

  func onAction(_ action: Never, store: MutatingStore<Kind.State, Never>) {}

  func subscription(for hook: OnlyHook, store: MutatingStore<Kind.State, Never>) -> Subscription {
    name.map { live.track($0) } ?? .empty
  }
}

enum OnlyHook: CaseIterable { case only }

/// The names of the children that are live.
@MainActor final class LiveChildren {
  // In a batch, a child can begin before the one that it replaces, with the same name, has ended.
  private var counts: [String: Int] = [:]

  var names: Set<String> { Set(counts.keys) }

  func track(_ name: String) -> Subscription {
    counts[name, default: 0] += 1
    return Subscription { self.counts[name] = self.counts[name].flatMap { $0 == 1 ? nil : $0 - 1 } }
  }
}
