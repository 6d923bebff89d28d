import Signalbox
import SignalboxTesting
import Testing

/// Tests redacted key paths, with separate types for each test because redaction is global.
@MainActor struct RedactionTests {
  private struct Account: Equatable, CustomStringConvertible {
    var name = "ann"
    var password = "s3cret"
    // Reveals everything, as descriptions in real code do.
    var description: String { "\(name):\(password)" }
  }

  private struct Vault: Equatable {
    var title = ""
    var account: Account? = Account()
    var accounts: [Account] = [Account()]
  }

  private enum Entry: Equatable {
    case unlock(Account)
    case rename(Account, to: String)
    case noise
  }

  private struct WrongAccount: Error { let account: Account }

  private enum Eye: CaseIterable { case title, account, password }

  private struct Keeper: Interactor {
    func onAction(_ entry: Entry, store: MutatingStore<Vault, Entry>) async throws {
      switch entry {
      case .unlock(let account): store.account = account
      case .rename(let account, let name):
        guard account.name == name else { throw WrongAccount(account: account) }
      case .noise: store.send(.unlock(Account(password: "hidden1")))
      }
    }

    func subscription(for eye: Eye, store: MutatingStore<Vault, Entry>) -> Subscription {
      switch eye {
      case .title: store.publisher.title.sink { _ in }
      case .account: store.publisher.account.sink { _ in }
      case .password: store.publisher.account.map { ($0?.password ?? "") + "!" }.sink { _ in }
      }
    }
  }

  private let secrets = ["s3cret", "hidden1", "hidden2"]

  private func hides(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let text = texts.joined(separator: "\n")
    #expect(text.contains("<redacted>"), "\(text)", sourceLocation: sourceLocation)
    for secret in secrets {
      #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation)
    }
  }

  init() { DebugStore.redact(\Account.password) }

  @Test("D4 a redacted key path is in no dump and in no diff")
  func dumpAndDiff() throws {
    let new = Vault(account: Account(password: "hidden1"), accounts: [])
    let diff = try #require(Diff(from: Vault(), to: new))
    hides([Dump.string(of: Vault()), Dump.string(of: Entry.unlock(Account()))])
    hides([diff.description] + diff.paths)
  }

  @Test("D4 a redacted key path is in no failure: neither difference, event nor suggestion")
  func failure() async {
    let store = TestStore(state: Vault(), interactor: Keeper())
    let found = await failures {
      await store.dispatch(.unlock(Account(password: "hidden1"))) {
        $0.account?.password = "hidden2"
      }
      await store.dispatch(.noise) { $0.account = nil }
      await store.receive(.unlock(Account(password: "hidden2")), timeout: .zero)
      store.expect { $0.accounts.append(Account(password: "hidden2")) }
    }
    #expect(found.count == 4)
    for text in found { hides([text]) }
    #expect(found[0].contains("account?.password: expected <redacted>, is <redacted>"))
    #expect(found[0].contains("hook password received <redacted>"))
    #expect(!found.contains { $0.contains("Write instead:\n    $0") }, "\(found)")
  }

  @Test("D4 a redacted key path is in no error of a failure")
  func errorInFailure() async {
    let store = TestStore(state: Vault(), interactor: Keeper())
    hides(
      await failures {
        await store.dispatch(.rename(Account(), to: "bob")) { $0.title = "bob" }
        await store.finish()
      })
  }

  @Test("D4 a logging middleware leaves out only what is redacted")
  func middleware() async {
    struct Key: Equatable { var code = "s3cret" }
    enum Turn {
      case turn(Key)
      case knock(Int)
    }
    struct Lock: Actionable {
      func onAction(_ turn: Turn, store: MutatingStore<Int, Turn>) async throws {
        if case .turn = turn { throw Refusal(reason: "no") }
      }
    }
    DebugStore.redact(\Key.code)
    var lines: [String] = []
    let store = Store(
      state: 0, actionable: Lock(), middleware: LoggingMiddleware { lines.append($0) })
    // Without a subscriber, the store would print the error.
    let errors = store.events.sink { _ in }
    await store.dispatch(.turn(Key()))
    await store.dispatch(.knock(2))
    hides(lines)
    #expect(lines.last?.hasPrefix("knock(2) finished after") == true)
    errors.cancel()
  }

  private class Badge { @Redacted var code = "1234" }

  private final class Pass: Badge, CustomDebugStringConvertible {
    var debugDescription: String { "pass with \(code)" }
  }

  @Test("D4 an object whose superclass has a redacted part is not described by its own text")
  func superclass() { #expect(!Dump.description(of: Pass()).contains("1234")) }

  private class Locker { final var combination = "1234" }

  private final class Safe: Locker { var owner = "ann" }

  @Test("D4 a property that was named for a class is hidden in objects of its subclasses")
  func namedInSuperclass() {
    DebugStore.redact(\Locker.combination)
    let text = Dump.description(of: Safe())
    #expect(text.contains("ann") && !text.contains("1234"), "\(text)")
  }

  @Test("D4 a value with more parts than are searched is not described by its own text")
  func tooManyParts() {
    struct Pebble { var weight = 1 }
    struct Heap: CustomStringConvertible {
      var pebbles = [Pebble](repeating: Pebble(), count: 10_001)
      var description: String { "a heap" }
    }
    #expect(Dump.description(of: Heap()) != "a heap")
  }

  @Test(
    "D4 the report of an unhandled error leaves out what is redacted",
    .enabled(if: SystemLog.isStandardError))
  func unhandled() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      await RedactionTests.failUnheard()
    }
    let text = result.errorText
    #expect(text.contains("The action"))
    hides([text])
  }

  private struct Raw {
    var `a.b` = "s3cret"
    var `a b` = "s3cret"
  }

  fileprivate static func redactDotted() { DebugStore.redact(\Raw.`a.b`) }

  @Test("D4 a property whose name has a dot cannot be found in a value, and traps")
  func dottedName() async {
    DebugStore.redact(\Raw.`a b`)
    #expect(Dump.string(of: Raw()).hasSuffix(": <redacted>)"))
    expectError(
      "only stored properties have names that can be found",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await RedactionTests.redactDotted()
      })
  }

  fileprivate static func failUnheard() async {
    DebugStore.redact(\Account.password)
    let store = Store(state: Vault(), interactor: Keeper())
    await store.dispatch(.rename(Account(), to: "bob"))
  }
}
