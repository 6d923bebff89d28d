import Dispatch
import Foundation
import Terminal

/// A room: what one says, everybody hears.
///
/// It lives on a thread of its own.
final class Room: Sendable {
  struct Limits: Sendable {
    var guests = 64
    /// Bytes that are kept for a peer that does not read.
    var outbox = 512 << 10
    /// Bytes that a peer may send at once, and then per second.
    var burst = 256 << 10
    var perSecond = 128 << 10
    /// For a peer that connects and does not say who it is.
    var patience: Duration = .seconds(60)
  }

  /// With the port that the system chose, if it was asked to choose one.
  let address: Address
  private let waker: Waker
  private let ended = DispatchSemaphore(value: 0)

  /// Opens a room, and throws `SystemError` if the address is taken or not of this machine.
  init(at address: Address, limits: Limits = Limits()) throws {
    let listener = try Socket.listen(at: address)
    let waker = try Waker()
    self.address = Address(host: address.host, port: listener.localPort ?? address.port)
    self.waker = waker
    // The thread has it alone, so that the address is free as soon as the room is closed.
    let handover = Locked<Socket?>(listener)
    Thread.detachNewThread { [ended] in
      Self.run(handover, waker, limits)
      ended.signal()
    }
  }

  private static func run(_ handover: Locked<Socket?>, _ waker: Waker, _ limits: Limits) {
    guard let listener = handover.withLock({ $0.take() }) else { return }
    var loop = RoomLoop(listener: listener, waker: waker, limits: limits)
    loop.run()
  }

  deinit {
    waker.wake()
  }

  /// Sends what is still to be sent, which takes a second at most, and lets everybody go.
  func close() {
    waker.wake()
    ended.wait()
    ended.signal()
  }
}
