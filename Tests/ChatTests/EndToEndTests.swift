import ExampleTesting
import Foundation
import Testing

@testable import Chat

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tests the program as users run it, with real processes, terminals and sockets.
struct EndToEndTests {
  private let place: ReservedAddress
  private let folder: TemporaryFolder

  init() throws {
    place = try ReservedAddress()
    folder = try TemporaryFolder()
  }

  private var room: String { place.address.description }

  private func terminal(_ name: String) throws -> Program {
    try .inTerminal("--name", name, "--room", room, drafts: folder.path)
  }

  private func script(_ name: String) throws -> Program {
    try .betweenPipes("--name", name, "--room", room)
  }

  // MARK: Talking

  @Test func `the first chat opens the room, the second joins it, and they talk`() async throws {
    let ada = try terminal("ada")
    await ada.shows("You are in the room at \(room). Nobody else is here.")
    let bea = try terminal("bea")
    await bea.shows("You are in the room at \(room). With you: ada.")
    await ada.shows("bea has joined.")
    ada.type("Grüße 🙂\r")
    await ada.shows("ada: Grüße 🙂")
    await bea.shows("ada: Grüße 🙂")
    bea.type("helo\u{7F}lo\r")
    await bea.shows("bea: hello")
    await ada.shows("bea: hello")
    bea.type("\u{4}")
    #expect(await bea.exitCode() == 0)
    await ada.shows("bea has left.")
    ada.type("\u{3}")
    #expect(await ada.exitCode() == 0)
  }

  @Test func `lines that are typed ahead are sent one by one`() async throws {
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    ada.type("one\rtwo\rthree\rfour\rand a draft")
    for text in ["one", "two", "three", "four"] { await ada.shows("ada: \(text)") }
    await ada.shows("ada> and a draft")
    ada.type("\u{3}")
    #expect(await ada.exitCode() == 0)
    #expect(folder.draft == "and a draft")
  }

  @Test func `two terminals of one user are two guests`() async throws {
    let arguments = ["--room", room]
    let first = try Program.inTerminal(arguments[0], arguments[1], drafts: folder.path, user: "eva")
    await first.shows("eva> ")
    await first.shows("You are in the room")
    let second = try Program.inTerminal(
      arguments[0], arguments[1], drafts: folder.path, user: "eva")
    await first.shows("eva-2 has joined.")
    let third = try terminal("eva")
    await third.shows("On this machine, eva is already in the room at \(room).")
    #expect(await third.exitCode() == 1)
    second.signal(SIGTERM)
    #expect(await second.exitCode() == 128 + SIGTERM)
  }

  @Test func `the line adapts to the size of the window`() async throws {
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    ada.type("0123456789")
    await ada.shows("ada> 0123456789")
    ada.resize(columns: 13)
    await ada.shows("ada> 3456789")
  }

  // MARK: The draft

  @Test func `a draft outlives kill -9`() async throws {
    let watch = FolderWatch(folder)
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    ada.type("half a thou")
    #expect(await watch.sees("half a thou"))
    ada.signal(SIGKILL)
    #expect(await ada.exitCode() == 128 + SIGKILL)
    let again = try terminal("ada")
    await again.shows("You are in the room")
    await again.shows("ada> half a thou")
    again.type("ght\r")
    await again.shows("ada: half a thought")
    again.type("\u{3}")
    #expect(await again.exitCode() == 0)
    #expect(folder.draft == "")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a draft outlives a signal, to the last keystroke`(signal: Int32) async throws {
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    ada.type("to the last")
    await ada.shows("ada> to the last")
    ada.signal(signal)
    #expect(await ada.exitCode() == 128 + signal)
    #expect(folder.draft == "to the last")
    let again = try terminal("ada")
    await again.shows("ada> to the last")
  }

  @Test func `a draft outlives Ctrl-C, to the last keystroke`() async throws {
    let ada = try terminal("ada")
    await ada.shows("ada> ")
    ada.type("to the last\u{3}")
    #expect(await ada.exitCode() == 0)
    #expect(folder.draft == "to the last")
  }

  @Test func `a draft outlives its window`() async throws {
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    ada.type("to the last")
    await ada.shows("ada> to the last")
    ada.closeInput()
    #expect(await ada.exitCode() != nil)
    #expect(folder.draft == "to the last")
  }

