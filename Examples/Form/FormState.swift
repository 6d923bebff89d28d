import Signalbox

/// What has been filled in, and what follows from it.
///
/// The passwords are redacted: neither the log nor a failing test ever shows one.
struct FormState: Equatable, Sendable {
  enum Progress: Equatable, Sendable {
    case idle
    case asking
    case done(Account)
    case refused(String)
  }

  var name = ""
  var email = ""
  @Redacted var password = ""
  @Redacted var repeated = ""
  var progress = Progress.idle

  // What only hooks write.
  var strength = PasswordStrength.none
  var passwordsMatch = false
  /// The first field that is not filled in as it has to be.
  var unfinished: FormField?
  var canSignUp = false
  var hint = ""
}

/// What can be filled in, from top to bottom.
enum FormField: String, CaseIterable, Sendable {
  case name, email, password
  case repeated = "repeat"

  var isSecret: Bool { self == .password || self == .repeated }

  var text: WritableKeyPath<FormState, String> {
    switch self {
    case .name: \.name
    case .email: \.email
    case .password: \.password
    case .repeated: \.repeated
    }
  }
}

/// How long it would take to guess a password.
///
/// By its length alone: rules about digits and signs make passwords that are written down.
enum PasswordStrength: Equatable, Sendable {
  case none, weak, fair, strong

  /// How many characters are no longer weak.
  static let enough = 6

  init(_ password: String) {
    self =
      switch password.count {
      case 0: .none
      case ..<Self.enough: .weak
      case ..<(2 * Self.enough): .fair
      default: .strong
      }
  }
}

enum FormAction: Equatable, Sendable {
  case signUp
  /// What was asked for is no longer wanted.
  case withdraw
}

enum FormHook: CaseIterable {
  // First, so that the hint is about what is there now.
  case edited
  case passwordRated
  case passwordsCompared
  case fieldsChecked
  case signUpAllowed
  case hintDue
}
