import Terminal

/// The sentences that the state is shown as, in a terminal and by a script alike.
extension FormState {
  /// What stands below the fields.
  var remarks: [String] {
    [hint, strength.sentence].compactMap(\.self).map(\.printable)
  }
}

extension FormState.Progress {
  var isDone: Bool { if case .done = self { true } else { false } }

  var sentence: String? {
    switch self {
    case .idle: nil
    case .asking: "Asking for an account… Escape gives up."
    case .done(let account): "Welcome, \(account.name). You are member number \(account.number)."
    case .refused(let reason): reason
    }
  }
}

extension FormField {
  /// What to do about it.
  var demand: String {
    switch self {
    case .name: "Choose a name."
    case .email: "Give an address that mail gets to, ann@example.org for one."
    case .password: "Choose a password of \(PasswordStrength.enough) characters or more."
    case .repeated: "Give the same password once more."
    }
  }

  /// As wide as any other.
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
