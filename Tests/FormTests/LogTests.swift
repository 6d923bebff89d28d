import ExampleTesting
import Testing

/// Tests the log of scripts, which has diffs and causes and never a password.
struct LogTests {
  private let session: Session

  init() throws {
    session = try Session()
  }

  @Test func `each change is logged as a diff, with its cause`() async throws {
    let form = try session.script(
      "--log", session.log,
      says: "name ann", "email ann@example.org", "password hunter2", "repeat hunter2", "submit")
    let entries = try await session.entries(of: form)
    func isLogged(_ headline: String, _ lines: String...) -> Bool {
      entries.contains {
        $0.headline == "FormState: " + headline && lines.allSatisfy($0.lines.contains)
      }
    }
    #expect(entries.first?.headline == "FormState: started")
    #expect(isLogged("changed", "- name: \"\"", "+ name: \"ann\""))
    #expect(isLogged("changed", "- password: <redacted>", "+ password: <redacted>"))
    #expect(isLogged("hook passwordRated: <redacted> ← change"))
    #expect(isLogged("hook passwordsCompared: <redacted> ← change"))
    #expect(
      isLogged(
        "changed ← hook passwordsCompared", "- passwordsMatch: false", "+ passwordsMatch: true"))
    #expect(isLogged("changed ← hook signUpAllowed", "- canSignUp: false", "+ canSignUp: true"))
    #expect(
      isLogged(
        "changed ← FormAction.signUp", "- progress: Progress.idle", "+ progress: Progress.asking"))
    #expect(
      isLogged(
        "hook hintDue: \"Welcome, ann. You are member number 3.\" ← change ← FormAction.signUp"))
  }

  @Test func `no password is logged in a field, a hook or an error`()
    async throws
  {
    // Weak, fair, strong and mismatched passwords, none of which is part of another message.
    let form = try session.script(
      "--log", session.log,
      says: "name bob", "email bob@example.org", "password Zq#x", "repeat Zq#x", "submit",
      "password Zq#xv!kw", "repeat Zq#xv!kw", "submit", "password Zq#xv!kwYj$bn", "submit",
      "repeat Zq#xv!kwYj$bn", "Zq#xv!kw", "password", "repeat")
    _ = try await session.entries(of: form)
    let logged = try session.logged
    #expect(logged.contains("strength: PasswordStrength.strong"))
    #expect(logged.contains("The name bob is taken."))
    for piece in ["Zq", "#x", "v!", "kw", "Yj", "$b"] { #expect(!logged.contains(piece)) }
  }
}
