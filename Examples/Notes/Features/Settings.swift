import Signalbox

/// The settings, which are saved like the notes.
nonisolated struct Settings: Codable, Equatable, Sendable {
  var order = Order.newest
  /// The name under which notes are shared.
  var author = ""
}

/// The order of the notes below the pinned ones.
nonisolated enum Order: String, Codable, Sendable { case newest, alphabetical }

enum SettingsAction { case switchOrder }

/// Handles the actions of the settings.
struct SettingsFeature: Interactor {
  func onAction(_ action: SettingsAction, store: MutatingStore<Settings, SettingsAction>) {
    store.order = store.order == .newest ? .alphabetical : .newest
  }
}
