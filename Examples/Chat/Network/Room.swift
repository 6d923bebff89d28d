import Dispatch
import Foundation
import Terminal

/// A room, which passes each guest's messages to all other guests.
///
/// It runs on its own thread.
final class Room: Sendable {
  struct Limits: Sendable {
    var guests = 64
    /// The number of bytes that are kept for a peer that does not read.
    var outbox = 512 << 10
    /// The number of bytes that a peer may send at once.
    var burst = 256 << 10
    /// The number of bytes that a peer may send in each second after that.
    var perSecond = 128 << 10
    /// How long a peer may take to join after it has connected.
    var patience: Duration = .seconds(60)
  }

  /// The address of the room.
  ///
  /// If the port was zero, it is the port that the system chose.
  let address: Address
  private let waker: Waker
  private let ended = DispatchSemaphore(value: 0)

  /// Opens a room.
  ///
  /// Throws `SystemError` if the address is taken or belongs to another machine.
  init(at address: Address, limits: Limits = Limits()) throws {
    let listener = try Socket.listen(at: address)
    let waker = try Waker()
    self.address = Address(host: address.host, port: listener.localPort ?? address.port)
    self.waker = waker
    // Only the thread holds the socket, so the address is free as soon as the room is closed.
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

  /// Sends the remaining lines, which takes a second at most, and disconnects all guests.
  func close() {
    waker.wake()
    ended.wait()
    ended.signal()
  }
}
