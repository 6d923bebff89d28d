import Signalbox

/// Handles the actions and hooks of the form.
struct FormInteractor: Interactor {
  let service: FormService

  func onAction(_ action: FormAction, store: MutatingStore<FormState, FormAction>) async throws {
    switch action {
    case .signUp:
      // The hint already shows what is missing.
      guard store.canSignUp else { return }
      store.progress = .asking
      let application = Application(
        name: store.name, email: store.email, password: store.password)
      store.progress = .done(try await service.signUp(application))
    case .withdraw:
      store.progress = .idle
    }
  }

  func onError(
    _ error: any Error, action: FormAction, store: MutatingStore<FormState, FormAction>
  ) {
    store.progress = .refused("\(error)", field: (error as? SignUpError)?.field)
  }

  func subscription(
    for hook: FormHook, store: MutatingStore<FormState, FormAction>
  ) -> Subscription {
    let form = store.publisher
    return switch hook {
    case .edited:
      combineLatest(form.name, form.email, form.password, form.repeated)
        // Drops the passwords, because the events of a store contain the values that hooks receive.
        // The log redacts them anyway.
        .map { _ in FormAction.withdraw }
        .assign(toAction: \.self, using: store)
    case .passwordRated:
      form.password.map(PasswordStrength.init).assign(to: \.strength, using: store)
    case .passwordsCompared:
      combineLatest(form.password, form.repeated)
        .map { !$0.isEmpty && $0 == $1 }
        .assign(to: \.passwordsMatch, using: store)
    case .fieldsChecked:
      combineLatest(form.name, form.email, form.strength, form.passwordsMatch)
        .map { FormField.firstUnfinished(name: $0, email: $1, strength: $2, passwordsMatch: $3) }
        .includingCurrent()
        .assign(to: \.unfinished, using: store)
    case .signUpAllowed:
      combineLatest(form.unfinished, form.progress)
        .map { $0 == nil && !$1.isDone }
        .assign(to: \.canSignUp, using: store)
    case .hintDue:
      combineLatest(form.unfinished, form.progress)
        .map { $1.sentence ?? $0?.demand ?? "Return signs you up." }
        .includingCurrent()
        .assign(to: \.hint, using: store)
    }
  }
}

extension FormAction: CancellableAction {
  /// All actions have the same name, so the newest one supersedes a running request.
  var cancelIdentifier: String? { "sign up" }
}

extension FormField {
  fileprivate static func firstUnfinished(
    name: String, email: String, strength: PasswordStrength, passwordsMatch: Bool
  ) -> FormField? {
    if name.allSatisfy(\.isWhitespace) { return .name }
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    if parts.count != 2 || parts.contains(where: \.isEmpty) { return .email }
    if strength == .none || strength == .weak { return .password }
    return passwordsMatch ? nil : .repeated
  }
}
