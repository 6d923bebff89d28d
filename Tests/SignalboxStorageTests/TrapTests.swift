import Signalbox
import SignalboxStorage
import Testing

private struct Login: Codable, Equatable, Sendable {
  var user = "ann"
  @Redacted var token = "s3cret"
  @Redacted var code = 7
  var initials: String {
    get { String(user.prefix(1)) }
    set { user = newValue }
  }
  var isAdult: Bool {
    get { true }
    set {}
  }
}

private final class Session {
  @Redacted var token = "s3cret"
}

private struct Visit {
  var session = Session()
}

private enum Access: Codable, Equatable, Sendable {
  case none
  case login(Login)
}

private final class Holder: Codable, Equatable, Sendable {
  let login = Login()
  init() {}
  // Takes the values out of their wrappers, so the encoder meets nothing that is redacted.
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(login.token)
  }
  static func == (one: Holder, other: Holder) -> Bool { one.login == other.login }
}

private struct Wrapping: Codable, Equatable, Sendable {
  var value: any Codable & Sendable = 0
  init(value: any Codable & Sendable = 0) { self.value = value }
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  static func == (one: Wrapping, other: Wrapping) -> Bool { false }
}

private struct Account: Equatable, Sendable {
  var login = Login()
  var other: Login? = Login()
  var logins: [Login] = []
  var some: [Login]? = []
  var byName: [String: Login] = [:]
  var access = Access.none
  var holder: Holder?
  var any = Wrapping()
  var password = "pass"
  var theme = "dark"
  var title: String {
    get { theme }
    set { theme = newValue }
  }
}

/// Misuse that stops the program, each with a sentence.
struct TrapTests {
  @Test("P2 naming a redacted property traps")
  func redacted() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Login>("login", in: MemoryStorage()).property("token", \.token)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Login>("login", in: MemoryStorage()).property("code", \.code)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("token", \.login.token)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("token", \.other!.token)
    }
  }

  @Test("P2 naming a redacted property of an object traps")
  func ofObject() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        SavedState<Visit>("visit", in: MemoryStorage()).property("token", \.session.token)
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("The property \"token\" of the SavedState \"visit\" is @Redacted"))
  }

  @Test("P2 naming a property that contains a redacted one traps with a sentence")
  func containing() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        @MainActor in
        SavedState<Account>("account", in: MemoryStorage()).property("login", \.login)
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("The property \"login\" of the SavedState \"account\" is @Redacted"))
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("other", \.other)
    }
  }

  @Test("P2 naming a property traps if its elements, payloads or objects have a redacted one")
  func containingInside() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("logins", \.logins)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("some", \.some)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("byName", \.byName)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("access", \.access)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Account>("account", in: MemoryStorage()).property("holder", \.holder)
    }
  }

  @Test("P2 naming a property that DebugStore.redact hides traps when it is used")
  func hidden() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      DebugStore.redact(\Account.password)
      var account = Account()
      SavedState<Account>("account", in: MemoryStorage()).property("password", \.password)
        .restore(into: &account)
    }
  }

  @Test("P2 properties beside a redacted one can be saved")
  @MainActor func beside() {
    SavedState<Login>("login", in: MemoryStorage()).property("user", \.user)
      .property("isAdult", \.isAdult)
    SavedState<Account>("account", in: MemoryStorage()).property("user", \.login.user)
      .property("theme", \.theme).property("title", \.title)
  }

  @Test("P2 mistakes in a declaration trap")
  func mistakes() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      _ = SavedState<Note>("", in: MemoryStorage())
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      _ = SavedState<Note>("note", version: 0, in: MemoryStorage())
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Note>("note", in: MemoryStorage()).property("a", \.draft).property("a", \.cursor)
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Note>("note", in: MemoryStorage()).migration(from: 1) { _ in }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      SavedState<Note>("note", version: 2, in: MemoryStorage()).migration(from: 1) { _ in }
        .migration(from: 1) { _ in }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      var note = Note()
      let saved = SavedState<Note>("note", in: MemoryStorage())
      saved.restore(into: &note)
      saved.property("draft", \.draft)
    }
  }
}

/// Redacted values that no type reveals.
@MainActor struct HiddenInsideTests {
  @Test("P2 a redacted value behind a protocol is not saved, and the save says so")
  func behindProtocol() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Account>("account", in: storage).property("any", \.any)
    let store = Store<Account, Never>(
      state: Account(any: Wrapping(value: Login())), hookable: Autosaving(saved: saved))
    await #expect(
      throws: SaveError.failed(
        "A saved property contains a @Redacted value, which is never saved.")
    ) { try await saved.flush() }
    #expect(storage.names == [])
    withExtendedLifetime(store) {}
  }

  private struct Denied: Error, CustomStringConvertible {
    @Redacted var token = "s3cret"
    var description: String { "not with \(token)" }
  }

  private struct Locked: Codable, Equatable, Sendable {
    func encode(to encoder: any Encoder) throws { throw Denied() }
  }

  private struct Safe: Sendable { var lock = Locked() }

  @Test("D4 why a save fails does not say what is redacted in the error")
  func error() async throws {
    let saved = SavedState<Safe>("safe", in: MemoryStorage()).property("lock", \.lock)
    let store = Store<Safe, Never>(state: Safe(), hookable: Autosaving(saved: saved))
    do {
      try await saved.flush()
      Issue.record("Nothing was thrown.")
    } catch {
      #expect("\(error)".contains("Denied") && !"\(error)".contains("s3cret"))
    }
    withExtendedLifetime(store) {}
  }
}
