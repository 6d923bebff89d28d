#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The address of a room, which is a host name or an IPv4 address, and a port.
struct Address: Hashable, Sendable, CustomStringConvertible {
  var host: String
  var port: UInt16

  // The port is below the range from which systems choose ports for outgoing connections.
  static let standard = Address(host: "127.0.0.1", port: 17345)

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Parses `host:port`.
  ///
  /// Returns `nil` for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isHost = { (character: Character) in
      character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
    }
    guard parts.count == 2, let port = UInt16(parts[1]), parts[1].allSatisfy(\.isNumber),
      !parts[0].isEmpty, parts[0].count <= 100, parts[0].allSatisfy(isHost)
    else { return nil }
    self.init(host: String(parts[0]), port: port)
  }

  var description: String { "\(host):\(port)" }

  /// The IPv4 addresses of the host.
  func resolve() throws -> [sockaddr_in] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_INET
    unsafe hints.ai_socktype = Socket.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      throw RoomError.unknownHost(host, unsafe String(cString: gai_strerror(code)))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [sockaddr_in] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe entry.pointee.ai_addr {
        let isInternet = unsafe Int32(address.pointee.sa_family) == AF_INET
        if isInternet {
          unsafe addresses.append(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self))
        }
      }
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }
}
