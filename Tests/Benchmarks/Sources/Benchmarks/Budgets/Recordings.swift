import Foundation
import Signalbox
import SignalboxTrace

/// Measures what a recorded change costs, with the text that another thread writes (R4).
@MainActor enum Recordings {
  static let comparisons = [
    Comparison("R4", "one of 100,000 elements changes and is recorded") {
      Sides(
        Subject("recorded", element(of: 100_000)),
        beside: [
          Subject("one of 10", element(of: 10)).unlimited,
          Logs.copied(Array(0..<100_000)).unlimited,
        ])
    },
    compared("an action that changes one number", most: 10) {
      let store = Store(state: Items(), actionable: Counter())
      return { count in for _ in 0..<count { store.dispatch(1) } }
    },
    compared("x += 1, unobserved", most: nil) {
      let (store, writing) = Writing.store(Items())
      return { count in
        for _ in 0..<count { writing.count += 1 }
        blackHole(store)
      }
    },
    compared("a store of 10 hooks, made and released", most: 3) { Stores.storesOfTenHooks },
  ]

  /// Compares work that is recorded with the same work without a recording.
  ///
  /// Only the time on the main actor counts. Another thread makes and writes the text.
  private static func compared(
    _ work: String, most: Double?, _ make: @escaping @MainActor () -> @MainActor (Int) -> Void
  ) -> Comparison {
    Comparison("R4", work) {
      // A recording lasts as long as its tape.
      var tapes: [Tape] = []
      let recorded = Subject("recorded", make()).between(
        { tapes.append(Tape()) }, { tapes.removeAll() })
      let other = Subject("not recorded", make())
      return Sides(recorded, beside: [most.map { other.atMost($0) } ?? other.unlimited])
    }
  }

  private struct Counter: Actionable {
    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async { store.count += action }
  }

  static let cliffs = [
    Cliff("recorded-beside", "a recorded change beside that many elements", pieces: 500) { size in
      let work = property(beside: size)
      return { work(500) }
    }
  ]

  /// Changes a property beside an array.
  static func property(beside size: Int) -> @MainActor (Int) -> Void {
    recorded(size) { items in items.count += 1 }
  }

  /// Changes an element of an array.
  static func element(of size: Int) -> @MainActor (Int) -> Void {
    var place = 0
    return recorded(size) { items in
      place = (place + 7_919) % size
      items.items[place] += 1
    }
  }

  private static func recorded(
    _ size: Int, _ change: @escaping @MainActor (MutatingStore<Items, Never>) -> Void
  ) -> @MainActor (Int) -> Void {
    let tape = Tape()
    let (store, writing) = Writing.store(Items(items: Array(0..<size)))
    // The first state is no part of the work.
    tape.recording.flush()
    return { count in
      for _ in 0..<count { change(writing) }
      tape.recording.flush()
      blackHole(store)
    }
  }

  /// A recording whose file is removed with it.
  @MainActor private final class Tape {
    private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    let recording: Recording

    init() {
      do { recording = try Recording.start(to: file) } catch { fatalError("\(error)") }
    }

    deinit {
      MainActor.assumeIsolated { [recording, file] in
        recording.stop()
        try? FileManager.default.removeItem(at: file)
      }
    }
  }
}
