import Signalbox

/// The contents of the fields and the values that are derived from them.
///
/// The passwords are redacted. Neither the log nor a failing test shows them.
struct FormState: Equatable, Sendable {
  enum Progress: Equatable, Sendable {
    case idle
    case asking
    case done(Account)
    /// The club has refused the application, possibly because of a field.
    case refused(String, field: FormField?)
  }

  var name = ""
  var email = ""
  @Redacted var password = ""
  @Redacted var repeated = ""
  var progress = Progress.idle

  // Only hooks write the properties below.
  var strength = PasswordStrength.none
  var passwordsMatch = false
  /// The first field whose content is missing or invalid.
  var unfinished: FormField?
  var canSignUp = false
  var hint = ""
}

/// The fields of the form, from top to bottom.
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

/// How hard it is to guess a password.
///
/// Only the length counts. Rules about digits and symbols lead to passwords that users write down.
enum PasswordStrength: Equatable, Sendable {
  case none, weak, fair, strong

  /// The number of characters from which a password is no longer weak.
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
  /// Withdraws the request.
  case withdraw
}

enum FormHook: CaseIterable {
  // The first case, so that the hint refers to the current contents.
  case edited
  case passwordRated
  case passwordsCompared
  case fieldsChecked
  case signUpAllowed
  case hintDue
}
