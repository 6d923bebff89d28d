import Foundation
import Synchronization

/// The work of a store under test that has begun and has not ended.
///
///     begin ──▶ busy ──▶ asleep on a test clock ──▶ busy ──▶ … ──▶ end
///
/// It is quiet when no work is busy. Pieces may change their state on any thread.
final class InFlight: Sendable {
  /// The state that the lock guards.
  private struct Ledger {
    var pieces: [Piece] = []
    var onQuiet: [@Sendable () -> Void] = []
    var isQuiet: Bool { !pieces.contains(where: \.isBusy) }
  }

  /// What a piece of work is doing.
  enum State: Equatable {
    case busy
    /// Sleeps on a test clock.
    case asleep
    /// Waits for other work.
    case waiting
    /// Waits for an outside source.
    case listening
  }

  /// One piece of work.
  ///
  /// The tasks that it starts find it in `current`.
  final class Piece: Sendable {
    @TaskLocal static var current: Piece?
    private static let count = Atomic(0)

    /// The number of the piece that began last.
    static var lastNumber: Int { count.load(ordering: .relaxed) }

    fileprivate let name: String
    /// Grows from piece to piece, across all stores.
    let number: Int
    private let owner: InFlight
    // Guarded by the owner's lock.
    private nonisolated(unsafe) var sleeping = 0
    private nonisolated(unsafe) var waiting = 0
    private nonisolated(unsafe) var listening = 0

    // Read `isBusy` and `state` only while holding the owner's lock.
    fileprivate var isBusy: Bool { state == .busy }

    fileprivate var state: State {
      if unsafe sleeping > 0 { return .asleep }
      if unsafe waiting > 0 { return .waiting }
      return unsafe listening > 0 ? .listening : .busy
    }

    fileprivate init(_ name: String, in owner: InFlight) {
      self.name = name
      number = Self.count.add(1, ordering: .relaxed).newValue
      self.owner = owner
    }

    /// Records that one of its tasks goes to sleep on a test clock.
    func park() { owner.change { _ in unsafe sleeping += 1 } }

    /// Records that one of its sleeping tasks is about to wake.
    func wake() { owner.change { _ in unsafe sleeping -= 1 } }

    /// Records that one of its tasks waits for other work.
    ///
    /// The other work is what may be busy.
    func beginWaiting() { owner.change { _ in unsafe waiting += 1 } }

    /// Records that the other work has ended.
    func endWaiting() { owner.change { _ in unsafe waiting -= 1 } }

    /// Records that one of its tasks waits for an outside source.
    func beginListening() { owner.change { _ in unsafe listening += 1 } }

    /// Records that the outside source has sent something.
    func endListening() { owner.change { _ in unsafe listening -= 1 } }

    func end() { owner.change { $0.pieces.removeAll { $0 === self } } }
  }

  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var ledger = Ledger()

  func begin(_ name: String) -> Piece {
    let piece = Piece(name, in: self)
    change { $0.pieces.append(piece) }
    return piece
  }

  var isQuiet: Bool { lock.withLock { unsafe ledger.isQuiet } }

  /// Calls `body` as soon as no work is busy, which may be at once.
  ///
  /// Any thread may make the call.
  func whenQuiet(_ body: @escaping @Sendable () -> Void) {
    let isQuiet = lock.withLock {
      if unsafe !ledger.isQuiet { unsafe ledger.onQuiet.append(body) }
      return unsafe ledger.isQuiet
    }
    if isQuiet { body() }
  }

  /// The names and states of the work in flight, in the order in which it began.
  var names: [(name: String, state: State)] {
    lock.withLock { unsafe ledger.pieces.map { ($0.name, $0.state) } }
  }

  private func change(_ body: (inout Ledger) -> Void) {
    let callbacks = lock.withLock {
      unsafe body(&ledger)
      guard unsafe ledger.isQuiet else { return [@Sendable () -> Void]() }
      defer { unsafe ledger.onQuiet = [] }
      return unsafe ledger.onQuiet
    }
    for callback in callbacks { callback() }
  }
}
