import Dispatch
import Foundation
import SignalboxSources
import Terminal

/// A connection to a room.
///
/// It joins the room, reconnects when the connection is lost, and opens the room if no other
/// process does. It runs on its own thread and reports events from there.
final class RoomConnection: Sendable {
  enum Event: Equatable, Sendable {
    case joined(others: [String])
    /// The connection was lost and will be tried again.
    case lost(reason: String)
    /// The first attempt has failed, and there will be no other.
    case failed(reason: String)
    case heard(name: String, text: String)
    /// The room has accepted a message of this guest. All events come in the room's order.
    case said(text: String)
    case arrived(String)
    case left(String)
    case notice(String)
  }

  struct Options: Sendable {
    /// How long a room may take to greet.
    var patience: Duration = .seconds(30)
    /// How long a room may take to accept a message.
    var answer: Duration = .seconds(30)
    var firstPause: Duration = .milliseconds(50)
    var longestPause: Duration = .seconds(5)
    /// The number of unhandled reports at which the connection stops reading from the room.
    var backlog = 512
    var limits = Room.Limits()
  }

  let name: String
  let address: Address
  let options: Options
  private let report: @Sendable (Event) -> Void
  private let desk = Locked(Desk())
  private let waker: Waker
  private let ended = DispatchSemaphore(value: 0)

  /// The state that the thread and its clients share.
  private struct Desk {
    var isStarted = false
    var isJoined = false
    var isClosing = false
    var unhandled = 0
    var lastID = 0
    var unsent: [UInt8] = []
    var waiting: [Waiting] = []
  }

  /// A message that the room has not accepted yet.
  private struct Waiting {
    let id: Int
    let text: String
    let deadline: ContinuousClock.Instant
    let accepted: CheckedContinuation<Void, any Error>
  }

  /// Makes a connection that does nothing before `start()`.
  ///
  /// `report` is called on the connection's thread, in order.
  init(
    name: String, address: Address, options: Options = Options(),
    report: @escaping @Sendable (Event) -> Void
  ) throws {
    self.name = name
    self.address = address
    self.options = options
    self.report = report
    waker = try Waker()
  }

  func start() {
    let isFirst = desk.withLock { desk in
      guard !desk.isStarted, !desk.isClosing else { return false }
      desk.isStarted = true
      return true
    }
    guard isFirst else { return }
    Thread.detachNewThread { [self] in
      run()
      ended.signal()
    }
  }

  /// Returns when the room has accepted the text.
  ///
  /// Throws `RoomError` if it did not.
  func send(_ text: String) async throws {
    let bytes = text.utf8.count
    guard bytes <= Wire.textLimit else { throw RoomError.tooLong(bytes: bytes) }
    try await withCheckedThrowingContinuation { continuation in
      let isJoined = desk.withLock { desk in
        guard desk.isJoined else { return false }
        desk.lastID += 1
        desk.unsent += GuestLine.say(id: desk.lastID, text: text).line.asLine
        desk.waiting.append(
          Waiting(
            id: desk.lastID, text: text, deadline: .now + options.answer,
            accepted: continuation))
        return true
      }
      if isJoined {
        waker.wake()
      } else {
        continuation.resume(throwing: RoomError.notJoined)
      }
    }
  }

  /// Call this once for each report that has been handled.
  ///
  /// If a room sends faster than its reports are handled, the connection stops reading from it.
  func handled() {
    let wasFull = desk.withLock { desk in
      desk.unhandled -= 1
      return desk.unhandled == options.backlog - 1
    }
    if wasFull { waker.wake() }
  }

  /// Leaves the room, and closes the room if it was opened here.
  ///
  /// Takes two seconds at most.
  func close() {
    let isRunning = desk.withLock { desk in
      desk.isClosing = true
      return desk.isStarted
    }
    waker.wake()
    guard isRunning else { return }
    // The lookup of a host name can take much longer and cannot be stopped.
    if ended.wait(timeout: .now() + 2) == .success { ended.signal() }
  }

  // MARK: On the thread

  private var isClosing: Bool { desk.withLock(\.isClosing) }

  private func tell(_ event: Event) {
    desk.withLock { $0.unhandled += 1 }
    report(event)
  }

