import Instruments
import Signalbox

/// Measures the bytes of an object (B13) and the number of live objects.
@MainActor enum Memory {
  /// Prints a line for each measurement, with its name in `limits` and the number.
  static func report() async {
    print("B13-store", each { Store(state: Items(), actionable: Idle()) })
    let store = Store(state: Items(), actionable: Idle())
    print("B13-observer", each { store.publisher.count.sink { blackHole($0) } })
    let emitter = Emitter<Int>()
    let eleven = each {
      Store(state: Items(), interactor: Sensors<Eleven>(emitter: emitter))
    }
    let one = each { Store(state: Items(), interactor: Sensors<One>(emitter: emitter)) }
    print("B13-hook", (eleven - one) / 10)
    let waiting = Waiting()
    let suspended = Store(state: Items(), actionable: Suspended(waiting: waiting))
    print("B13-action", each { suspended.dispatch(1) })
    waiting.resume()
    print("remains-bytes", reads)
    print("remains-objects", await Remains.chain(16_000))
    blackHole(emitter)
  }

  /// The bytes of one of a thousand more, after a first thousand.
  private static func each<T>(_ make: () -> T) -> Int {
    var made: [T] = []
    made.reserveCapacity(2_000)
    for _ in 0..<1_000 { made.append(make()) }
    let before = bytes_in_use()
    for _ in 0..<1_000 { made.append(make()) }
    let bytes = bytes_in_use() - before
    blackHole(made)
    return (bytes + 500) / 1_000
  }

  /// The bytes that a read leaves behind.
  private static var reads: Int {
    let (store, _) = Writing.store(Rows())
    Remains.read(0..<1_000, of: store)
    let before = bytes_in_use()
    Remains.read(1_000..<16_000, of: store)
    let bytes = bytes_in_use() - before
    blackHole(store)
    return bytes / 15_000
  }

  private struct Idle: Actionable {
    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async {}
  }

  private struct Sensors<Hook: CaseIterable & Hashable>: Interactor {
    let emitter: Emitter<Int>

    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async {}

    func subscription(for hook: Hook, store: MutatingStore<Items, Int>) -> Subscription {
      emitter.assign(to: \.count, using: store)
    }
  }

  private enum One: CaseIterable { case a }
  private enum Eleven: CaseIterable { case a, b, c, d, e, f, g, h, i, j, k }

  private struct Suspended: Actionable {
    let waiting: Waiting

    func onAction(_ action: Int, store: MutatingStore<Items, Int>) async {
      await waiting.wait()
      store.count += action
    }
  }

  /// Holds suspended actions.
  ///
  /// It allocates no memory for each of them.
  @MainActor private final class Waiting {
    private var continuations: [UnsafeContinuation<Void, Never>] = []

    init() { continuations.reserveCapacity(2_000) }

    func wait() async {
      await withUnsafeContinuation { continuations.append($0) }
    }

    func resume() {
      let resumed = continuations
      continuations = []
      for continuation in resumed { continuation.resume() }
    }
  }
}
