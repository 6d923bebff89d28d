import Signalbox
import SignalboxTesting
import Testing

/// Tests that actions that are made of something redacted are hidden.
///
/// A case stays hidden for its type, so these tests have types of their own.
@MainActor struct CarriedActionTests {
  private struct Login: Equatable {
    @Redacted var code = "s3cret"
    var name = "ann"
  }

  private struct Inner: Equatable, Sendable { var text: String }

  private enum Turn: Equatable, Sendable {
    case check(String)
    case pair(String, count: Int)
    case inner(Inner)
    case named(String)
    case write(Redacted<String>)
    case knock
  }

  @Test("D6 an action that assign(toAction:) makes of a redacted value hides its payload")
  func actions() async {
    let login = Hooking<Login, Turn, OneHook>(
      connect: { _, store in
        let code = store.publisher.code
        let all = [
          code.assign(toAction: Turn.check, using: store),
          code.assign(toAction: { .pair($0, count: 1) }, using: store),
          code.map { Inner(text: $0) }.assign(toAction: { .inner($0) }, using: store),
          code.assign(toAction: { _ in .knock }, using: store),
          store.publisher.name.assign(toAction: Turn.named, using: store),
        ]
        return Subscription { for subscription in all { subscription.cancel() } }
      },
      handle: { turn, store in
        switch turn {
        case .write(let code):
          store.code = code.wrappedValue
          store.name = "bob"
        case .check: throw Refusal()
        default: break
        }
      })
    let store = TestStore(state: Login(), interactor: login)
    let found = await failures {
      await store.dispatch(.write(Redacted(wrappedValue: "s3cret-2"))) { $0.name = "" }
    }
    store.expectError()
    var lines: [String] = []
    let logged = Store(
      state: Login(), interactor: login, middleware: LoggingMiddleware { lines.append($0) })
    let errors = logged.events.sink { _ in }
    await logged.dispatch(.write(Redacted(wrappedValue: "s3cret-3")))
    #expect(!(found + lines).contains { $0.contains("s3cret") }, "\(found) \(lines)")
    #expect(lines.contains { $0.contains("check(<redacted>) failed") }, "\(lines)")
    #expect(lines.contains { $0.contains("knock") })
    #expect(lines.contains { $0.contains(#"named("bob")"#) }, "\(lines)")
    #expect(Dump.string(of: [Turn.inner(Inner(text: "s3cret"))]).contains("inner(<redacted>)"))
    errors.cancel()
  }

  private struct Knock: Equatable, Sendable { var text: String }

  @Test("D6 an action that is no enum is hidden as a whole, whatever its type")
  func otherActions() {
    func lines<Action>(_ action: @escaping @MainActor (String) -> Action) -> [String] {
      var lines: [String] = []
      let store = Store(
        state: Login(),
        interactor: Hooking<Login, Action, OneHook>(
          connect: { _, store in store.publisher.code.assign(toAction: action, using: store) }),
        middleware: LoggingMiddleware { lines.append($0) })
      store.binder.code.wrappedValue = "s3cret-2"
      return lines
    }
    expectHidden(lines { Knock(text: $0) })
    expectHidden(lines { CollectionOfOne($0) })
    expectHidden(lines { Optional(Knock(text: $0)) })
  }

  @Test("D6 the test kit hides an action of a system type that was made of a redacted value")
  func kitTexts() async {
    let login = Hooking<Login, Set<String>, OneHook>(
      connect: { _, store in
        store.publisher.code.assign(toAction: { [$0] }, using: store)
      },
      handle: { _, store in store.name = "bob" })
    let found = await failures {
      let store = TestStore(state: Login(), interactor: login, exhaustive: true)
      store.code = "s3cret-2"
      await store.receive(["other"])
      await store.dispatch(["s3cret-3"]) { $0.name = "" }
      await store.finish()
      await store.receive(["s3cret-2"]) { $0.name = "" }
    }
    #expect(found.count == 4, "\(found)")
    expectHidden(found)
  }
}
