/// Gives orders to the bodies of work, and ignores cancellation.
@MainActor final class BodyService<Order: Sendable> {
  enum Occasion: Hashable {
    /// A body waits for an order or has returned.
    case body(Int)
    /// A run or request has ended.
    case end(Int)
    /// The work that a request starts at once has started.
    case call(Int)
    case result(Int)
  }

  private var bodies: [Int: CheckedContinuation<Order, Never>] = [:]
  private var happened: Set<Occasion> = []
  private var awaited: [Occasion: CheckedContinuation<Void, Never>] = [:]

  /// The numbers of the bodies that wait for an order.
  var waiting: Set<Int> { Set(bodies.keys) }

  /// Waits for the next order.
  func order(for number: Int) async -> Order {
    await withCheckedContinuation {
      bodies[number] = $0
      happened(.body(number))
    }
  }

  func tell(_ number: Int, _ order: Order) {
    happened.remove(.body(number))
    bodies.removeValue(forKey: number)?.resume(returning: order)
  }

  func happened(_ occasion: Occasion) {
    happened.insert(occasion)
    awaited.removeValue(forKey: occasion)?.resume()
  }

  func arrival(of occasion: Occasion) async {
    if happened.contains(occasion) { return }
    await withCheckedContinuation { awaited[occasion] = $0 }
  }
}
