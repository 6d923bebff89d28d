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

/// Tests the program between pipes, as scripts run it.
struct ScriptTests {
  private let place: ReservedAddress

  init() throws {
    place = try ReservedAddress()
  }

  private func script(_ name: String) throws -> Program {
    try .betweenPipes("--name", name, "--room", place.address.description)
  }

  @Test func `a script sends its lines and ends when they have been delivered`() async throws {
    let listener = try script("listener")
    await listener.complains("You are in the room")
    let speaker = try script("speaker")
    speaker.type((1...200).map { "line \($0)\n" }.joined() + "no line end")
    speaker.closeInput()
    #expect(await speaker.exitCode() == 0)
    #expect(speaker.output.text == "")
    await listener.complains("speaker has left.")
    listener.signal(SIGTERM)
    #expect(await listener.output.end())
    #expect(
      listener.output.text == (1...200).map { "speaker: line \($0)\n" }.joined()
        + "speaker: no line end\n")
  }

  @Test func `a script continues when the room has been opened again`() async throws {
    let opener = try script("opener")
    await opener.complains("You are in the room")
    let listener = try script("listener")
    await listener.complains("With you: opener.")
    let speaker = try script("speaker")
    await listener.complains("speaker has joined.")
    speaker.type("before\n")
    await listener.shows("speaker: before\n")
    opener.signal(SIGKILL)
    await listener.complains("You are in the room")
    speaker.type("after\n")
    speaker.closeInput()
    #expect(await speaker.exitCode() == 0)
  }

  @Test func `a script sends a line again if the room has gone before it accepted it`() async throws
  {
    let impostor = try Impostor(at: place.address)
    let speaker = try script("speaker")
    let room = try await impostor.admit()
    speaker.type("one\ntwo\nthree")
    speaker.closeInput()
    #expect(await room.lines.has("say 1 one"))
    await room.say("accepted 1")
    #expect(await room.lines.has("say 2 two"))
    room.vanish()
    let next = try await impostor.admit()
    for (number, text) in [(1, "two"), (2, "three")] {
      #expect(await next.lines.has("say \(number) \(text)"))
      await next.say("accepted \(number)")
    }
    #expect(await speaker.exitCode() == 0)
  }

  @Test func `a script reports the lines that could not be sent`() async throws {
    let ada = try script("ada")
    ada.type("\n" + String(repeating: "x", count: 5_000) + "\n")
    ada.closeInput()
    await ada.complains("Line 2 has more than 4000 bytes and was not sent.")
    #expect(await ada.exitCode() == 1)
  }

  @Test func `control characters from the room are escaped in a script's output`() async throws {
    let listener = try script("listener")
    await listener.complains("You are in the room")
    let rogue = try await Peer.joined("rogue", at: place.address)
    await rogue.say("say 1 \u{1B}[2J\u{7}boo")
    await listener.shows("rogue: \\u{1B}[2J\\u{7}boo\n")
  }

  @Test(arguments: [["--nonsense"], ["--room", "nowhere"], ["--name"]])
  func `invalid arguments print the usage and exit with 2`(words: [String]) async throws {
    let program = try Program.betweenPipes(words[0], words.count > 1 ? words[1] : "--name")
    await program.complains("usage: Chat")
    #expect(await program.exitCode() == 2)
    #expect(program.output.text == "")
  }

  @Test func `help goes to standard output`() async throws {
    let program = try Program.betweenPipes("--help")
    await program.shows("usage: Chat")
    #expect(await program.exitCode() == 0)
  }
}
