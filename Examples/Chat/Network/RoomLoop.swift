import SignalboxSources
import Terminal

/// The loop of a room.
///
/// It waits in a single `poll` and never for a particular guest.
struct RoomLoop {
  let listener: Socket
  let waker: Waker
  let limits: Room.Limits
  private var guests: [Guest] = []
  private var buffer = [UInt8](repeating: 0, count: 8 << 10)
  // Set when the system has run out of descriptors. Without this pause, `poll` would report the
  // same waiting peer again and again.
  private var acceptsAgain: ContinuousClock.Instant?

  init(listener: Socket, waker: Waker, limits: Room.Limits) {
    self.listener = listener
    self.waker = waker
    self.limits = limits
  }

  /// Runs until the waker wakes it.
  mutating func run() {
    while true {
      var poll = Poll()
      let woken = poll.add(waker.descriptor, for: .read)
      let calling = poll.add(listener.descriptor, for: acceptsAgain == nil ? .read : [])
      let indices = guests.map { poll.add($0.socket.descriptor, for: $0.interest) }
      poll.wait(until: nextDeadline)
      if poll.isReady(woken) { break }

      let now = ContinuousClock.now
      for (guest, index) in zip(guests, indices) where poll.isReady(index) {
        if guest.interest.contains(.read) { guest.read(into: &buffer) }
      }
      for guest in guests {
        while let item = guest.next(now) { answer(item, from: guest) }
        if guest.name == nil, now - guest.arrived > limits.patience { guest.leave() }
      }
      if poll.isReady(calling) || acceptsAgain != nil { accept(now) }
      flushAndPart()
    }
    sayGoodbye()
  }

  private var nextDeadline: ContinuousClock.Instant? {
    let waits = guests.compactMap { guest in
      [guest.resumes, guest.name == nil ? guest.arrived + limits.patience : nil]
        .compactMap { $0 }.min()
    }
    return (waits + [acceptsAgain].compactMap { $0 }).min()
  }

  private mutating func accept(_ now: ContinuousClock.Instant) {
    if let acceptsAgain, now < acceptsAgain { return }
    acceptsAgain = nil
    do {
      while let socket = try listener.accept() {
        let guest = Guest(socket, limits: limits, now: now)
        guest.say(RoomLine.greeting(version: Wire.version).line.asLine)
        if guests.count >= limits.guests {
          refuse(guest, because: "The room is full.")
        } else {
          guests.append(guest)
        }
      }
    } catch {
      acceptsAgain = now + .seconds(1)
    }
  }

  private mutating func answer(_ item: LineFramer.Item, from guest: Guest) {
    switch item {
    case .failure(.tooLong):
      apologize(to: guest, "A line can have at most \(Wire.lineLimit) bytes. That one was ignored.")
    case .failure:
      apologize(to: guest, "That line was not UTF-8 and was ignored.")
    case .success(let line):
      switch (GuestLine(line), guest.name) {
      case (.join(let name), nil):
        guard Wire.isName(name) else {
          return refuse(guest, because: "A name has no colon, comma or control character in it.")
        }
        let others = guests.compactMap(\.name)
        guest.say(RoomLine.welcome(others: others).line.asLine)
        guest.name = name
        broadcast(.joined(name), except: guest)
      case (.say(let id, let text), let name?):
        guard text.utf8.count <= Wire.textLimit else {
          return apologize(to: guest, "A message can have at most \(Wire.textLimit) bytes.")
        }
        guest.say(RoomLine.accepted(id: id).line.asLine)
        broadcast(.said(name: name, text: text), except: guest)
      case (.say, nil):
        apologize(to: guest, "Join first.")
      default:
        apologize(to: guest, "The room did not understand that line.")
      }
    }
  }

  private func apologize(to guest: Guest, _ reason: String) {
    guest.say(RoomLine.sorry(reason).line.asLine)
  }

  private func refuse(_ guest: Guest, because reason: String) {
    apologize(to: guest, reason)
    guest.flush()
    guest.leave()
  }

  private func broadcast(_ line: RoomLine, except sender: Guest? = nil) {
    let bytes = line.line.asLine
    for guest in guests where guest !== sender && guest.name != nil { guest.say(bytes) }
  }

  private mutating func flushAndPart() {
    for guest in guests { guest.flush() }
    // Broadcasting that a guest has left may overfill the outbox of another guest.
    while let index = guests.firstIndex(where: \.isGone) {
      let guest = guests.remove(at: index)
      if let name = guest.name { broadcast(.left(name)) }
    }
  }

  private func sayGoodbye() {
    listener.stopListening()
    let deadline = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < deadline, !guests.allSatisfy(\.isFlushed) {
      var poll = Poll()
      for guest in guests where !guest.isFlushed {
        _ = poll.add(guest.socket.descriptor, for: .write)
      }
      poll.wait(until: deadline)
      for guest in guests { guest.flush() }
    }
    for guest in guests { guest.socket.finishSending() }
  }
}
