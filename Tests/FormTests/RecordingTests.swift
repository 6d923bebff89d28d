import ExampleTesting
import Signalbox
import SignalboxTesting
import SignalboxTrace
import Testing

@testable import Form

/// Makes a test of a recording of the form, which is in `Generated` and runs with the others.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct RecordingTests {
  @Test("R7 a recording of the form becomes a test that passes")
  func form() async throws {
    let file = try RecordedFile(of: "recorded form")
    let club = TestEndpoint<Application, Account>("club")
    let store = TestStore(
      state: FormState(),
      interactor: FormInteractor(service: FormService(signUp: { try await club($0) })),
      name: "recorded form")
    // The club has a member of this name.
    store.name = "bob"
    store.email = "bob@"
    store.email = "bob@example.org"
    store.password = "short"
    store.password = "secret"
    store.repeated = "secret"
    store.send(.signUp)
    await club.fail(with: SignUpError.taken(name: "bob"))
    // An edit withdraws the request.
    store.name = "bobby"
    store.send(.signUp)
    await store.settle()
    store.email = "bobby@example.org"
    await store.settle()
    // So does Escape.
    store.send(.signUp)
    await store.settle()
    store.send(.withdraw)
    await store.settle()
    store.send(.signUp)
    await club.reply(with: Account(name: "bobby", number: 2))
    await store.finish()
    file.recording.stop()
    let source = try Trace.test(
      of: file.url, named: "recordedForm",
      Trace.Surroundings(
        imports: ["@testable import Form"],
        setup: [
          """
          let club = TestEndpoint<Application, Account>("club")
          let service = FormService(signUp: { try await club($0) })
          """
        ],
        state: "FormState()",
        subject: "interactor: FormInteractor(service: service)",
        // A recording has no passwords.
        secrets: ["password": ["\"short\"", "\"secret\""], "repeated": ["\"secret\""]]))
    try expectGenerated(source, is: "RecordedForm")
  }
}
