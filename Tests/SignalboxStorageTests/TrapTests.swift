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

private struct Account: Equatable, Sendable {
  var login = Login()
  var other: Login? = Login()
  var logins: [Login] = []
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

  @Test("P2 a redacted value inside of an array is not saved, and the save says so")
  func inArray() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Account>("account", in: storage).property("logins", \.logins)
    let store = Store(state: Account(logins: [Login()]), hookable: Saving(saved: saved))
    await #expect(
      throws: SaveError.failed(
        "A saved property contains a @Redacted value, which is never saved.")
    ) { try await saved.flush() }
    #expect(storage.names == [])
    withExtendedLifetime(store) {}
  }

  @Test("P2 a status within a saved property traps, because showing it would be a change to save")
  func statusIsSaved() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      let saved = SavedState<Desk>("desk", in: MemoryStorage()).property("pad", \.pad)
      _ = Store<Desk, Never>(state: Desk(), hookable: Desking(saved: saved))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("must not lie in a saved property"))
  }
}

private struct Pad: Codable, Equatable, Sendable {
  var text = ""
  var saving = SaveStatus.saved
  enum CodingKeys: CodingKey { case text }
}

private struct Desk: Equatable, Sendable { var pad = Pad() }

private struct Desking: Hookable {
  let saved: SavedState<Desk>
  func subscription(for hook: NoteHook, store: MutatingStore<Desk, Never>) -> Subscription {
    saved.autosave(store, status: \.pad.saving)
  }
}
