import Signalbox
import SignalboxUI
import SwiftUI
import Testing

@MainActor struct LifetimeTests {
  private struct ChatView: View {
    @StateStore var store: Store<Chat, ChatAction>

    var body: some View {
      Text(store.messages.joined())
      TextField("Message", text: $store.draft)
      Button("Load") { store.dispatch(.load) }
      Button("Send") { store.dispatch(.send) }
    }
  }

  /// Counts the objects that were made for a view, and reports their release.
  private final class Made {
    weak var store: Store<Chat, ChatAction>?
    let loading = Gate()

    @MainActor func makeStore() -> Store<Chat, ChatAction> {
      let store = Store(state: Chat(), interactor: ChatInteractor(loading: loading))
      self.store = store
      return store
    }
  }

  @Test("A9 a store is released with its view, and its work ends", .timeLimit(.minutes(60)))
  func release() async {
    let made = Made()
    var host: Host? = Host(ChatView(store: made.makeStore()))
    host?.tap("Load")
    #expect(made.store?.runningCount == 1)
    host = nil
    #expect(made.store == nil)
    await made.loading.left()
  }

  @Test("a view that has disappeared keeps its store, and its work continues")
  func outOfSight() async {
    let made = Made()
    let host = Host(ChatView(store: made.makeStore()))
    host.tap("Load")
    host.disappear()
    #expect(made.store?.runningCount == 1)
    made.loading.open()
    await made.store?.settle()
    host.update()
    #expect(host.texts == ["loaded"])
  }

  @Test("bindings do not keep a store alive, and their writes after its release are dropped")
  func bindingOutlivesStore() {
    let made = Made()
    var host: Host? = Host(ChatView(store: made.makeStore()))
    let draft = host?.field("Message")
    draft?.wrappedValue = "hi"
    host = nil
    #expect(made.store == nil)
    draft?.wrappedValue = "ho"
    #expect(draft?.wrappedValue == "hi")
  }
}
