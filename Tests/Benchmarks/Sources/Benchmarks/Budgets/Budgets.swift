/// The budgets of the library, and those of sources and saves, each with peers that do the same work.
@MainActor enum Budgets {
  static let all: [Comparison] =
    Mutation.comparisons + Observing.comparisons + Dispatch.comparisons
    + LargeArrays.comparisons + Emitters.comparisons
    + Transitions.comparisons + Diffs.comparisons + HookTests.comparisons + Explorations.comparisons
    + Builds.comparisons
    + Posts.comparisons
    + Stores.comparisons + Logs.comparisons + Features.comparisons + ChildRows.comparisons
    + LiveRows.comparisons + PendingWrites.comparisons
    + Saves.comparisons
    + Sources.comparisons
    + Recordings.comparisons + DerivedValues.comparisons

  /// The work that is counted in instructions.
  ///
  /// The argument is the number of repetitions.
  static let counted: [String: @MainActor (Int) -> Void] = [
    "B1": Mutation.unobserved, "B2": Mutation.observed, "B3": Observing.amongMany,
    "B4": Dispatch.dispatched, "B4-older": Dispatch.dispatchedInPlace,
    "B4-floor": Dispatch.immediate, "B6": Emitters.chained,
    "B7": Transitions.dispatched, "B12": Stores.storesOfTenHooks,
    "observer": Observing.oneMore, "share": Sources.sharedByOne, "share-more": Sources.sharedByMany,
    "C3-write": { Features.deep(0).write($0) },
    "C3-write-1": { Features.deep(1).write($0) },
    "C3": { Features.deep(16).write($0) },
    "C3-append": { Features.deep(0).append($0) },
    "C3-append-16": { Features.deep(16).append($0) },
    "C3-dispatch": { Features.deep(0).dispatch($0) },
    "C3-dispatch-16": { Features.deep(16).dispatch($0) },
    "C3-element": { Features.element(beside: 10_000).write($0) },
    "C3-value": { Features.value(beside: 10_000).write($0) },
    "C12-case": { LiveRows.inCase($0) }, "C12-optional": { LiveRows.inOptional($0) },
    "C17-append": { LiveRows.rows(10_000).append($0) },
    "C17-append-10": { LiveRows.rows(10).append($0) },
    "C17-write": { LiveRows.rows(10_000).write($0) },
    "C17-write-10": { LiveRows.rows(10).write($0) },
  ]
}
