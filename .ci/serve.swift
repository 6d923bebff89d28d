// Serves a folder to browsers on this machine: serve FOLDER LIBRARY [PORT]

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@main struct Serve {
  static func main() {
    let words = CommandLine.arguments
    guard words.count > 2 else { stop("usage: serve FOLDER LIBRARY [PORT]") }
    // A browser may close a connection before it has read everything.
    signal(SIGPIPE, SIG_IGN)
    let ports = words.count > 3 ? UInt16(words[3]).map { [$0] } ?? [] : Array(8080...8179)
    for port in ports {
      guard let listener = listen(on: port) else { continue }
      print("http://localhost:\(port)/documentation/\(words[2].lowercased())")
      fflush(nil)
      while true {
        let connection = accept(listener, nil, nil)
        if connection >= 0 { answer(connection, from: URL(filePath: words[1])) }
      }
    }
    stop("The port is in use, or is not a port.")
  }

  /// Listens on the loopback interface; `nil` if the port is in use.
  static func listen(on port: UInt16) -> Int32? {
    #if canImport(Darwin)
    let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    #if canImport(Darwin)
    if isBound, Darwin.listen(listener, 64) == 0 { return listener }
    #elseif canImport(Musl)
    if isBound, Musl.listen(listener, 64) == 0 { return listener }
    #else
    if isBound, Glibc.listen(listener, 64) == 0 { return listener }
    #endif
    close(listener)
    return nil
  }

  /// Reads one request, sends one file and closes the connection.
  static func answer(_ connection: Int32, from folder: URL) {
    defer { close(connection) }
    // A browser that opens a connection and sends nothing must not block the others.
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var request = [UInt8](repeating: 0, count: 16_384)
    let count = read(connection, &request, request.count)
    let words = String(decoding: request.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    guard words.count > 1, words[0] == "GET" else { return }
    let path = words[1].prefix { $0 != "?" && $0 != "#" }
    let parts = (path.removingPercentEncoding ?? "").split(separator: "/")
    var file = parts.reduce(folder) { $0.appending(path: String($1)) }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
    if exists, isFolder.boolValue {
      file.append(path: "index.html")
    }
    let data = parts.contains("..") ? nil : try? Data(contentsOf: file)
    let status = data == nil ? "404 Not Found" : "200 OK"
    let body = data ?? Data("There is no \(path).\n".utf8)
    let head = """
      HTTP/1.1 \(status)\r
      Content-Type: \(data == nil ? "text/plain" : type(of: file))\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    send(Data(head.utf8) + body, to: connection)
  }

  static func send(_ data: Data, to connection: Int32) {
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = write(connection, start, rest.count)
        if count <= 0 { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  static func type(of file: URL) -> String {
    switch file.pathExtension {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript"
    case "css": "text/css"
    case "json": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    default: "application/octet-stream"
    }
  }

  static func stop(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(64)
  }
}
