@testable import Signalbox

enum MailScreen: Equatable {
  case mailbox(MailboxScreen)
  case message(MessageScreen)
  case draft(MailboxScreen)
  case about
}

struct MailboxScreen: Equatable {
  var title = ""
  var length = 0
  var numbers: [Int] = []
}

struct MessageScreen: Equatable, Identifiable {
  var id: Int
  var text = ""
  var length = 0
  var path: [MailScreen] = []
}

struct MailState: Equatable {
  var path: [MailScreen] = []
  var title = ""
}

enum MailboxAction: Equatable {
  case append
  case rename(String)
  case pop
  case wait
}

/// Which screens live, and what they did.
@MainActor final class ScreenJournal {
  var lines: [String] = []
  var live = 0
  var onCancel: () -> Void = {}
}

struct MailFeature: Interactor {
  var journal = ScreenJournal()

  func children(of store: MutatingStore<MailState, Never>) -> Children<MailState> {
    Each(\.path) {
      Case(MailScreen.mailbox) {
        MailboxFeature(name: "mailbox", journal: journal) { store.path.removeLast() }
      }
      Case(MailScreen.message) { MessageFeature(journal: journal) }
      Case(MailScreen.draft) {
        MailboxFeature(name: "draft", journal: journal) { store.path.removeLast() }
      }
    }
  }

  func onAction(_ action: Never, store: MutatingStore<MailState, Never>) {}
}

struct MailboxFeature: Interactor {
  var name = "mailbox"
  var journal = ScreenJournal()
  var onPop: @MainActor () -> Void = {}

  func onAction(
    _ action: MailboxAction, store: MutatingStore<MailboxScreen, MailboxAction>
  ) async throws {
    switch action {
    case .append: store.numbers.append(store.numbers.count)
    case .rename(let title): store.title = title
    case .pop:
      onPop()
      store.title = "late"
    case .wait:
      await StationJournal.waitUntilCancelled()
      store.title = "late"
      journal.onCancel()
    }
  }

  func subscription(
    for hook: StationEditorHook, store: MutatingStore<MailboxScreen, MailboxAction>
  ) -> Subscription {
    journal.live += 1
    journal.lines.append("\(name) begins")
    return .all(
      store.publisher.title.map(\.count).assign(to: \.length, using: store),
      Subscription { [journal, name] in
        journal.live -= 1
        journal.lines.append("\(name) ends")
      })
  }
}

struct MessageFeature: Interactor {
  var journal = ScreenJournal()

  func children(of store: MutatingStore<MessageScreen, String>) -> Children<MessageScreen> {
    Each(\.path) {
      Case(MailScreen.mailbox) { MailboxFeature(name: "inner", journal: journal) }
      Case(MailScreen.message) { MessageFeature(journal: journal) }
    }
  }

  func onAction(_ action: String, store: MutatingStore<MessageScreen, String>) {
    store.text = action
  }

  func subscription(
    for hook: StationEditorHook, store: MutatingStore<MessageScreen, String>
  ) -> Subscription {
    let id = store.id
    journal.live += 1
    journal.lines.append("message \(id) begins")
    return .all(
      store.publisher.text.map(\.count).assign(to: \.length, using: store),
      Subscription { [journal] in
        journal.live -= 1
        journal.lines.append("message \(id) ends")
      })
  }
}
