import Terminal

/// The sentences that show the state, in a terminal and for a script.
extension FormState {
  /// The lines below the fields.
  var remarks: [String] {
    [hint, strength.sentence].compactMap(\.self).map(\.printable)
  }
}

extension FormState.Progress {
  var isDone: Bool { if case .done = self { true } else { false } }

  var sentence: String? {
    switch self {
    case .idle: nil
    case .asking: "Asking for an account… Escape withdraws the request."
    case .done(let account): "Welcome, \(account.name). You are member number \(account.number)."
    case .refused(let reason): reason
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
