import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The way into a room, which is opened first if it is not open.
@MainActor
final class RoomEntry {
  let name: String
  let address: Address
  let options: RoomConnection.Options
  /// The latest visit.
  private(set) var current: RoomVisit?
  /// The room, if it was opened here.
  private var room: Room?
  private var isClosed = false

  init(name: String, address: Address, options: RoomConnection.Options) {
    self.name = name
    self.address = address
    self.options = options
  }

  func close() {
    isClosed = true
    current?.end(because: .closing)
    room?.close()
    room = nil
  }

  /// Enters and joins the room.
  func visit() async throws -> RoomVisit {
    let visit = try await enter()
    try await visit.join(as: name)
    return visit
  }

  /// Connects to the room and waits for its greeting.
  ///
  /// If the room is not open and the address belongs to this machine, the room is opened first.
  private func enter() async throws -> RoomVisit {
    // Several attempts, because other processes may be opening or closing the room meanwhile.
    for _ in 1...5 {
      do {
        return try await greeted()
      } catch RoomError.notOpen where room == nil {
        try await open()
      } catch RoomError.gone {
        try await Task.sleep(for: options.pause)
      }
    }
    throw RoomError.notARoom(address)
  }

  /// Why a room cannot be opened at an address that is taken.
  static func whatIs(at address: Address) async -> any Error {
    let visitor = RoomEntry(name: "", address: address, options: .init())
    do {
      _ = try await visitor.greeted()
      return RoomError.alreadyOpen(address)
    } catch RoomError.gone, RoomError.notOpen {
      return RoomError.notARoom(address)
    } catch {
      return error
    }
  }

  private func greeted() async throws -> RoomVisit {
    let visit = RoomVisit(try await connected(), address, options)
    current = visit
    try await visit.greet()
    return visit
  }

  private func open() async throws {
    do {
      room = try await onThread { [address, options] in
        Result { try Room(at: address, limits: options.limits) }
      }.get()
      if isClosed { close() }
    } catch let error as SystemError {
      switch error.code {
      case EADDRINUSE: try await Task.sleep(for: options.pause)
      // The address belongs to another machine.
      case EADDRNOTAVAIL: throw RoomError.notOpen(address)
      default: throw RoomError.cannotOpen(address, error.description)
      }
    }
  }

  private func connected() async throws -> Socket {
    // Looking up a name blocks.
    try await onThread { [address, options] in
      Result { try Self.connected(to: address, until: .now + options.patience) }
    }.get()
  }

  private nonisolated static func connected(
    to address: Address, until deadline: ContinuousClock.Instant
  ) throws -> Socket {
    var failure = RoomError.notOpen(address)
    for endpoint in try address.resolve() {
      do {
        let socket = try Socket.connecting(to: endpoint)
        if socket.wait(to: .write, until: deadline) {
          try socket.finishConnecting()
          return socket
        }
        failure = .unreachable(address, "it does not answer")
      } catch let error as SystemError where error.code != ECONNREFUSED {
        failure = .unreachable(address, error.description)
      } catch is SystemError {}
    }
    throw failure
  }
}
