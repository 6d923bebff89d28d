import Signalbox

/// The dependencies of the form.
struct FormService {
  /// Requests an account.
  ///
  /// - Throws: an error whose description tells the user why the request was refused.
  var signUp: @MainActor (_ application: Application) async throws -> Account
}

struct Application: Equatable, Sendable {
  var name: String
  var email: String
  @Redacted var password: String
}

struct Account: Equatable, Sendable {
  var name: String
  /// The number of accounts, including this one.
  var number: Int
}

enum SignUpError: Error, Equatable, CustomStringConvertible {
  case taken(name: String)
  case unreachable(email: String)

  /// The field that has to be changed.
  var field: FormField {
    switch self {
    case .taken: .name
    case .unreachable: .email
    }
  }

  var description: String {
    switch self {
    case .taken(let name): "The name \(name) is taken. Choose another one."
    case .unreachable(let email): "No mail can be sent to \(email)."
    }
  }
}

extension FormService {
  /// A service in this process that has members already and answers after a delay.
  ///
  /// - Parameters:
  ///   - members: the names that are taken.
  ///   - delay: the time until an application is answered.
  ///   - clock: the clock of the delay.
  static func club(
    members: Set<String> = ["admin", "bob"], delay: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> FormService {
    var members = members
    return FormService { application in
      try await clock.sleep(for: delay)
      // The top-level domain `.invalid` is reserved, so no mail arrives there.
      guard !application.email.lowercased().hasSuffix(".invalid") else {
        throw SignUpError.unreachable(email: application.email)
      }
      guard members.insert(application.name).inserted else {
        throw SignUpError.taken(name: application.name)
      }
      return Account(name: application.name, number: members.count)
    }
  }
}
