import Terminal

/// One connection to the room, as the room sees it.
///
/// Not `Sendable`: it never leaves the thread of its room.
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

  /// When it will be listened to again; `nil` if it is listened to.
  var resumes: ContinuousClock.Instant? { allowance.isSpent ? allowance.refilled : nil }

  func leave() {
    isGone = true
    socket.finishSending()
  }

  /// Keeps what the peer has said, one buffer at most: the others are served in between.
  func read(into buffer: inout [UInt8]) {
    switch socket.receive(into: &buffer) {
    case .bytes(let count):
      framer.append(buffer[..<count])
      allowance.spend(count)
    case .wouldBlock: break
    case .closed: leave()
    }
  }

  /// The next line that its allowance permits.
  func next(_ now: ContinuousClock.Instant) -> LineFramer.Item? {
    allowance.refill(now)
    guard !isGone, !allowance.isSpent, let item = framer.next() else { return nil }
    // However short it is, a line costs everybody else something.
    allowance.spend(256)
    return item
  }

  /// A peer that does not read is let go rather than remembered for.
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

/// How many bytes a peer may still send: a burst, and then so many a second.
///
/// Who has spent it is not read from, so that its own socket holds it back; nothing is lost.
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

  // Waiting for a quarter of the burst, not for the first byte, keeps the waking rare.
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
