import ExampleTesting
import Terminal
import Testing

@testable import Chat

struct RoomTests {
  private static let local = Address(host: "127.0.0.1", port: 0)
  private let room: Room

  init() throws {
    // A busy machine may keep a guest from joining for longer than the usual patience.
    room = try Room(at: Self.local, limits: .init(patience: .seconds(600)))
  }

  @Test func `all guests receive messages, joins and leaves`() async throws {
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer.joined("bea", at: room.address)
    #expect(await ada.lines.has("joined bea"))
    await bea.say("say 7 hello: you")
    #expect(await bea.lines.has("accepted 7"))
    #expect(await ada.lines.has("said bea: hello: you"))
    bea.vanish()
    #expect(await ada.lines.has("left bea"))
  }

  @Test func `a new guest receives a greeting and the names of the others`() async throws {
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer(to: room.address)
    #expect(await bea.lines.has("signalbox-chat 1"))
    await bea.say("join bea")
    #expect(await bea.lines.has("welcome ada"))
    ada.vanish()
  }

  @Test func `all guests receive everything in the same order`() async throws {
    let names = ["ada", "bea", "cem"]
    var peers: [Peer] = []
    for name in names { peers.append(try await Peer.joined(name, at: room.address)) }
    let listener = try await Peer.joined("dan", at: room.address)
    let other = try await Peer.joined("eva", at: room.address)
    await withTaskGroup { group in
      for peer in peers {
        group.addTask { for number in 1...50 { await peer.say("say \(number) \(number)") } }
      }
    }
    for peer in peers {
      #expect(await peer.hears("accepted 50"))
    }
    for peer in peers { peer.vanish() }
    var heard: [[String]] = []
    for peer in [listener, other] {
      for _ in names { #expect(await peer.hears("left ")) }
      heard.append(peer.lines.all.filter { $0.hasPrefix("said ") })
    }
    #expect(heard[0].count == 150)
    #expect(heard[0] == heard[1])
  }

  @Test func `an invalid line is refused, and its sender stays`() async throws {
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer.joined("bea", at: room.address)
    await ada.say("say 1 " + String(repeating: "x", count: 100_000))
    #expect(await ada.lines.has("sorry A line can have at most 4096 bytes. That one was ignored."))
    await ada.send([0xFF, 0xFE, 0x0A])
    #expect(await ada.lines.has("sorry That line was not UTF-8 and was ignored."))
    await ada.say("GET / HTTP/1.1")
    #expect(await ada.lines.has("sorry The room did not understand that line."))
    await ada.say("say 2 " + String(repeating: "x", count: Wire.textLimit + 1))
    #expect(await ada.lines.has("sorry A message can have at most 4000 bytes."))
    await ada.say("say 3 still here")
    #expect(await bea.lines.has("said ada: still here"))
    #expect(!bea.lines.all.contains { $0.hasPrefix("said ada: x") })
  }

  @Test func `only guests with a valid name can send messages`() async throws {
    let nobody = try await Peer(to: room.address)
    await nobody.say("say 1 hello")
    #expect(await nobody.lines.has("sorry Join first."))
    await nobody.say("join a:b")
    #expect(await nobody.hears("sorry A name has no colon"))
    #expect(await nobody.lines.end())
  }

  @Test func `an incomplete line of a peer that vanishes is dropped`() async throws {
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer.joined("bea", at: room.address)
    await bea.send(Array("say 1 half".utf8))
    bea.vanish()
    #expect(await ada.lines.has("left bea"))
    #expect(!ada.lines.all.contains { $0.hasPrefix("said") })
  }

  @Test func `a peer that never reads is disconnected, and the others are served`() async throws {
    let room = try Room(
      at: Self.local, limits: .init(outbox: 64 << 10, burst: 1 << 30, perSecond: 1 << 30))
    let ada = try await Peer.joined("ada", at: room.address)
    let deaf = try await Peer.joined("deaf", at: room.address, deaf: true)
    #expect(await ada.lines.has("joined deaf"))
    let bea = try await Peer.joined("bea", at: room.address)
    let text = String(repeating: "x", count: 3_000)
    // As much as the socket buffers, plus as much as the room is willing to keep.
    for round in 1...1_000 where !ada.lines.all.contains("left deaf") {
      for number in 1...10 { await bea.say("say \(10 * round + number) \(text)") }
      #expect(await bea.lines.has("accepted \(10 * round + 10)"))
    }
    #expect(await ada.lines.has("left deaf"))
    await bea.say("say 0 still here")
    #expect(await ada.lines.has("said bea: still here"))
    deaf.vanish()
  }

  @Test func `a peer that sends too much is slowed down, and the others are served`() async throws {
    let room = try Room(at: Self.local, limits: .init(burst: 16 << 10, perSecond: 16 << 10))
    let clock = ContinuousClock()
    let start = clock.now
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer.joined("bea", at: room.address)
    let flooder = try await Peer.joined("flood", at: room.address)
    let flood = Array(String(repeating: "say 1 x\n", count: 2_000_000).utf8)
    async let flooding = flooder.send(flood)
    #expect(await ada.hears("said flood: x"))
    for number in 1...20 {
      await bea.say("say \(number) \(number)")
      #expect(await ada.lines.has("said bea: \(number)"))
    }
    let count = ada.lines.all.count { $0 == "said flood: x" }
    // The room admits 2,000 of these lines a second. A busy machine needs more seconds.
    #expect(Double(count) < 10_000 * (1 + (clock.now - start) / .seconds(1)))
    flooder.vanish()
    #expect(await !flooding)
  }

  @Test func `a peer that never ends a line is slowed down`() async throws {
    let room = try Room(at: Self.local, limits: .init(burst: 16 << 10, perSecond: 16 << 10))
    let ada = try await Peer.joined("ada", at: room.address)
    let flooder = try await Peer.joined("flood", at: room.address)
    async let flooding = flooder.send([UInt8](repeating: UInt8(ascii: "x"), count: 32 << 20))
    #expect(await flooder.hears("sorry A line can have"))
    await ada.say("say 1 hello")
    #expect(await ada.lines.has("accepted 1"))
    flooder.vanish()
    #expect(await !flooding)
  }

  @Test func `a peer that is slowed down loses nothing`() async throws {
    let room = try Room(at: Self.local, limits: .init(burst: 4 << 10, perSecond: 1 << 20))
    let ada = try await Peer.joined("ada", at: room.address)
    let script = try await Peer.joined("script", at: room.address)
    for number in 1...200 { await script.say("say \(number) \(number)") }
    #expect(await script.lines.has("accepted 200"))
    for number in 1...200 { #expect(await ada.lines.has("said script: \(number)")) }
  }

  @Test func `a peer that connects and sends nothing is disconnected`() async throws {
    let room = try Room(at: Self.local, limits: .init(patience: .milliseconds(50)))
    let nobody = try await Peer(to: room.address)
    #expect(await nobody.lines.end())
    #expect(nobody.lines.all == ["signalbox-chat 1"])
  }

  @Test func `a full room refuses a guest with a message`() async throws {
    let room = try Room(at: Self.local, limits: .init(guests: 1))
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer(to: room.address)
    #expect(await bea.lines.has(["signalbox-chat 1", "sorry The room is full."]))
    #expect(await bea.lines.end())
    ada.vanish()
  }

  @Test func `closing delivers pending messages and says goodbye to all guests`() async throws {
    let ada = try await Peer.joined("ada", at: room.address)
    let bea = try await Peer.joined("bea", at: room.address)
    for number in 1...100 { await bea.say("say \(number) \(number)") }
    #expect(await bea.lines.has("accepted 100"))
    await onThread { [room] in room.close() }
    #expect(await ada.lines.has("said bea: 100"))
    #expect(await ada.lines.end())
  }

  @Test func `an address in use is an error until its room is closed`()
    async throws
  {
    #expect(throws: SystemError.self) { try Room(at: room.address) }
    let ada = try await Peer.joined("ada", at: room.address)
    await onThread { [room] in room.close() }
    #expect(await ada.lines.end())
    let again = try Room(at: room.address)
    #expect(again.address == room.address)
  }
}
