import Testing

@testable import Form

struct FormTextTests {
  private func remarks(_ field: FormField, _ change: (inout FormState) -> Void = { _ in })
    -> [String]
  {
    var state = FormState(unfinished: field, hint: "Hint.")
    change(&state)
    return state.remarks(isRejected: true)
  }

  @Test func `a rejected form says what is missing or wrong`() {
    #expect(remarks(.name) == ["There is no name. Hint."])
    #expect(remarks(.email) == ["There is no email address. Hint."])
    #expect(remarks(.email) { $0.email = "@" } == ["The email address is incomplete. Hint."])
    #expect(remarks(.password) == ["There is no password. Hint."])
    #expect(remarks(.password) { $0.password = "x" } == ["The password is too short. Hint."])
    #expect(remarks(.repeated) == ["The password is not repeated. Hint."])
    #expect(remarks(.repeated) { $0.repeated = "x" } == ["The passwords differ. Hint."])
  }

  @Test func `a form that is not rejected, or is complete by now, shows only the hint`() {
    #expect(FormState(unfinished: .name, hint: "Hint.").remarks(isRejected: false) == ["Hint."])
    #expect(FormState(hint: "Hint.").remarks(isRejected: true) == ["Hint."])
  }

  @Test func `the hint is about the refused field or, before that, the first unfinished one`() {
    #expect(FormState().hintedField == nil)
    #expect(FormState(unfinished: .email).hintedField == .email)
    #expect(FormState(progress: .asking, unfinished: .email).hintedField == nil)
    #expect(FormState(progress: .refused("No.", field: .name)).hintedField == .name)
    #expect(FormState(progress: .refused("No.", field: nil)).hintedField == nil)
  }
}
