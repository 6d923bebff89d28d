import Signalbox

struct Profile: Equatable {
  var name = "Ada"
  var notes: String = ""
  var isPublic = false
  var volume = 0.1
  var guests = 2
  var rating = 1.5
  var sorting = 1
  var nickname: String?
  var saves = 0
  /// Clamps written values to 100.
  var percent: Double {
    get { limited }
    set { limited = min(newValue, 100) }
  }
  private var limited = 50.0
  var isAnonymous: Bool { name.isEmpty }
}

enum ProfileAction {
  case save
  case rename(String)
}

enum ProfileHook: CaseIterable { case tidy }

/// Shortens notes, and shortens and capitalizes a name that an action sets.
struct ProfileInteractor: Interactor {
  func onAction(_ action: ProfileAction, store: MutatingStore<Profile, ProfileAction>) {
    switch action {
    case .save: store.saves += 1
    case .rename(let name): store.name = String(name.uppercased().prefix(5))
    }
  }

  func subscription(
    for hook: ProfileHook, store: MutatingStore<Profile, ProfileAction>
  ) -> Subscription {
    store.publisher.notes.map { String($0.prefix(5)) }.assign(to: \.notes, using: store)
  }
}
