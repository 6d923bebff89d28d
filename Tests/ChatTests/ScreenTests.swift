import ExampleTesting
import Testing

@testable import Chat

/// Records what a person sees of the chat.
struct ScreenTests {
  private let place: ReservedAddress
  private let folder: TemporaryFolder

  init() throws {
    place = try ReservedAddress()
    folder = try TemporaryFolder()
  }

  // Each port has as many columns as any other one here.
  private var room: String { place.address.description }

  private func terminal(_ name: String, columns: Int, rows: Int = 12) throws -> Program {
    try .inTerminal(
      "Chat", ["--name", name, "--room", room],
      environment: ["CHAT_DRAFTS=\(folder.path)", "USER=someone"],
      screen: Screen(columns: columns, rows: rows))
  }

  @Test func `two people talk, and one of them leaves`() async throws {
    let ann = try terminal("ann", columns: 72)
    await ann.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). Nobody else is here.
        ann> ▏
        """)
    let bob = try terminal("bob", columns: 72)
    await bob.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). With you: ann.
        bob> ▏
        """)
    ann.type("Hi Bob!\rIs the tra")
    await ann.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). Nobody else is here.
        * bob has joined.
        ann: Hi Bob!
        ann> Is the tra▏
        """)
    bob.type("Lunch?\u{1B}[D\u{1B}[D")
    await bob.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). With you: ann.
        ann: Hi Bob!
        bob> Lunc▏h?
        """)
    bob.type("\u{3}")
    #expect(await bob.exitCode() == 0)
    await bob.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). With you: ann.
        ann: Hi Bob!
        ▏
        """)
    await ann.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). Nobody else is here.
        * bob has joined.
        ann: Hi Bob!
        * bob has left.
        ann> Is the tra▏
        """)
  }

  @Test func `a long message is not cut within words, in a window of any width`() async throws {
    let ann = try terminal("ann", columns: 60)
    await ann.shows("Nobody else is")
    ann.type("At the station, under the clock that is always five minutes late.\r")
    await ann.shows("ann: At the")
    ann.type("Is it still there, or at noon?")
    await ann.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). Nobody else is
          here.
        ann: At the station, under the clock that is always five
          minutes late.
        ann> Is it still there, or at noon?▏
        """)
    ann.resize(columns: 34, rows: 12)
    await ann.looks(
      like: """
        * Connecting to the room at
          \(room)…
        * You are in the room at
          \(room). Nobody else is
          here.
        ann: At the station, under the
          clock that is always five
          minutes late.
        ann>  it still there, or at noon?▏
        """)
    ann.resize(columns: 60, rows: 12)
    await ann.looks(
      like: """
        * Connecting to the room at \(room)…
        * You are in the room at \(room). Nobody else is
          here.
        ann: At the station, under the clock that is always five
          minutes late.
        ann> Is it still there, or at noon?▏
        """)
  }

  @Test func `a low window shows the latest lines`() async throws {
    let ann = try terminal("ann", columns: 60, rows: 5)
    await ann.shows("Nobody else is")
    for number in 1...4 { ann.type("This is message number \(number).\r") }
    await ann.looks(
      like: """
        ann: This is message number 1.
        ann: This is message number 2.
        ann: This is message number 3.
        ann: This is message number 4.
        ann> ▏
        """)
    ann.resize(columns: 20, rows: 5)
    await ann.looks(
      like: """
        ann: This is
          message number 3.
        ann: This is
          message number 4.
        ann> ▏
        """)
  }
}
