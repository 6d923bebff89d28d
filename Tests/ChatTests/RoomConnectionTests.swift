import ExampleTesting
import Signalbox
import Terminal
import Testing

@testable import Chat

@MainActor
struct RoomConnectionTests {
  private static let local = Address(host: "127.0.0.1", port: 0)

  /// A connection, and what it reports.
  @MainActor
  private final class Visit {
    let events = Log<RoomConnection.Event>()
    let connection: RoomConnection
    private let recording: Subscription

    init(_ name: String, at address: Address, options: RoomConnection.Options = .patient()) {
      connection = RoomConnection(name: name, address: address, options: options)
      recording = connection.events.sink { [events] in events.append([$0]) }
      connection.start()
    }

    func close() { connection.close() }

    /// Expects the visit to join the room.
    func joins(sourceLocation: SourceLocation = #_sourceLocation) async {
      let joined = await events.first { if case .joined = $0 { true } else { false } }
      #expect(joined != nil, "Events: \(events.all)", sourceLocation: sourceLocation)
    }
  }

  @Test func `the first connection opens the room, and the second joins it`() async throws {
    let place = try ReservedAddress()
    let ada = Visit("ada", at: place.address)
    #expect(await ada.events.has(.joined(others: [])))
    let bea = Visit("bea", at: place.address)
    #expect(await bea.events.has(.joined(others: ["ada"])))
    #expect(await ada.events.has(.arrived("bea")))
    try await bea.connection.send("hello")
    #expect(await ada.events.has(.heard(name: "bea", text: "hello")))
    #expect(await bea.events.has(.said(text: "hello")))
    bea.close()
    #expect(await ada.events.has(.left("bea")))
    ada.close()
  }

  @Test func `many simultaneous connections share one room`() async throws {
    let place = try ReservedAddress()
    let visits = (1...8).map { Visit("guest-\($0)", at: place.address) }
    for visit in visits { await visit.joins() }
    try await visits[0].connection.send("hello")
    for visit in visits.dropFirst() {
      #expect(await visit.events.has(.heard(name: "guest-1", text: "hello")))
    }
    for visit in visits.reversed() { visit.close() }
  }

  @Test func `a lost room is reported, opened again and joined`() async throws {
    let room = try Room(at: Self.local, limits: RoomConnection.Options.patient().limits)
    let ada = Visit("ada", at: room.address)
    let bea = Visit("bea", at: room.address)
    for visit in [ada, bea] { await visit.joins() }
    await onThread { room.close() }
    for visit in [ada, bea] {
      #expect(await visit.events.has(.lost(reason: "The room at \(room.address) is gone.")))
      await visit.joins()
    }
    try await ada.connection.send("there you are")
    #expect(await bea.events.has(.heard(name: "ada", text: "there you are")))
    ada.close()
    bea.close()
  }

  @Test func `without a room a message is refused and not kept for later`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address)
    await #expect(throws: RoomError.notJoined) { try await ada.connection.send("hello") }
    let text = String(repeating: "x", count: 4_001)
    await #expect(throws: RoomError.tooLong(bytes: 4_001)) { try await ada.connection.send(text) }
    ada.close()
    await #expect(throws: RoomError.notJoined) { try await ada.connection.send("hello") }
  }

  @Test func `a message that the room never accepts is returned`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address)
    let room = try await impostor.answer()
    await room.say("signalbox-chat 1")
    #expect(await room.lines.has("join ada"))
    await room.say("welcome ")
    #expect(await ada.events.has(.joined(others: [])))
    let sending = Task { try await ada.connection.send("hello") }
    #expect(await room.lines.has("say 1 hello"))
    room.vanish()
    await #expect(throws: RoomError.gone(impostor.address)) { try await sending.value }
    ada.close()
  }

  @Test func `a room that does not answer a message counts as lost`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address, options: .patient(answer: .milliseconds(100)))
    _ = try await impostor.admit()
    #expect(await ada.events.has(.joined(others: [])))
    await #expect(throws: RoomError.silent(impostor.address)) {
      try await ada.connection.send("hello")
    }
    #expect(await ada.events.has(.lost(reason: "The room at \(impostor.address) does not answer.")))
    ada.close()
  }

  @Test func `a port with another protocol is recognized`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address)
    let server = try await impostor.answer()
    await server.say("SSH-2.0-OpenSSH_9.6")
    #expect(
      await ada.events.has(
        .failed(
          reason: "Port \(impostor.address.port) of 127.0.0.1 is in use by something that is not "
            + "a chat room.")))
    ada.close()
  }

  @Test func `a port that sends nothing is recognized`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address, options: .init(patience: .milliseconds(100)))
    let event = await ada.events.first { if case .failed = $0 { true } else { false } }
    #expect(event == .failed(reason: "\(RoomError.noGreeting(impostor.address))"))
    ada.close()
  }

  @Test func `another version of the protocol is recognized`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address)
    let server = try await impostor.answer()
    await server.say("signalbox-chat 2")
    #expect(
      await ada.events.has(.failed(reason: "\(RoomError.otherVersion(impostor.address, "2"))")))
    ada.close()
  }

  @Test func `an unknown host and a host other than this machine are errors`() async throws {
    // No label of a name has more than 63 bytes, so no name server is asked.
    let host = String(repeating: "x", count: 64) + ".invalid"
    let unknown = Visit("ada", at: Address(host: host, port: 1))
    let event = await unknown.events.first { $0 != .connecting }
    guard case .failed(let reason) = event else { return #expect(Bool(false), "\(event as Any)") }
    #expect(reason.hasPrefix("The host \(host) cannot be found"))
    unknown.close()
  }

  @Test func `invalid lines from a room show a notice and keep the connection`()
    async throws
  {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address)
    let room = try await impostor.admit()
    await room.say(String(repeating: "x", count: 10_000))
    #expect(
      await ada.events.has(.notice("The room sent a line that is too long. It was ignored.")))
    await room.send([0xFF, 0x0A])
    #expect(
      await ada.events.has(.notice("The room sent a line that is not UTF-8. It was ignored.")))
    await room.say("nonsense")
    #expect(
      await ada.events.has(.notice("The room sent a line that makes no sense. It was ignored.")))
    await room.say("said bea: \u{1B}[2Jhello")
    #expect(await ada.events.has(.heard(name: "bea", text: "\\u{1B}[2Jhello")))
    ada.close()
  }

  @Test func `a room that sends too much is slowed down, and nothing is lost`() async throws {
    let impostor = try Impostor()
    let entry = RoomEntry(name: "ada", address: impostor.address, options: .patient())
    async let room = impostor.admit()
    let visit = try await entry.visit()
    #expect(try await visit.next() == .joined(others: []))
    // The visit reads a line only when it is asked for the next event.
    let text = String(repeating: "x", count: Wire.textLimit)
    var count = 0
    while try await room.sendsAtOnce("said bea: \(count + 1) \(text)") { count += 1 }
    #expect(count > 0)
    for number in 1...count {
      #expect(try await visit.next() == .heard(name: "bea", text: "\(number) \(text)"))
    }
    entry.close()
  }

  @Test func `closing does not wait for a hanging room`() async throws {
    let impostor = try Impostor()
    let ada = Visit("ada", at: impostor.address)
    _ = try await impostor.answer()
    ada.close()
  }
}

extension RoomConnection.Options {
  /// Timeouts that are long enough for a busy machine, for tests of something else.
  fileprivate static func patient(answer: Duration = .seconds(3_600)) -> Self {
    var options = Self(patience: .seconds(3_600), answer: answer)
    options.limits.patience = .seconds(3_600)
    return options
  }
}