  @Test func `a process that is killed while it saves leaves a whole draft`() async throws {
    let watch = FolderWatch(folder)
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    ada.type("seed")
    #expect(await watch.sees("seed"))
    for count in 1...200 { ada.type("\(count) ") }
    ada.signal(SIGKILL)
    #expect(await ada.exitCode() == 128 + SIGKILL)
    let whole = "seed" + (1...200).map { "\($0) " }.joined()
    let draft = try #require(folder.draft)
    #expect(whole.hasPrefix(draft) && draft.hasPrefix("seed"))
  }

  @Test func `an unwritable folder shows a message, and the chat continues`()
    async throws
  {
    let ada = try Program.inTerminal("--name", "ada", "--room", room, drafts: "/dev/null/drafts")
    await ada.shows("* What is stored cannot be read, so nothing is saved:")
    await ada.shows("  /dev/null/drafts/ada")
    await ada.shows("You are in the room")
    ada.type("x")
    await ada.shows("* What is stored cannot be read, so nothing is saved:")
    await ada.shows("  /dev/null/drafts/ada")
    ada.type("\r")
    await ada.shows("ada: x")
  }

  @Test func `a stuck window delays neither the draft nor the end`() async throws {
    let watch = FolderWatch(folder)
    let listener = try script("listener")
    await listener.complains("You are in the room")
    let ada = try Program.inTerminal(
      "--name", "ada", "--room", room, drafts: folder.path, isStuck: true)
    await listener.complains("ada has joined.")
    let flooder = try await Peer.joined("flooder", at: place.address)
    let text = String(repeating: "x", count: Wire.textLimit)
    for number in 1...20 { await flooder.say("say \(number) \(text)") }
    #expect(await flooder.lines.has("accepted 20"))
    ada.type("unseen")
    #expect(await watch.sees("unseen"))
    ada.signal(SIGTERM)
    #expect(await ada.exitCode() == 128 + SIGTERM)
    #expect(folder.draft == "unseen")
  }

  // MARK: Rooms that open and close

  @Test func `chats whose opener is killed report it and meet again`() async throws {
    let ada = try terminal("ada")
    await ada.shows("You are in the room")
    let bea = try terminal("bea")
    await bea.shows("With you: ada.")
    let cem = try terminal("cem")
    await cem.shows("You are in the room")
    bea.type("not yet")
    await bea.shows("bea> not yet")
    ada.signal(SIGKILL)
    for program in [bea, cem] {
      await program.shows("* The room at \(room) is gone. Reconnecting…")
      await program.shows("* You are in the room at \(room).")
    }
    bea.type(" sent\r")
    await bea.shows("bea: not yet sent")
    await cem.shows("bea: not yet sent")
  }

  @Test func `without a room a message stays in the draft, and a message is shown`() async throws {
    let impostor = try Impostor(at: place.address)
    let ada = try terminal("ada")
    let room = try await impostor.admit()
    await ada.shows("You are in the room")
    room.vanish()
    await ada.shows("is gone. Reconnecting…")
    ada.type("hello\r")
    await ada.shows("* There is no connection to the room. Your message is still in the draft.")
    await ada.shows("ada> hello")
    let back = try await impostor.admit()
    await ada.shows("You are in the room")
    ada.type("\r")
    #expect(await back.lines.has("say 1 hello"))
    await back.say("accepted 1")
    await ada.shows("ada: hello")
  }

  @Test func `a room can be served only once`() async throws {
    let server = try Program.betweenPipes("--serve", "--room", "127.0.0.1:0")
    await server.shows("The room is open at ")
    let address = try #require(await server.output.line())
    let second = try Program.betweenPipes("--serve", "--room", String(address.dropLast()))
    await second.complains("A room is already open at \(address)")
    #expect(await second.exitCode() == 1)
    server.signal(SIGTERM)
    #expect(await server.exitCode() == 128 + SIGTERM)
  }

  @Test func `a port that is silent shows that the chat is connecting`() async throws {
    let impostor = try Impostor(at: place.address)
    let ada = try terminal("ada")
    _ = try await impostor.answer()
    // No more than this, because the chat gives the port up after a while.
    await ada.shows("* Connecting to the room at \(room)…")
  }

  @Test func `a port in use by another program shows a message`() async throws {
    let impostor = try Impostor(at: place.address)
    let sentence =
      "Port \(place.address.port) of 127.0.0.1 is in use by something that is not a chat room."
    for serves in [false, true] {
      let program = try Program.betweenPipes(serves ? "--serve" : "--name=ada", "--room", room)
      _ = try await impostor.answer(saying: ["220 mail.example.org ESMTP"])
      await program.complains(sentence)
      #expect(await program.exitCode() == 1)
    }
  }
}
