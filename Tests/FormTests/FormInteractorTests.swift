import Signalbox
import SignalboxTesting
import Testing

@testable import Form

@MainActor
@Suite(.timeLimit(.minutes(60)))
struct FormInteractorTests {
  private let clock = TestClock()
  private let store: TestStore<FormState, FormAction>

  init() {
    store = TestStore(
      state: FormState(),
      interactor: FormInteractor(service: .club(members: ["bob"], clock: clock)))
  }

  private func fillIn(name: String = "ann", email: String = "ann@example.org") {
    store.name = name
    store.email = email
    store.password = "secret"
    store.repeated = "secret"
  }

  /// Lets the club answer what it was asked.
  private func wait() async { await clock.advance(by: .milliseconds(300)) }

  // MARK: What follows from the fields

  @Test func `an empty form asks for a name and cannot be sent`() {
    #expect(store.hint == "Choose a name.")
    #expect(store.unfinished == .name)
    #expect(!store.canSignUp)
  }

  @Test func `the hint leads from field to field until the form is complete`() {
    store.name = "ann"
    #expect(store.unfinished == .email)
    store.email = "ann@example.org"
    #expect(store.hint == "Choose a password of 6 characters or more.")
    store.password = "secret"
    #expect(store.unfinished == .repeated)
    #expect(!store.canSignUp)
    store.repeated = "secret"
    #expect(store.unfinished == nil)
    #expect(store.hint == "Return signs you up.")
    #expect(store.canSignUp)
  }

  @Test(arguments: [
    ("", PasswordStrength.none), ("short", .weak), ("secret", .fair), ("elevenchars", .fair),
    ("twelve chars", .strong),
  ])
  func `a longer password is stronger`(password: String, strength: PasswordStrength) async {
    store.password = "before"
    await store.hook(FormHook.passwordRated) {
      store.password = password
    } expecting: {
      $0.strength = strength
    }
  }

  @Test func `passwords match when they are equal and not empty`() {
    store.password = "secret"
    #expect(!store.passwordsMatch)
    store.repeated = "secret"
    #expect(store.passwordsMatch)
    store.password = "secrets"
    #expect(!store.passwordsMatch)
    store.password = ""
    store.repeated = ""
    #expect(!store.passwordsMatch)
  }

  @Test(arguments: ["ann", "ann@", "@example.org", "a@b@c", "@"])
  func `invalid addresses are refused`(email: String) {
    fillIn(email: email)
    #expect(store.unfinished == .email)
    #expect(!store.canSignUp)
  }

  // MARK: Signing up

  @Test func `a new member gets a number and cannot sign up twice`() async {
    fillIn()
    store.send(.signUp)
    store.expect(including: { $0.progress = .asking })
    await wait()
    #expect(store.progress == .done(Account(name: "ann", number: 2)))
    #expect(store.hint == "Welcome, ann. You are member number 2.")
    #expect(!store.canSignUp)
    await store.dispatch(.signUp)
    #expect(store.progress.isDone)
  }

  @Test func `an incomplete form is not sent`() async {
    fillIn(name: " ")
    await store.dispatch(.signUp)
    #expect(store.progress == .idle)
    #expect(store.hint == "Choose a name.")
  }

  @Test func `a taken name shows a hint until it is changed`() async {
    fillIn(name: "bob")
    store.send(.signUp)
    await wait()
    #expect(
      store.progress == .refused("The name bob is taken. Choose another one.", field: .name))
    #expect(store.hint == "The name bob is taken. Choose another one.")
    #expect(store.canSignUp)
    store.name = "bobby"
    #expect(store.hint == "Return signs you up.")
  }

  @Test func `an undeliverable address shows a hint until it is changed`() async {
    fillIn(email: "ann@nowhere.INVALID")
    store.send(.signUp)
    await wait()
    #expect(store.hint == "No mail can be sent to ann@nowhere.INVALID.")
  }

  // MARK: Superseding

  @Test func `a second request supersedes the first and creates no second account`() async {
    fillIn()
    let first = store.send(.signUp)
    await clock.advance(by: .milliseconds(200))
    store.send(.signUp)
    #expect(first.isFinished)
    #expect(store.progress == .asking)
    await clock.advance(by: .milliseconds(200))
    // The first request would have been answered by now.
    #expect(store.progress == .asking)
    await wait()
    #expect(store.progress == .done(Account(name: "ann", number: 2)))
  }

  @Test func `a change of a field cancels the request in flight`() async {
    fillIn()
    store.send(.signUp)
    await store.hook(FormHook.edited) {
      store.password = "secrets"
    } including: {
      $0.progress = .idle
    }
    await wait()
    #expect(store.progress == .idle)
    #expect(store.unfinished == .repeated)
  }

  @Test func `Escape cancels the request in flight`() async {
    fillIn()
    store.send(.signUp)
    await store.dispatch(.withdraw, including: { $0.progress = .idle })
    await wait()
    #expect(store.hint == "Return signs you up.")
  }
}
