import Foundation
import Synchronization

/// What a store under test has in flight: the work that has begun and is not over.
///
///     begin ──▶ busy ──▶ parked on a test clock ──▶ busy ──▶ … ──▶ end
///
/// It is quiet when nothing is busy. A clock parks and wakes from whatever thread sleeps there.
final class InFlight: Sendable {
  private struct Ledger {
    var pieces: [Piece] = []
    var onQuiet: [@Sendable () -> Void] = []
    var isQuiet: Bool { !pieces.contains(where: \.isBusy) }
  }

  /// What a piece of work is about.
  enum State: Equatable {
    case busy
    /// On a test clock.
    case asleep
    /// For other work.
    case waiting
    /// To what may come from outside.
    case listening
  }

  /// One piece of work, known to all tasks that it starts.
  final class Piece: Sendable {
    @TaskLocal static var current: Piece?
    private static let count = Atomic(0)

    /// The number of the piece that began last.
    static var lastNumber: Int { count.load(ordering: .relaxed) }

    fileprivate let name: String
    /// Grows from piece to piece, whatever their store.
    let number: Int
    private let owner: InFlight
    // Guarded by the owner's lock.
    private nonisolated(unsafe) var sleeping = 0
    private nonisolated(unsafe) var waiting = 0
    private nonisolated(unsafe) var listening = 0

    // To be asked with the owner's lock held, as is `state`.
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

    /// One of its tasks has gone to sleep on a test clock.
    func park() { owner.change { _ in unsafe sleeping += 1 } }

    /// One of its tasks is about to wake.
    func wake() { owner.change { _ in unsafe sleeping -= 1 } }

    /// One of its tasks waits for other work, and is no busier than that.
    func wait() { owner.change { _ in unsafe waiting += 1 } }

    /// One of its tasks waits for what comes from outside.
    func listen() { owner.change { _ in unsafe listening += 1 } }

    /// Something has come.
    func hear() { owner.change { _ in unsafe listening -= 1 } }

    /// What one of its tasks has waited for has ended.
    func goOn() { owner.change { _ in unsafe waiting -= 1 } }

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

  /// Calls back when nothing is busy: now, or as soon as that is so, from whatever thread.
  func whenQuiet(_ body: @escaping @Sendable () -> Void) {
    let isQuiet = lock.withLock {
      if unsafe !ledger.isQuiet { unsafe ledger.onQuiet.append(body) }
      return unsafe ledger.isQuiet
    }
    if isQuiet { body() }
  }

  /// What is in flight, in the order in which it began.
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
