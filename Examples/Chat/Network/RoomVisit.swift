import Dispatch
import Foundation
import Signalbox
import SignalboxSources
import Terminal

/// One stay in a room, from the connection to its end.
@MainActor
final class RoomVisit {
  typealias Event = RoomConnection.Event

  private enum Phase {
    case entering
    case joined
    case ended(RoomError)
  }

  /// A message that the room has not accepted yet.
  private struct Waiting {
    let text: String
    let accepted: CheckedContinuation<Void, any Error>
  }

  private let socket: Socket
  private let address: Address
  private let options: RoomConnection.Options
  private let lines: Signal<Result<String, any Error>>
  /// Writing may wait for the room.
  private let queue = DispatchQueue(label: "Chat.RoomVisit")
  private var phase = Phase.entering
  private var welcome: Event?
  private var waiting: [Int: Waiting] = [:]
  /// The message that the room has accepted with the latest event.
  private var accepted: Waiting?
  private var lastID = 0

  init(_ socket: Socket, _ address: Address, _ options: RoomConnection.Options) {
    self.socket = socket
    self.address = address
    self.options = options
    lines = .lines(of: FileHandle(fileDescriptor: socket.descriptor, closeOnDealloc: false))
  }

  var isJoined: Bool { if case .joined = phase { true } else { false } }

  /// Ends the visit, and all that waits for the room.
  func end(because error: RoomError) {
    if case .ended = phase { return }
    phase = .ended(error)
    // This also ends a read and a write that are in progress.
    socket.shutDown()
    hasPassedOn()
    let abandoned = waiting.values
    waiting = [:]
    for message in abandoned { message.accepted.resume(throwing: error) }
  }

  // MARK: Entering

  /// Waits for the greeting.
  func greet() async throws {
    try await inTime(or: .noGreeting(address)) {
      guard case .success(let line) = try await nextLine(),
        case .greeting(let version) = RoomLine(line)
      else { throw RoomError.notARoom(address) }
      guard version == Wire.version else { throw RoomError.otherVersion(address, version) }
    }
  }

  /// Joins the room and waits for its welcome.
  func join(as name: String) async throws {
    write(.join(name: name))
    try await inTime(or: .silent(address)) {
      while welcome == nil {
        guard case .success(let line) = try await nextLine() else { continue }
        switch RoomLine(line) {
        case .welcome(let others):
          welcome = .joined(others: others)
          phase = .joined
        case .sorry(let reason): throw RoomError.refused(reason)
        default: continue
        }
      }
    }
  }

  private func inTime(or error: RoomError, _ body: () async throws -> Void) async throws {
    let late = Signal.timer(every: options.patience).sink { self.end(because: error) }
    defer { late.cancel() }
    do {
      try await body()
    } catch {
      end(because: error as? RoomError ?? .gone(address))
      throw error
    }
  }

  // MARK: Talking

  /// Waits for the next event.
  ///
  /// Nothing is read before, so a room that sends too much has to wait.
  func next() async throws -> Event? {
    if let first = welcome.take() { return first }
    do {
      while true {
        if let event = event(of: try await nextLine()) { return event }
      }
    } catch {
      end(because: error as? RoomError ?? .gone(address))
      throw error
    }
  }

  /// Notes that the latest event has been passed on.
  ///
  /// A message is in the transcript before its sender continues.
  func hasPassedOn() {
    accepted.take()?.accepted.resume()
  }

  /// Returns when the room has accepted the text.
  func say(_ text: String) async throws {
    lastID += 1
    let id = lastID
    let late = Signal.timer(every: options.answer).sink { self.end(because: .silent(self.address)) }
    defer { late.cancel() }
    try await withCheckedThrowingContinuation { continuation in
      waiting[id] = Waiting(text: text, accepted: continuation)
      write(.say(id: id, text: text))
    }
  }

  private func write(_ line: GuestLine) {
    let bytes = line.line.asLine
    queue.async { [socket] in _ = socket.sendAll(bytes) }
  }

  private func nextLine() async throws -> Result<String, any Error> {
    let line = await lines.first()
    if case .ended(let error) = phase { throw error }
    guard let line else { throw RoomError.gone(address) }
    guard case .success(let text) = line, text.utf8.count > Wire.lineLimit else { return line }
    return .failure(LineError.tooLong(limit: Wire.lineLimit))
  }

  private func event(of line: Result<String, any Error>) -> Event? {
    switch line {
    case .failure(LineError.unreadable): nil
    case .failure(LineError.notUTF8):
      .notice("The room sent a line that is not UTF-8. It was ignored.")
    case .failure: .notice("The room sent a line that is too long. It was ignored.")
    case .success(let line):
      switch RoomLine(line) {
      case .said(let name, let text): .heard(name: name, text: text)
      case .joined(let name): .arrived(name)
      case .left(let name): .left(name)
      case .sorry(let reason): .notice("\(RoomError.refused(reason))")
      case .accepted(let id): accept(id)
      case .greeting, .welcome, nil:
        .notice("The room sent a line that makes no sense. It was ignored.")
      }
    }
  }

  private func accept(_ id: Int) -> Event? {
    guard let message = waiting.removeValue(forKey: id) else { return nil }
    accepted = message
    return .said(text: message.text.printable)
  }
}
