import SignalboxSources
import Terminal

/// The room's side of one connection.
///
/// It is not `Sendable`, because it stays on the thread of its room.
final class Guest {
  let socket: Socket
  let arrived: ContinuousClock.Instant
  var name: String?
  private(set) var isGone = false

  private var framer = LineFramer(limit: Wire.lineLimit)
  private var allowance: Allowance
  private let outboxLimit: Int
  private var outbox: [UInt8] = []
  private var sent = 0

  init(_ socket: Socket, limits: Room.Limits, now: ContinuousClock.Instant) {
    self.socket = socket
    arrived = now
    outboxLimit = limits.outbox
    allowance = Allowance(burst: limits.burst, perSecond: limits.perSecond, now: now)
  }

  var interest: Poll.Interest {
    var interest: Poll.Interest = []
    if !allowance.isSpent { interest.insert(.read) }
    if sent < outbox.count { interest.insert(.write) }
    return interest
  }

  /// When the room reads from the peer again.
  ///
  /// `nil` if it reads now.
  var resumes: ContinuousClock.Instant? { allowance.isSpent ? allowance.refilled : nil }

  func leave() {
    isGone = true
    socket.finishSending()
  }

  /// Reads one buffer at most, so that the other guests are served in between.
  func read(into buffer: inout [UInt8]) {
    switch socket.receive(into: &buffer) {
    case .bytes(let count):
      framer.append(buffer[..<count])
      allowance.spend(count)
    case .wouldBlock: break
    case .closed: leave()
    }
  }

  /// The next line, if the allowance permits one.
  func next(_ now: ContinuousClock.Instant) -> LineFramer.Item? {
    allowance.refill(now)
    guard !isGone, !allowance.isSpent, let item = framer.next() else { return nil }
    // A line also costs a fixed amount, because handling even a short one takes time.
    allowance.spend(256)
    return item
  }

  /// Queues a line.
  ///
  /// A peer that does not read is disconnected, so that its outbox cannot grow.
  func say(_ line: [UInt8]) {
    guard !isGone else { return }
    outbox.append(contentsOf: line)
    if outbox.count - sent > outboxLimit {
      flush()
      if outbox.count - sent > outboxLimit { leave() }
    }
  }

  func flush() {
    while !isGone, sent < outbox.count {
      switch socket.send(outbox[sent...]) {
      case .bytes(let count): sent += count
      case .wouldBlock: return compact()
      case .closed: leave()
      }
    }
    outbox.removeAll(keepingCapacity: true)
    sent = 0
  }

  private func compact() {
    guard sent > outboxLimit / 2 else { return }
    outbox.removeFirst(sent)
    sent = 0
  }

  var isFlushed: Bool { isGone || sent == outbox.count }
}

/// The number of bytes that a peer may still send: a burst, and then a number for each second.
///
/// The room does not read from a peer that has spent its allowance. The peer's own socket then
/// holds the peer back, and no bytes are lost.
struct Allowance {
  let burst: Int
  let perSecond: Int
  private(set) var isSpent = false
  private var left: Int
  private var updated: ContinuousClock.Instant

  init(burst: Int, perSecond: Int, now: ContinuousClock.Instant) {
    self.burst = burst
    self.perSecond = perSecond
    left = burst
    updated = now
  }

  // The room waits until a quarter of the burst is free. Waiting for a single byte would wake it
  // too often.
  private var resumption: Int { burst / 4 }

  var refilled: ContinuousClock.Instant {
    updated + .seconds(1) * (Double(resumption - left) / Double(perSecond))
  }

  mutating func spend(_ bytes: Int) {
    left -= bytes
    if left <= 0 { isSpent = true }
  }

  mutating func refill(_ now: ContinuousClock.Instant) {
    let earned = Int((now - updated) / .seconds(1) * Double(perSecond))
    guard earned > 0 else { return }
    left = min(burst, left + earned)
    updated = now
    if left >= resumption { isSpent = false }
  }
}
