import Terminal

/// The sentences that show the state, in a terminal and for a script.
extension FormState {
  /// The lines below the fields.
  ///
  /// - Parameter isRejected: whether the user wants to sign up with an incomplete form.
  func remarks(isRejected: Bool) -> [String] {
    let problem = isRejected ? unfinished.map(problem) : nil
    let hint = [problem, hint].compactMap(\.self).joined(separator: " ")
    return [hint, strength.sentence].compactMap(\.self).map(\.printable)
  }

  /// The field that the hint is about.
  var hintedField: FormField? {
    switch progress {
    case .idle: unfinished
    case .refused(_, let field): field
    case .asking, .done: nil
    }
  }

  private func problem(of field: FormField) -> String {
    switch field {
    case .name: "There is no name."
    case .email: email.isEmpty ? "There is no email address." : "The email address is incomplete."
    case .password: password.isEmpty ? "There is no password." : "The password is too short."
    case .repeated: repeated.isEmpty ? "The password is not repeated." : "The passwords differ."
    }
  }
}

extension FormState.Progress {
  var isDone: Bool { if case .done = self { true } else { false } }

  var isRefused: Bool { if case .refused = self { true } else { false } }

  var sentence: String? {
    switch self {
    case .idle: nil
    case .asking: "Asking for an account… Escape withdraws the request."
    case .done(let account): "Welcome, \(account.name). You are member number \(account.number)."
    case .refused(let reason, _): reason
    }
  }
}

extension FormField {
  /// Tells the user what the field needs.
  var demand: String {
    switch self {
    case .name: "Choose a name."
    case .email: "Enter an email address, such as ann@example.org."
    case .password: "Choose a password of \(PasswordStrength.enough) characters or more."
    case .repeated: "Repeat the password."
    }
  }

  /// The name of the field.
  ///
  /// All labels have the same width.
  var label: String {
    let width = Self.allCases.map(\.rawValue.count).max() ?? 0
    return rawValue + String(repeating: " ", count: width - rawValue.count) + "  "
  }
}

extension PasswordStrength {
  var sentence: String? {
    switch self {
    case .none: nil
    case .weak: "The password is weak."
    case .fair: "The password is fair."
    case .strong: "The password is strong."
    }
  }
}