  private func run() {
    var room: Room?
    var hasJoined = false
    var pause = options.firstPause
    while !isClosing {
      do {
        var lines = try enter(&room)
        let others = try join(&lines)
        hasJoined = true
        pause = options.firstPause
        desk.withLock { $0.isJoined = true }
        tell(.joined(others: others))
        try converse(&lines)
      } catch {
        abandonMessages(because: error)
        if isClosing { break }
        if !hasJoined {
          tell(.failed(reason: "\(error)"))
          break
        }
        tell(.lost(reason: "\(error)"))
        rest(until: .now + pause)
        pause = min(pause * 2, options.longestPause)
      }
    }
    room?.close()
  }

  private func join(_ lines: inout RoomLines) throws -> [String] {
    let deadline = ContinuousClock.now + options.patience
    lines.write(GuestLine.join(name: name).line.asLine)
    while true {
      while let item = lines.next() {
        guard case .success(let line) = item else { continue }
        switch RoomLine(line) {
        case .welcome(let others): return others
        case .sorry(let reason): throw RoomError.refused(reason)
        default: continue
        }
      }
      try wait(for: &lines, until: deadline)
      if ContinuousClock.now >= deadline { throw RoomError.silent(address) }
    }
  }

  private func converse(_ lines: inout RoomLines) throws {
    while true {
      let deadline = desk.withLock { desk in
        lines.write(desk.unsent)
        desk.unsent = []
        return desk.waiting.first?.deadline
      }
      if let deadline, deadline <= .now { throw RoomError.silent(address) }
      while !isBehind, let item = lines.next() { understand(item) }
      try wait(for: &lines, until: deadline)
    }
  }

  private var isBehind: Bool { desk.withLock { $0.unhandled >= options.backlog } }

  private func understand(_ item: LineFramer.Item) {
    switch item {
    case .failure(.tooLong): tell(.notice("The room sent a line that is too long. It was ignored."))
    case .failure: tell(.notice("The room sent a line that is not UTF-8. It was ignored."))
    case .success(let line):
      switch RoomLine(line) {
      case .said(let name, let text): tell(.heard(name: name, text: text))
      case .joined(let name): tell(.arrived(name))
      case .left(let name): tell(.left(name))
      case .sorry(let reason): tell(.notice("\(RoomError.refused(reason))"))
      case .accepted(let id): accept(id)
      case .greeting, .welcome, nil:
        tell(.notice("The room sent a line that makes no sense. It was ignored."))
      }
    }
  }

  private func accept(_ id: Int) {
    let message = desk.withLock { desk in
      desk.waiting.firstIndex { $0.id == id }.map { desk.waiting.remove(at: $0) }
    }
    guard let message else { return }
    tell(.said(text: message.text.printable))
    message.accepted.resume()
  }

  private func abandonMessages(because error: any Error) {
    let messages = desk.withLock { desk in
      desk.isJoined = false
      desk.unsent = []
      defer { desk.waiting = [] }
      return desk.waiting
    }
    for message in messages { message.accepted.resume(throwing: error) }
  }

  /// Waits until bytes have been received or sent, or the thread has been woken.
  private func wait(for lines: inout RoomLines, until deadline: ContinuousClock.Instant?) throws {
    var interest: Poll.Interest = isBehind ? [] : .read
    if !lines.isFlushed { interest.insert(.write) }
    var poll = Poll()
    let woken = poll.add(waker.descriptor, for: .read)
    let socket = poll.add(lines.socket.descriptor, for: interest)
    poll.wait(until: deadline)
    if poll.isReady(woken) { waker.drain() }
    if isClosing { throw RoomError.closing }
    if poll.isReady(socket), !lines.transfer(reading: interest.contains(.read)) {
      throw RoomError.gone(address)
    }
  }

  /// Waits until a deadline or until the connection is closed.
  func rest(until deadline: ContinuousClock.Instant) {
    var isLate = false
    while !isLate, !isClosing {
      var poll = Poll()
      _ = poll.add(waker.descriptor, for: .read)
      isLate = !poll.wait(until: deadline)
      if !isLate { waker.drain() }
    }
  }

  /// Waits until the socket is ready.
  ///
  /// Returns `false` if the deadline comes first.
  func wait(
    for socket: Socket, to interest: Poll.Interest, until deadline: ContinuousClock.Instant
  ) throws -> Bool {
    while true {
      var poll = Poll()
      let woken = poll.add(waker.descriptor, for: .read)
      let index = poll.add(socket.descriptor, for: interest)
      guard poll.wait(until: deadline) else { return false }
      if poll.isReady(woken) { waker.drain() }
      if isClosing { throw RoomError.closing }
      if poll.isReady(index) { return true }
    }
  }
}
