import SignalboxSources
import Terminal

/// Reads lines from a connected socket and writes bytes to it.
struct RoomLines {
  let socket: Socket
  private var framer = LineFramer(limit: Wire.lineLimit)
  private var outbox: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 8 << 10)

  init(_ socket: Socket) {
    self.socket = socket
  }

  var isFlushed: Bool { outbox.isEmpty }

  mutating func next() -> LineFramer.Item? { framer.next() }

  mutating func write(_ bytes: [UInt8]) {
    outbox += bytes
  }

  /// Sends and receives as much as is possible at once.
  ///
  /// Returns `false` if the peer has gone.
  mutating func transfer(reading: Bool) -> Bool {
    if !outbox.isEmpty {
      switch socket.send(outbox[...]) {
      case .bytes(let count): outbox.removeFirst(count)
      case .wouldBlock: break
      case .closed: return false
      }
    }
    guard reading else { return true }
    switch socket.receive(into: &buffer) {
    case .bytes(let count): framer.append(buffer[..<count])
    case .wouldBlock: break
    case .closed: return false
    }
    return true
  }
}
