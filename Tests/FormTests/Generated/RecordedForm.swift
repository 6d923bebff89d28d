import Signalbox
import SignalboxTesting
import Testing

@testable import Form

@MainActor @Test func recordedForm() async {
  let club = TestEndpoint<Application, Account>("club")
  let service = FormService(signUp: { try await club($0) })
  let store = TestStore(
    state: FormState(),
    interactor: FormInteractor(service: service))
  await store.settle()
  store.expect(including: {
    $0.unfinished = .name
    $0.hint = "Choose a name."
  })
  store.name = "bob"
  await store.settle()
  store.expect(including: {
    $0.unfinished = .email
    $0.hint = "Enter an email address, such as ann@example.org."
  })
  store.email = "bob@"
  await store.settle()
  store.email = "bob@example.org"
  await store.settle()
  store.expect(including: {
    $0.unfinished = .password
    $0.hint = "Choose a password of 6 characters or more."
  })
  store.password = "short"
  await store.settle()
  store.expect(including: { $0.strength = .weak })
  store.password = "secret"
  await store.settle()
  store.expect(including: {
    $0.strength = .fair
    $0.unfinished = .repeated
    $0.hint = "Repeat the password."
  })
  store.repeated = "secret"
  await store.settle()
  store.expect(including: {
    $0.passwordsMatch = true
    $0.unfinished = nil
    $0.canSignUp = true
    $0.hint = "Return signs you up."
  })
  store.send(.signUp)
  await store.settle()
  store.expect(including: {
    $0.progress = .asking
    $0.hint = "Asking for an account… Escape withdraws the request."
  })
  await club.fail(with: SignUpError.taken(name: "bob"))
  store.expect(including: {
    $0.progress = .refused("The name bob is taken. Choose another one.", field: .name)
    $0.hint = "The name bob is taken. Choose another one."
  })
  store.name = "bobby"
  await store.settle()
  store.expect(including: {
    $0.progress = .idle
    $0.hint = "Return signs you up."
  })
  store.send(.signUp)
  await store.settle()
  store.expect(including: {
    $0.progress = .asking
    $0.hint = "Asking for an account… Escape withdraws the request."
  })
  store.email = "bobby@example.org"
  await store.settle()
  store.expect(including: {
    $0.progress = .idle
    $0.hint = "Return signs you up."
  })
  store.send(.signUp)
  await store.settle()
  store.expect(including: {
    $0.progress = .asking
    $0.hint = "Asking for an account… Escape withdraws the request."
  })
  await store.dispatch(
    .withdraw,
    including: {
      $0.progress = .idle
      $0.hint = "Return signs you up."
    })
  store.send(.signUp)
  await store.settle()
  store.expect(including: {
    $0.progress = .asking
    $0.hint = "Asking for an account… Escape withdraws the request."
  })
  await club.reply(with: Account(name: "bobby", number: 2))
  store.expect(including: {
    $0.progress = .done(Account(name: "bobby", number: 2))
    $0.canSignUp = false
    $0.hint = "Welcome, bobby. You are member number 2."
  })
  await store.settle()
  #expect(club.pending.isEmpty)
  await store.finish()
}
