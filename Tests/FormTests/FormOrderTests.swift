import Signalbox
import SignalboxTesting
import Testing

@testable import Form

/// Runs the form with an edit and a withdrawal at every moment.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct FormOrderTests {
  @Test func `an answer is shown only if nothing was edited or withdrawn meanwhile`() async {
    let report = await explore { world in
      let club = world.endpoint(
        "sign up", failing: SignUpError.taken(name: "ann"), heedsCancellation: false
      ) { (application: Application) in
        Account(name: application.name, number: 1)
      }
      let store = TestStore(
        state: FormState(name: "ann", email: "ann@example.org"),
        interactor: FormInteractor(service: FormService(signUp: { try await club($0) })))
      store.password = "secret"
      store.repeated = "secret"
      var isEdited = false
      world.may("edit") {
        isEdited = true
        store.name = "anna"
      }
      world.may("withdraw") { store.send(.withdraw) }
      world.always("an answer is about the name in the form") {
        switch store.progress {
        case .done(let account): account.name == store.name
        case .refused: !isEdited
        case .idle, .asking: true
        }
      }
      world.finally("nothing is asked any more") { store.progress != .asking }
      store.send(.signUp)
      await world.run()
    }
    // The answer or the refusal, and two events at any moment or never.
    #expect(report.orders == 22)
  }

  @Test func `a late answer to what was withdrawn changes nothing`() async {
    let club = TestEndpoint<Application, Account>("sign up", heedsCancellation: false)
    let store = TestStore(
      state: FormState(name: "ann", email: "ann@example.org"),
      interactor: FormInteractor(service: FormService(signUp: { try await club($0) })))
    store.password = "secret"
    store.repeated = "secret"
    store.send(.signUp)
    await store.dispatch(.withdraw, including: { $0.progress = .idle })
    await club.reply(with: Account(name: "ann", number: 1))
    store.expect { _ in }
  }
}
