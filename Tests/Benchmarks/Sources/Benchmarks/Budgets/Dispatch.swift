import Foundation
import Signalbox

/// Measures an action that does not suspend (B4).
@MainActor enum Dispatch {
  static let comparisons = [
    Comparison("B4", "a synchronous action") {
      let store = Store(state: Items(), actionable: Counter())
      let (written, writing) = Writing.store(Items())
      return Sides(
        Subject("dispatch") { count in
          for _ in 0..<count { store.dispatch(1) }
        },
        beside: [
          Subject("a bare Task.immediate") { count in
            guard #available(macOS 26, *) else { fatalError("Run the benchmarks on macOS 26.") }
            for _ in 0..<count { Task.immediate { @MainActor in writing.count += 1 } }
          }.atMost(1.4),
          Subject(
            "a Task each",
            awaiting: { count in
              var last: Task<Void, Never>?
              for _ in 0..<count { last = Task { @MainActor in writing.count += 1 } }
              await last?.value
              blackHole(written)
            }
          ).atMost(1),
        ])
    }
  ]

  private struct Counter: Actionable {
    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async { store.count += action }
  }

  static func dispatched(_ count: Int) {
    let store = Store(state: Items(), actionable: Counter())
    for _ in 0..<count { store.dispatch(1) }
    blackHole(store.state.count)
  }

  /// Dispatches as on systems without `Task.immediate`.
  ///
  /// No other dispatch may come before it, because the first one reads the environment.
  static func dispatchedInPlace(_ count: Int) {
    setenv("SIGNALBOX_OLDER_START", "1", 1)
    dispatched(count)
  }

  /// The floor for any work that starts at once.
  static func immediate(_ count: Int) {
    guard #available(macOS 26, *) else { fatalError("Run the benchmarks on macOS 26.") }
    let (store, writing) = Writing.store(Items())
    for _ in 0..<count { Task.immediate { @MainActor in writing.count += 1 } }
    blackHole(store)
  }
}
