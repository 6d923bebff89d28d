import ExampleTesting
import Testing

/// Records what a person sees of the form.
struct ScreenTests {
  private func form(columns: Int = 60, rows: Int = 10) throws -> Program {
    try .inTerminal("Form", [], screen: Screen(columns: columns, rows: rows))
  }

  @Test func `the mark is on the field that the hint is about`() async throws {
    let form = try form()
    await form.looks(
      like: """
        > name      ▏
          email
          password
          repeat
        Choose a name.
        """)
    form.type("ann\rann@example\r")
    await form.looks(
      like: """
          name      ann
          email     ann@example
        > password  ▏
          repeat
        Choose a password of 6 characters or more.
        """)
    form.type("hunter2\r\u{1B}[A\u{1B}[A\u{15}")
    await form.looks(
      like: """
          name      ann
        > email     ▏
          password  •••••••
          repeat
        Enter an email address, such as ann@example.org.
        The password is fair.
        """)
  }

  @Test func `Return with two different passwords says so, and stays at the second one`()
    async throws
  {
    let form = try form()
    await form.shows("Choose a name.")
    form.type("ann\rann@example.org\rhunter2\rhunter3")
    await form.looks(
      like: """
          name      ann
          email     ann@example.org
          password  •••••••
        > repeat    •••••••▏
        Repeat the password.
        The password is fair.
        """)
    form.type("\r")
    await form.looks(
      like: """
          name      ann
          email     ann@example.org
          password  •••••••
        ! repeat    •••••••▏
        The passwords differ. Repeat the password.
        The password is fair.
        """)
    form.type("\u{7F}")
    await form.looks(
      like: """
          name      ann
          email     ann@example.org
          password  •••••••
        > repeat    ••••••▏
        Repeat the password.
        The password is fair.
        """)
    form.type("2")
    await form.looks(
      like: """
          name      ann
          email     ann@example.org
          password  •••••••
          repeat    •••••••▏
        Return signs you up.
        The password is fair.
        """)
    form.type("\r")
    #expect(await form.exitCode() == 0)
    await form.looks(
      like: """
        Welcome, ann. You are member number 3.
        ▏
        """)
  }

  @Test func `Return moves to the field that is incomplete or refused`() async throws {
    let form = try form()
    await form.shows("Choose a name.")
    form.type("\u{1B}[B\u{1B}[B\u{1B}[B\r")
    await form.looks(
      like: """
        ! name      ▏
          email
          password
          repeat
        There is no name. Choose a name.
        """)
    // What a key changes counts for the next one, also if both arrive at once.
    form.type("bob\rbob@example\u{1B}[Bhunter2\rhunter2\r")
    await form.looks(
      like: """
        ! name      bob▏
          email     bob@example
          password  •••••••
          repeat    •••••••
        The name bob is taken. Choose another one.
        The password is fair.
        """)
  }

  @Test func `a narrower window leaves no stale line`() async throws {
    let form = try form()
    await form.shows("Choose a name.")
    form.type("0123456789 0123456789\r0123456789@example.org\r")
    await form.looks(
      like: """
          name      0123456789 0123456789
          email     0123456789@example.org
        > password  ▏
          repeat
        Choose a password of 6 characters or more.
        """)
    form.resize(columns: 24, rows: 10)
    await form.looks(
      like: """
          name       0123456789
          email     example.org
        > password  ▏
          repeat
        Choose a password of 6
        """)
  }
}
