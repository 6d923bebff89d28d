import ExampleTesting
import Foundation
import Testing

/// Tests the program as users run it, as a real process in a terminal or between pipes.
struct EndToEndTests {
  private let session: Session

  init() throws {
    session = try Session()
  }

  // MARK: In a terminal

  @Test func `a user fills in the fields one by one and signs up`() async throws {
    let form = try Program.inTerminal("Form", ["--log", session.log])
    await form.shows("Choose a name.")
    form.type("anne\t")
    await form.shows("Enter an email address")
    // The entry must be written by now, so that the file can be followed.
    #expect(try session.logged.contains("+   name: \"anne\""))
    form.type("ann@example.org\rhunter2\u{1B}[B")
    await form.shows("The password is fair.")
    // Moves up to the first field and back again.
    form.type("\u{1B}[A\u{1B}[A\u{1B}[A\u{7F}\u{1B}[Zhunter2")
    await form.shows("•••••••")
    await form.shows("Return signs you up.")
    form.type("\r")
    await form.shows("Asking for an account…")
    await form.shows("\u{1B}[?2004l")
    await form.shows("Welcome, ann. You are member number 3.")
    #expect(await form.exitCode() == 0)
    #expect(!form.output.text.contains("hunter2"))
    #expect(try !session.logged.contains("hunter2"))
  }

  @Test func `Return in the last field moves to the invalid one`() async throws {
    let form = try Program.inTerminal("Form", [])
    await form.shows("Choose a name.")
    form.type("\u{1B}[B\u{1B}[B\u{1B}[B\rann")
    await form.shows("name      ann")
    await form.shows("Enter an email address")
    form.type("\u{3}")
    #expect(await form.exitCode() == 0)
  }

  @Test func `lines that do not fit into the window are left out`() async throws {
    let form = try Program.inTerminal("Form", [])
    await form.shows("repeat")
    form.resize(columns: 12, rows: 6)
    await form.shows("Choose a na\u{1B}")
    form.resize(columns: 40, rows: 2)
    await form.shows("  email     \u{1B}")
    form.type("\t\t")
    await form.shows("  email     \u{1B}[K\r\n\r  password  \u{1B}[J")
  }

  // MARK: Between pipes

  @Test func `a script signs up`() async throws {
    let form = try session.script(
      says: "name ann", "email ann@example.org", "password hunter2", "repeat hunter2", "submit")
    #expect(await form.exitCode() == 0)
    #expect(await form.output.end())
    #expect(form.output.text == "Welcome, ann. You are member number 3.\n")
  }

  @Test func `the log is private, and a second session is appended to it`() async throws {
    for name in ["ann", "cleo"] {
      let form = try session.script("--log=\(session.log)", says: "name \(name)")
      #expect(await form.exitCode() == 1)
    }
    #expect(try session.logged.contains("+   name: \"ann\""))
    #expect(try session.logged.contains("+   name: \"cleo\""))
    let attributes = try FileManager.default.attributesOfItem(atPath: session.log)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `invalid input is reported and can be corrected`() async throws {
    let form = try session.script(
      says: "name bob", "email bob@example.org", "password hunter2", "repeat hunter", "submit",
      "repeat hunter2", "submit", "name bobby", "submit")
    #expect(await form.exitCode() == 0)
    await form.complains(
      """
      Repeat the password.
      The name bob is taken. Choose another one.

      """)
    #expect(await form.output.end())
    #expect(form.output.text == "Welcome, bobby. You are member number 3.\n")
  }

  @Test func `an invalid line prints a message that does not repeat the line`() async throws {
    let form = try session.script(says: "name ann", "hunter2")
    #expect(await form.exitCode() == 1)
    await form.complains("Line 2 begins with none of name, email, password, repeat, submit.")
    #expect(!form.errors.text.contains("hunter2"))
  }

  @Test func `an unwritable log prints a message and exits with 2`() async throws {
    let form = try session.script("--log", session.folder.path, says: "submit")
    #expect(await form.exitCode() == 2)
    await form.complains("\(session.folder.path) cannot be written: Is a directory.")
    await form.complains("usage: Form")
  }

  @Test func `help goes to standard output`() async throws {
    let form = try session.script("--help")
    await form.shows("usage: Form")
    #expect(await form.exitCode() == 0)
  }
}
