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
  enum Hook: CaseIterable { case changed }

  private struct Saving: Hookable {
    let saved: SavedState<Account>
    func subscription(for hook: Hook, store: MutatingStore<Account, Never>) -> Subscription {
      saved.autosave(store)
    }
  }

  @Test("P2 a redacted value behind a protocol is not saved, and the save says so")
  func behindProtocol() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Account>("account", in: storage).property("any", \.any)
    let store = Store(state: Account(any: Wrapping(value: Login())), hookable: Saving(saved: saved))
    await #expect(
      throws: SaveError.failed(
        "A saved property contains a @Redacted value, which is never saved.")
    ) { try await saved.flush() }
    #expect(storage.names == [])
    withExtendedLifetime(store) {}
  }
}

/// A status that shows must not be a change to save.
struct SavedStatusTests {
  @Test("P2 a status within a saved property traps, because showing it would be a change to save")
  func statusIsSaved() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      open(\.pad.saving) { $0.property("pad", \.pad) }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("must not lie in a saved property"))
  }

  @Test("P2 so does one that lies in a saved property through an optional or a computed property")
  func throughOthers() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      open(\.other!.saving) { $0.property("other", \.other) }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      open(\.computed.saving) { $0.property("pad", \.pad) }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      open(\.pad.saving) { $0.property("computed", \.computed) }
    }
  }

  @Test("P2 a computed property without == traps beside a status, which it cannot be told from")
  func withoutEquality() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      open(\.saving) { $0.property("plain", \.computedPlain) }
    }
    await #expect(processExitsWith: .failure) { @MainActor in
      open(\.saving) { $0.property("plain", \.plains["a"]) }
    }
  }

  @Test("P2 a status beside a stored property or one with == is shown, and saving comes to an end")
  @MainActor func beside() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Desk>("desk", in: storage).property("text", \.pad.text)
      .property("plain", \.plain).property("computed", \.computedText)
    let store = Store<Desk, Never>(state: Desk(), hookable: Desking(saved: saved, path: \.saving))
    store.binder.pad.text.wrappedValue = "a"
    try await saved.flush()
    try await saved.flush()
    #expect(store.saving == .saved)
    #expect(storage.writes == 1)
  }
}

@MainActor private func open(
  _ path: WritableKeyPath<Desk, SaveStatus>, _ add: (SavedState<Desk>) -> Void
) {
  let saved = SavedState<Desk>("desk", in: MemoryStorage())
  add(saved)
  _ = Store<Desk, Never>(state: Desk(), hookable: Desking(saved: saved, path: path))
}

private struct Pad: Codable, Equatable, Sendable {
  var text = ""
  var saving = SaveStatus.saved
  enum CodingKeys: CodingKey { case text }
}

/// Has no `==`.
private struct Plain: Codable, Sendable { var text = "" }

private struct Desk: Sendable {
  var pad = Pad()
  var other: Pad? = Pad()
  var plain = Plain()
  var plains: [String: Plain] = [:]
  var saving = SaveStatus.saved
  var computed: Pad {
    get { pad }
    set { pad = newValue }
  }
  var computedText: String {
    get { pad.text }
    set { pad.text = newValue }
  }
  var computedPlain: Plain {
    get { Plain(text: pad.text) }
    set { pad.text = newValue.text }
  }
}

private struct Desking: Hookable {
  let saved: SavedState<Desk>
  let path: WritableKeyPath<Desk, SaveStatus>
  func subscription(for hook: NoteHook, store: MutatingStore<Desk, Never>) -> Subscription {
    saved.autosave(store, status: path)
  }
}
