import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests where redacted key paths take effect, with separate types for each test.
@MainActor struct RedactedPlacesTests: DiffReading {
  private struct Login: Hashable, Comparable {
    var name = "ann"
    var password = "s3cret"
    static func < (a: Login, b: Login) -> Bool { a.name < b.name }
  }

  private struct Case: Equatable {
    var login: Login? = Login()
    var counts = [Login(): 1]
    var range = Login()..<Login(name: "bob")
  }

  init() { DebugStore.redact(\Login.password) }

  private func hides(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let text = texts.joined(separator: "\n")
    #expect(text.contains("<redacted>"), "\(text)", sourceLocation: sourceLocation)
    #expect(!text.localizedLowercase.contains("s3cret"), "\(text)", sourceLocation: sourceLocation)
  }

  @Test("D4 a redacted value that is replaced by nil or another type stays hidden")
  func replaced() {
    for (old, new) in [
      (Login() as Any, 1 as Any), (Login?.some(Login()) as Any, Login?.none as Any),
      ([Login(), 2] as [Any], [1, 2] as [Any]), (["a": Login()], ["a": 1] as [String: Any]),
      (Case(), Case(login: nil)),
    ] {
      hides([tree(old, new) ?? ""] + (paths(old, new) ?? []))
      hides([tree(new, old) ?? ""] + (paths(new, old) ?? []))
    }
    #expect(
      paths(Case(), Case(login: nil))
        == [#"login: Login(name: "ann", password: <redacted>) → nil"#])
  }

  @Test("D4 the keys of a dictionary and the bounds of a range are hidden")
  func keysAndBounds() {
    hides([Dump.string(of: [Login(): 1]), Dump.string(of: Login()..<Login(name: "bob"))])
    let new = Case(counts: [Login(): 2], range: Login()..<Login(name: "carl"))
    hides([tree(Case(), new) ?? ""] + (paths(Case(), new) ?? []))
    let many = Dictionary(uniqueKeysWithValues: (0..<20).map { (Login(name: "\($0)"), $0) })
    hides([Dump.string(of: many)])
  }

  @Test("D4 a property with an underscore is hidden by its type and by its name")
  func underscores() {
    struct Token { var raw = "s3cret" }
    struct ByType { var _token = Token() }
    struct ByName { var _name = Generic(value: "s3cret") }
    DebugStore.redact(\Token.raw)
    DebugStore.redact(\ByName._name)
    #expect(Dump.string(of: ByType()) == "ByType(_token: Token(raw: <redacted>))")
    #expect(Dump.string(of: ByName()) == "ByName(_name: <redacted>)")
  }

  @Test("D4 an element of a tuple without a label is hidden with the whole tuple")
  func tuples() {
    struct Pairs {
      var first = ("s3cret", 1)
      var second = (key: "s3cret", number: 2)
    }
    DebugStore.redact(\Pairs.first.0)
    DebugStore.redact(\Pairs.second.key)
    #expect(
      Dump.string(of: Pairs()) == "Pairs(first: <redacted>, second: (key: <redacted>, number: 2))")
  }

  private struct Inner: Equatable {
    var user = User()
    var title = ""
  }

  private struct User: Equatable { var pin = Pin() }

  private struct Pin: Equatable {
    var digits = "s3cret"
    var length: Int { digits.count }
  }

  private struct House: Equatable {
    var inner = Inner()
    var login: Login? = Login()
    @Redacted var token = "s3cret"
    var shouted: String { token.uppercased() }
    var name = "a"
  }

  private enum Ear: CaseIterable { case user, digits, shouted, scan, name }

  private struct Listener: Interactor {
    func onAction(_ text: String, store: MutatingStore<House, String>) async throws {
      store.inner.user.pin.digits = text
      store.token = text
      store.login?.password = text
      store.login = nil
      store.name = "b"
    }

    func subscription(for ear: Ear, store: MutatingStore<House, String>) -> Subscription {
      switch ear {
      case .user: store.publisher.inner.user.sink { _ in }
      case .digits: store.publisher.inner.user.pin.digits.map { $0 + "!" }.sink { _ in }
      case .shouted: store.publisher.shouted.sink { _ in }
      case .scan:
        store.publisher.login.scan([String]()) { $0 + [$1?.password ?? ""] }.sink { _ in }
      case .name: store.publisher.name.map { $0 + "!" }.sink { _ in }
      }
    }
  }

  @Test("D4 a hook value from a redacted part is hidden by every key path and in later texts")
  func hooks() async {
    DebugStore.redact(\Inner.user.pin)
    let store = TestStore(state: House(), interactor: Listener())
    let found = await failures {
      await store.dispatch("S3CRET") { $0.name = "c" }
    }
    let heard = found.only.split(separator: "\n").filter { $0.contains("hook") }.joined()
    hides([heard])
    #expect(heard.contains(#"hook name received "b!""#), "\(found)")
  }

  @Test("D4 redacting a type hides its values and no others")
  func wholeType() {
    struct Key: Hashable { var code = "s3cret" }
    struct Door: Equatable {
      var key = Key()
      var name = "a"
    }
    var redaction = Redaction()
    redaction.hide(Key.self, [])
    #expect(redaction.hides("s3cret", from: \Door.key.code, in: Door()))
    #expect(redaction.hides(Key(), from: \Door.key, in: Door()))
    #expect(!redaction.hides("a", from: \Door.name, in: Door()))
  }

  @Test("D4 a value that was read through a redacted key path is hidden")
  func redactedPath() {
    struct Key: Equatable { var code = "s3cret" }
    struct Door: Equatable {
      var key = Key()
      var name = "a"
    }
    var redaction = Redaction()
    redaction.hide(Door.self, ["key", "code"])
    #expect(redaction.hides("s3cret", from: \Door.key.code, in: Door()))
    #expect(!redaction.hides("a", from: \Door.name, in: Door()))
  }

  private struct Renamed: CustomReflectable {
    var code = "s3cret"
    var customMirror: Mirror { Mirror(self, children: ["value": code]) }
  }

  @Test("D4 a mirror that shows a redacted property under another name does not reveal it")
  func renamed() {
    DebugStore.redact(\Renamed.code)
    hides([Dump.string(of: Renamed())])
  }

  @Test("D4 a redacted optional is coded like one that is not wrapped")
  func optionals() throws {
    struct Login: Codable { @Redacted var token: String? }
    #expect(String(decoding: try JSONEncoder().encode(Login()), as: UTF8.self) == "{}")
    #expect(try JSONDecoder().decode(Login.self, from: Data("{}".utf8)).token == nil)
    let data = try JSONEncoder().encode(Login(token: "s3cret"))
    #expect(try JSONDecoder().decode(Login.self, from: data).token == "s3cret")
  }
}
