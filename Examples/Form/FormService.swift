import Signalbox

/// What the form needs of the world.
struct FormService {
  /// Asks for an account.
  ///
  /// - Throws: a sentence about why there is none.
  var signUp: @MainActor (_ application: Application) async throws -> Account
}

struct Application: Equatable, Sendable {
  var name: String
  var email: String
  @Redacted var password: String
}

struct Account: Equatable, Sendable {
  var name: String
  /// How many there are, this one included.
  var number: Int
}

enum SignUpError: Error, Equatable, CustomStringConvertible {
  case taken(name: String)
  case unreachable(email: String)

  var description: String {
    switch self {
    case .taken(let name): "The name \(name) is taken. Choose another one."
    case .unreachable(let email): "No mail gets to \(email)."
    }
  }
}

extension FormService {
  /// A club within this process, which takes its time and has members already.
  ///
  /// - Parameters:
  ///   - members: whose names are taken.
  ///   - delay: how long it thinks about an application.
  ///   - clock: measures it.
  static func club(
    members: Set<String> = ["admin", "bob"], delay: Duration = .milliseconds(300),
    clock: any Clock<Duration> = ContinuousClock()
  ) -> FormService {
    var members = members
    return FormService { application in
      try await clock.sleep(for: delay)
      // The end of the net that is never anyone's.
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
