import ExampleTesting
import Foundation
import SignalboxSources
import Terminal

@testable import Chat

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A plain socket that talks to a room or acts as one, correctly or not.
final class Peer: Sendable {
  let lines = Log<String>()
  private let socket: Locked<Socket?>

  /// Connects and records every received line, or none if it is `deaf`.
  ///
  /// The first lines are sent from the same thread, because a room does not wait until a busy
  /// machine continues the test.
  convenience init(
    to address: Address, saying greeting: [String] = [], deaf: Bool = false
  ) async throws {
    let socket = try Socket.connecting(to: address.resolve()[0])
    try await onThread {
      socket.wait(to: .write, until: nil)
      return Result {
        try socket.finishConnecting()
        socket.sendAll(greeting)
      }
    }.get()
    self.init(socket, deaf: deaf)
  }

  init(_ socket: Socket, deaf: Bool = false) {
    self.socket = Locked(socket)
    if deaf {
      // A small receive buffer, so that it is full soon.
      socket.set(SO_RCVBUF, to: 4 << 10)
    } else {
      let descriptor = dup(socket.descriptor)
      Thread.detachNewThread { [lines] in
        defer {
          _ = close(descriptor)
          lines.finish()
        }
        var framer = LineFramer(limit: 1 << 20)
        var buffer = [UInt8](repeating: 0, count: 8 << 10)
        while true {
          var poll = Poll()
          _ = poll.add(descriptor, for: .read)
          poll.wait(until: nil)
          let capacity = buffer.count
          let count = unsafe read(descriptor, &buffer, capacity)
          guard count > 0 || (count < 0 && errno == EAGAIN) else { return }
          framer.append(buffer[..<max(0, count)])
          while let item = framer.next() {
            if case .success(let line) = item { lines.append([line]) }
          }
        }
      }
    }
  }

  /// Joins a room and returns when the room has confirmed it.
  static func joined(_ name: String, at address: Address, deaf: Bool = false) async throws -> Peer {
    let peer = try await Peer(to: address, saying: ["join \(name)"], deaf: deaf)
    if !deaf { _ = await peer.hears("welcome") }
    return peer
  }

  @discardableResult
  func say(_ line: String) async -> Bool { await send(line.asLine) }

  /// Returns `false` if the other side has closed the connection.
  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool {
    guard let socket = socket.withLock(\.self) else { return false }
    return await onThread { socket.sendAll(bytes) }
  }

  /// Sends a line without waiting for the other side.
  ///
  /// Returns `false` if the other side has to read first. A part of the line may then be sent.
  func sendsAtOnce(_ line: String) -> Bool {
    let bytes = line.asLine
    return socket.withLock(\.self)?.send(bytes[...]) == .bytes(bytes.count)
  }

  /// Waits for a line with this beginning.
  func hears(_ beginning: String) async -> Bool {
    await lines.first { $0.hasPrefix(beginning) } != nil
  }

  /// Closes the connection without saying goodbye.
  func vanish() {
    guard let socket = socket.withLock({ $0.take() }) else { return }
    _ = shutdown(socket.descriptor, Int32(SHUT_RDWR))
  }

  deinit {
    vanish()
  }
}

/// A listener that is not a room of this program.
final class Impostor: Sendable {
  let address: Address
  let callers = Log<Int>()
  private let socket: Socket
  private let peers = Locked<[Peer]>([])

  init(at address: Address = Address(host: "127.0.0.1", port: 0)) throws {
    socket = try Socket.listen(at: address)
    self.address = Address(host: address.host, port: socket.localPort ?? 0)
  }

  /// Waits for a connection and lets it in as a room does.
  func admit() async throws -> Peer {
    try await answer(saying: ["signalbox-chat 1", "welcome "])
  }

  /// Waits for a connection.
  func answer(saying greeting: [String] = []) async throws -> Peer {
    let caller = await onThread { [socket] () -> Socket? in
      let patience = Patience()
      while patience.isLeft {
        socket.wait(to: .read, until: .now + .seconds(1))
        guard let caller = try? socket.accept() else { continue }
        // A peer that has closed its connection in the meantime will connect again.
        if !caller.hasHungUp, caller.sendAll(greeting) { return caller }
      }
      return nil
    }
    guard let caller else { throw RoomError.notOpen(address) }
    let peer = Peer(caller)
    peers.withLock { $0.append(peer) }
    return peer
  }
}

extension Socket {
  @discardableResult
  fileprivate func sendAll(_ lines: [String]) -> Bool { sendAll(lines.flatMap(\.asLine)) }

  fileprivate var hasHungUp: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }
}

/// An address of this machine without a listener, which no other socket receives.
final class ReservedAddress: Sendable {
  let address: Address
  private let descriptor: Int32

  init() throws {
    // The socket is bound but never listens. A room may share the address, and a socket that asks
    // for any port does not get it.
    let descriptor = socket(AF_INET, Socket.stream, 0)
    var on: Int32 = 1
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var endpoint = try Address(host: "127.0.0.1", port: 0).resolve()[0]
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &endpoint) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe (bind(descriptor, $0, length), getsockname(descriptor, $0, &length))
      }
    }
    self.descriptor = descriptor
    address = Address(host: "127.0.0.1", port: UInt16(bigEndian: endpoint.sin_port))
    #if !os(Linux)
    // Other systems cannot share a bound address, so another socket could take it first.
    _ = close(descriptor)
    #endif
  }

  deinit {
    #if os(Linux)
    _ = close(descriptor)
    #endif
  }
}
