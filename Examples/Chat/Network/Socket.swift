import Terminal

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A non-blocking TCP socket.
///
/// It is closed when it is released.
final class Socket: Sendable {
  let descriptor: Int32

  enum Transfer: Equatable {
    case bytes(Int)
    case wouldBlock
    case closed
  }

  #if canImport(Glibc)
  static let stream = Int32(SOCK_STREAM.rawValue)
  #else
  static let stream = SOCK_STREAM
  #endif

  private init(owning descriptor: Int32) throws {
    guard descriptor >= 0 else { throw SystemError.last }
    self.descriptor = descriptor
    try makeNonBlocking(descriptor)
    #if canImport(Darwin)
    set(SO_NOSIGPIPE)
    #endif
  }

  deinit {
    _ = close(descriptor)
  }

  static func listen(at address: Address) throws -> Socket {
    var failure = SystemError(code: EADDRNOTAVAIL)
    for endpoint in try address.resolve() {
      let socket = try Socket(owning: systemSocket(AF_INET, stream, 0))
      // Without this option, a room could not be reopened while its old connections time out.
      socket.set(SO_REUSEADDR)
      if unsafe endpoint.withAddress({ unsafe bind(socket.descriptor, $0, $1) }) == 0,
        systemListen(socket.descriptor, 64) == 0
      {
        return socket
      }
      failure = .last
    }
    throw failure
  }

  /// Makes a socket that begins to connect.
  ///
  /// The socket can be written to once `finishConnecting` has returned.
  static func connecting(to endpoint: sockaddr_in) throws -> Socket {
    let socket = try Socket(owning: systemSocket(AF_INET, stream, 0))
    socket.prepareForConversation()
    let code = unsafe endpoint.withAddress { unsafe connect(socket.descriptor, $0, $1) }
    guard code == 0 || errno == EINPROGRESS || errno == EINTR else { throw SystemError.last }
    return socket
  }

  /// Call this when the socket has become writable.
  ///
  /// Throws if it has not connected.
  func finishConnecting() throws {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
      throw SystemError.last
    }
    guard code == 0 else { throw SystemError(code: code) }
    // If no process listens and the system happens to choose the same port for this end, TCP
    // connects the socket to itself.
    if let port = localPort, port == remotePort { throw SystemError(code: ECONNREFUSED) }
  }

  /// Accepts the next connection.
  ///
  /// Returns `nil` if none is waiting.
  func accept() throws -> Socket? {
    while true {
      let peer = unsafe systemAccept(descriptor, nil, nil)
      if peer >= 0 {
        let socket = try Socket(owning: peer)
        socket.prepareForConversation()
        return socket
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return nil
      default: throw SystemError.last
      }
    }
  }

  func receive(into buffer: inout [UInt8]) -> Transfer {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .closed }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .closed
    }
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Transfer {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    while true {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe systemSend(descriptor, $0.baseAddress, $0.count, flags)
      }
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .closed
    }
  }

  /// Sends all of the bytes, and waits for the peer if necessary.
  ///
  /// Returns `false` if the peer has gone.
  func sendAll(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch send(rest) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: wait(to: .write, until: nil)
      case .closed: return false
      }
    }
    return true
  }

  /// Waits until the socket is ready.
  ///
  /// Returns `false` if the deadline comes first.
  @discardableResult
  func wait(to interest: Poll.Interest, until deadline: ContinuousClock.Instant?) -> Bool {
    var poll = Poll()
    _ = poll.add(descriptor, for: interest)
    return poll.wait(until: deadline)
  }

  /// Ends both sides at once.
  func shutDown() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Frees the address at once.
  ///
  /// Closing alone would not do. While this process starts another program, that program holds the
  /// open descriptors until it runs.
  func stopListening() {
    shutDown()
  }

  /// Ends the sending side.
  ///
  /// Bytes that were sent before still arrive.
  func finishSending() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  var localPort: UInt16? {
    unsafe port { unsafe getsockname(descriptor, $0, $1) }
  }

  private var remotePort: UInt16? {
    unsafe port { unsafe getpeername(descriptor, $0, $1) }
  }

  private func port(
    _ name: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe name($0, &length) }
    }
    return code == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  private func prepareForConversation() {
    // Detects, after a while, that the machine of a peer has disappeared.
    set(SO_KEEPALIVE)
    set(TCP_NODELAY, level: Int32(IPPROTO_TCP))
  }

  func set(_ option: Int32, level: Int32 = SOL_SOCKET, to value: Int32 = 1) {
    var value = value
    // Errors are ignored, because a socket works without any of these options.
    _ = unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

extension sockaddr_in {
  fileprivate func withAddress(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafePointer(to: self) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

// `Socket` has methods with the names of these system functions, which would hide them.
private func systemSocket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 {
  socket(domain, type, `protocol`)
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
  listen(descriptor, backlog)
}

@unsafe private func systemAccept(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
  _ length: UnsafeMutablePointer<socklen_t>?
) -> Int32 {
  unsafe accept(descriptor, address, length)
}

@unsafe private func systemSend(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(descriptor, bytes, count, flags)
}
