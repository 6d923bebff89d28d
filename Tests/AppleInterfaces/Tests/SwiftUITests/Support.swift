import Signalbox
import SignalboxUI
import SwiftUI

struct Chat: Equatable {
  var title = "general"
  var draft = ""
  var isMuted = false
  var messages: [String] = []
  var isCompact = false
}

enum ChatAction {
  case send
  case mute(Bool)
  case load
}

enum ChatHook: CaseIterable { case compact }

/// Loads until the store is released, and reports when the load has ended.
struct ChatInteractor: Interactor {
  var animation: Animation? = .bouncy
  var loading = Gate()

  func onAction(_ action: ChatAction, store: MutatingStore<Chat, ChatAction>) async {
    switch action {
    case .send:
      store.messages.append(store.draft)
      store.draft = ""
    case .mute(let isMuted): store.isMuted = isMuted
    case .load:
      await loading.pass()
      store.messages = ["loaded"]
    }
  }

  func subscription(for hook: ChatHook, store: MutatingStore<Chat, ChatAction>)
    -> Signalbox.Subscription
  {
    store.publisher.messages
      .map { $0.count > 1 }
      .assign(to: \.isCompact, using: store, animation: animation)
  }
}
