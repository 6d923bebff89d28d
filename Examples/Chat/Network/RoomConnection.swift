import Signalbox
import SignalboxSources
import Terminal

/// A connection to a room.
///
/// It joins the room, reconnects when the connection is lost, and opens the room if no other
/// process does.
@MainActor
final class RoomConnection {
  enum Event: Equatable, Sendable {
    /// The first attempt is in progress.
    case connecting
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
    /// How long a room may take to connect, to greet, and to welcome a guest.
    var patience: Duration = .seconds(30)
    /// How long a room may take to accept a message.
    var answer: Duration = .seconds(30)
    /// How long to wait while other processes open or close the room.
    var pause: Duration = .milliseconds(50)
    var backoff = Backoff(from: .milliseconds(50), to: .seconds(5))
    var limits = Room.Limits()
  }

  let events = Emitter<Event>()
  private let entry: RoomEntry
  private let visits: Reconnecting<Event>
  private var subscriptions: Set<Subscription> = []
  private var hasJoined = false
  private var isClosed = false

  /// Makes a connection that does nothing before `start()`.
  convenience init(name: String, address: Address, options: Options = Options()) {
    let entry = RoomEntry(name: name, address: address, options: options)
    self.init(
      entry,
      visits: Reconnecting(backoff: options.backoff) {
        let visit = try await entry.visit()
        return AsyncThrowingStream { try await visit.next() }
      })
  }

  /// Makes a connection from the events of one visit after another.
  init(_ entry: RoomEntry, visits: Reconnecting<Event>) {
    self.entry = entry
    self.visits = visits
  }

  func start() {
    guard subscriptions.isEmpty, !isClosed else { return }
    visits.health.sink { [weak self] in self?.follow($0) }.store(in: &subscriptions)
    visits.sink { [weak self] in self?.pass($0) }.store(in: &subscriptions)
  }

  private func pass(_ event: Event) {
    events.send(event)
    entry.current?.hasPassedOn()
  }

  private func follow(_ health: ConnectionHealth) {
    switch health {
    case .idle: break
    case .connecting: if !hasJoined { events.send(.connecting) }
    case .up: hasJoined = true
    case .waiting(_, let reason) where hasJoined: events.send(.lost(reason: reason))
    case .waiting(_, let reason):
      close()
      events.send(.failed(reason: reason))
    }
  }

  /// Returns when the room has accepted the text.
  ///
  /// Throws `RoomError` if it did not.
  func send(_ text: String) async throws {
    let bytes = text.utf8.count
    guard bytes <= Wire.textLimit else { throw RoomError.tooLong(bytes: bytes) }
    guard let visit = entry.current, visit.isJoined else { throw RoomError.notJoined }
    try await visit.say(text)
  }

  /// Leaves the room, and closes the room if it was opened here, which takes a second at most.
  func close() {
    isClosed = true
    entry.close()
    subscriptions = []
  }
}
