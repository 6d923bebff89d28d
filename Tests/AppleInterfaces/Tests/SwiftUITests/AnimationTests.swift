import Signalbox
import SignalboxUI
import SwiftUI
import Testing

@MainActor struct AnimationTests {
  private struct ChatView: View {
    let store: Store<Chat, ChatAction>

    private var action: StateBinding<Bool> {
      store.binder.binding(get: \.isMuted, action: { .mute($0) })
    }

    var body: some View {
      Text(store.isMuted ? "muted" : "loud")
      Text(store.isCompact ? "compact" : "roomy")
      Toggle("Muted", isOn: Binding(store.binder.isMuted).animation(.easeInOut))
      Toggle("Plain", isOn: Binding(store.binder.isMuted))
      Toggle("Action", isOn: Binding(action).animation(.easeInOut))
      Toggle("Plain action", isOn: Binding(action))
    }
  }

  private let store = Store(state: Chat(), interactor: ChatInteractor(animation: .bouncy))

  @Test("A1 withAnimation around a dispatch animates what the action does synchronously")
  func dispatch() {
    let host = Host(ChatView(store: store))
    withAnimation(.easeInOut) { store.dispatch(.mute(true)) }
    #expect(host.update() == [.easeInOut])
    #expect(host.texts == ["muted", "roomy"])
    store.dispatch(.mute(false))
    #expect(host.update() == [nil])
  }

  @Test("assign(to:using:animation:) animates its own change and no other")
  func assign() {
    let host = Host(ChatView(store: store))
    store.dispatch(.send)
    #expect(host.update() == [])
    store.dispatch(.send)
    #expect(store.isCompact)
    #expect(host.update() == [.bouncy])
    #expect(host.texts == ["loud", "compact"])
  }

  @Test("assign(to:using:animation:) with nil does not animate, even inside withAnimation")
  func assignWithout() {
    let store = Store(state: Chat(messages: ["a"]), interactor: ChatInteractor(animation: nil))
    let host = Host(ChatView(store: store))
    withAnimation { store.dispatch(.send) }
    #expect(host.update() == [nil])
    #expect(host.texts == ["loud", "compact"])
  }

  @Test(
    "a binding with an animation animates its writes, and others use the surrounding one",
    arguments: [("Muted", "Plain"), ("Action", "Plain action")])
  func binding(animated: String, plain: String) {
    let host = Host(ChatView(store: store))
    host.toggle(animated)?.wrappedValue = true
    #expect(host.update() == [.easeInOut])
    withAnimation(.bouncy) { host.toggle(plain)?.wrappedValue = false }
    #expect(host.update() == [.bouncy])
    host.toggle(plain)?.wrappedValue = true
    #expect(host.update() == [nil])
  }
}
