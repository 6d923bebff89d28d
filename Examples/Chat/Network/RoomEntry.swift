import SignalboxSources
import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension RoomConnection {
  /// Connects to the room and waits for its greeting.
  ///
  /// If the room is not open and the address belongs to this machine, the room is opened first.
  func enter(_ room: inout Room?) throws -> RoomLines {
    // Several attempts, because other processes may be opening or closing the room meanwhile.
    for _ in 1...5 {
      do {
        return try greeted(connected())
      } catch RoomError.notOpen where room == nil {
        room = try openedUnlessTaken()
      } catch RoomError.gone {
        rest(until: .now + options.firstPause)
      }
    }
    throw RoomError.notARoom(address)
  }

  /// Why a room cannot be opened at an address that is taken.
  static func whatIs(at address: Address) -> any Error {
    do {
      let visitor = try RoomConnection(name: "", address: address) { _ in }
      _ = try visitor.greeted(visitor.connected())
      return RoomError.alreadyOpen(address)
    } catch RoomError.gone, RoomError.notOpen {
      return RoomError.notARoom(address)
    } catch {
      return error
    }
  }

  private func openedUnlessTaken() throws -> Room? {
    do {
      return try Room(at: address, limits: options.limits)
    } catch let error as SystemError {
      switch error.code {
      case EADDRINUSE:
        rest(until: .now + options.firstPause)
        return nil
      case EADDRNOTAVAIL:
        // The address belongs to another machine.
        throw RoomError.notOpen(address)
      default:
        throw RoomError.cannotOpen(address, error.description)
      }
    }
  }

  private func connected() throws -> Socket {
    let deadline = ContinuousClock.now + options.patience
    var failure = RoomError.notOpen(address)
    for endpoint in try address.resolve() {
      do {
        let socket = try Socket.connecting(to: endpoint)
        if try wait(for: socket, to: .write, until: deadline) {
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

  private func greeted(_ socket: Socket) throws -> RoomLines {
    let deadline = ContinuousClock.now + options.patience
    var lines = RoomLines(socket)
    while true {
      switch lines.next() {
      case .success(let line):
        guard case .greeting(let version) = RoomLine(line) else {
          throw RoomError.notARoom(address)
        }
        guard version == Wire.version else { throw RoomError.otherVersion(address, version) }
        return lines
      case .failure:
        throw RoomError.notARoom(address)
      case nil:
        guard try wait(for: socket, to: .read, until: deadline) else {
          throw RoomError.noGreeting(address)
        }
        guard lines.transfer(reading: true) else { throw RoomError.gone(address) }
      }
    }
  }
}
