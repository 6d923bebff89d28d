import Signalbox
import SignalboxUI
import SwiftUI
import Testing

/// Counts occurrences.
@MainActor final class Tally {
  private(set) var count = 0

  func increase() { count += 1 }
}

@MainActor struct StateStoreTests {
  private struct ChatView: View {
    @StateStore private var store: Store<Chat, ChatAction>
    private let made: Tally
    private let label: String

    init(label: String = "", made: Tally = Tally(), state: Chat = Chat()) {
      self.made = made
      self.label = label
      _store = StateStore(wrappedValue: Self.store(state, made))
    }

    private static func store(_ state: Chat, _ made: Tally) -> Store<Chat, ChatAction> {
      made.increase()
      return Store(state: state, interactor: ChatInteractor())
    }

    var body: some View {
      Text(label + store.title)
      Text(store.messages.joined(separator: " "))
      TextField("Message", text: $store.draft)
      Toggle("Muted", isOn: $store.binding(get: \.isMuted, action: { .mute($0) }))
      Button("Send") { store.dispatch(.send) }
    }
  }

  private struct Room: View {
    @State private var visits = 0
    @State private var isOpen = true
    let made: Tally

    var body: some View {
      Button("Visit") { visits += 1 }
      Button("Door") { isOpen.toggle() }
      if isOpen { ChatView(label: "\(visits) ", made: made) }
    }
  }

  @Test("a store is made once, on first use, however often its view is made again")
  func once() {
    let made = Tally()
    let view = ChatView(made: made)
    #expect(made.count == 0)
    _ = view
    let host = Host(Room(made: made))
    #expect(made.count == 1)
    host.field("Message")?.wrappedValue = "hi"
    host.tap("Send")
    host.tap("Visit")
    host.update()
    #expect(host.texts == ["1 general", "hi"])
    #expect(made.count == 1)
  }

  @Test("a view that is inserted again is a new view with a new store")
  func identity() {
    let made = Tally()
    let host = Host(Room(made: made))
    host.field("Message")?.wrappedValue = "hi"
    host.tap("Send")
    host.tap("Door")
    host.update()
    #expect(host.texts == [])
    host.tap("Door")
    host.update()
    #expect(host.texts == ["0 general", ""])
    #expect(made.count == 2)
  }

  @Test("a store can be declared with its value or set by the memberwise initializer")
  func declarations() {
    struct Declared: View {
      @StateStore var store = Store(state: Chat(title: "declared"))
      var body: some View { Text(store.title) }
    }
    struct Handed: View {
      @StateStore var store: Store<Chat, Never>
      var body: some View { Text(store.title) }
    }
    #expect(Host(Declared()).texts == ["declared"])
    #expect(Host(Handed(store: Store(state: Chat(title: "handed")))).texts == ["handed"])
  }

  @Test("$store.x is a binding that shows the store and changes it")
  func bothWays() {
    let host = Host(ChatView())
    host.field("Message")?.wrappedValue = "hi"
    host.update()
    #expect(host.field("Message")?.wrappedValue == "hi")
    host.tap("Send")
    host.update()
    #expect(host.field("Message")?.wrappedValue == "")
    #expect(host.texts == ["general", "hi"])
  }

  @Test("$store.binding(get:action:) turns writes into actions")
  func action() {
    let host = Host(ChatView())
    host.toggle("Muted")?.wrappedValue = true
    #expect(host.toggle("Muted")?.wrappedValue == true)
    host.toggle("Muted")?.wrappedValue = false
    #expect(host.toggle("Muted")?.wrappedValue == false)
  }

  @Test("M5 among many views of a store, only the view that reads the changed property is redrawn")
  func onePropertyOfMany() {
    struct Part: View {
      let drawn: Tally
      let text: @MainActor () -> String

      var body: some View {
        let _ = drawn.increase()
        Text(text())
      }
    }
    struct Fields: View {
      let store: StoreBindings<Chat, Never>

      var body: some View {
        TextField("Draft", text: store.draft)
        TextField("Title", text: store.title)
      }
    }
    struct Whole: View {
      @StateStore var store = Store(state: Chat())
      let tallies: [Tally]

      var body: some View {
        let store = store
        let _ = tallies[0].increase()
        Part(drawn: tallies[1]) { store.title }
        Part(drawn: tallies[2]) { store.draft }
        Part(drawn: tallies[3]) { store.messages.joined() }
        Fields(store: $store)
      }
    }
    let tallies = (0..<4).map { _ in Tally() }
    let host = Host(Whole(tallies: tallies))
    #expect(tallies.map(\.count) == [1, 1, 1, 1])
    host.field("Draft")?.wrappedValue = "x"
    host.update()
    #expect(tallies.map(\.count) == [1, 1, 2, 1])
    host.field("Title")?.wrappedValue = "y"
    host.update()
    #expect(tallies.map(\.count) == [1, 2, 2, 1])
    host.field("Title")?.wrappedValue = "y"
    host.update()
    #expect(tallies.map(\.count) == [1, 2, 2, 1])
  }

  @Test("a view that receives a store binds to it with Binding(store.binder.x)")
  func handedOn() {
    struct Child: View {
      let store: Store<Chat, ChatAction>

      var body: some View {
        Text(store.draft)
        TextField("Message", text: Binding(store.binder.draft))
      }
    }
    let store = Store(state: Chat(), interactor: ChatInteractor())
    let host = Host(Child(store: store))
    host.field("Message")?.wrappedValue = "hi"
    #expect(store.draft == "hi")
    store.binder.draft.wrappedValue = "ho"
    host.update()
    #expect(host.texts == ["ho"])
  }

  private struct Field: View {
    let title: String
    @Binding var text: String
    let drawn: Tally

    var body: some View {
      let _ = drawn.increase()
      TextField(title, text: $text)
    }
  }

  @Test("a field with $store.x or Binding(store.binder.x) is not redrawn with its parent")
  func fieldsStay() {
    struct Form: View {
      @StateStore var store = Store(state: Chat(), interactor: ChatInteractor())
      let drawn: [Tally]

      var body: some View {
        Toggle("Muted", isOn: $store.isMuted)
        Field(title: "Draft", text: $store.draft, drawn: drawn[0])
        Field(title: "Title", text: Binding(store.binder.title), drawn: drawn[1])
      }
    }
    let drawn = [Tally(), Tally()]
    let host = Host(Form(drawn: drawn))
    host.toggle("Muted")?.wrappedValue = true
    host.update()
    #expect(drawn.map(\.count) == [1, 1])
    host.field("Draft")?.wrappedValue = "hi"
    host.update()
    #expect(drawn.map(\.count) == [2, 1])
  }

  @Test("the bindings of two stores to one property are different bindings")
  func twoStores() {
    struct Form: View {
      @State private var isOther = false
      let stores: [Store<Chat, Never>]
      let drawn: Tally

      var body: some View {
        Field(title: "Draft", text: Binding(stores[isOther ? 1 : 0].binder.draft), drawn: drawn)
        Button("Other") { isOther = true }
      }
    }
    let (stores, drawn) = ([Store(state: Chat()), Store(state: Chat())], Tally())
    let host = Host(Form(stores: stores, drawn: drawn))
    host.tap("Other")
    host.update()
    host.field("Draft")?.wrappedValue = "hi"
    #expect(stores.map(\.draft) == ["", "hi"])
    #expect(drawn.count == 2)
  }

  @Test("M6 $store.x is a binding to a value that need not be Equatable")
  func notEquatable() {
    struct Theme {
      var isDark = false
      var onChange: () -> Void = {}
    }
    struct Settings { var theme = Theme() }
    struct SettingsView: View {
      @StateStore var store = Store(state: Settings())

      var body: some View {
        Text(store.theme.isDark ? "dark" : "light")
        Toggle("Dark", isOn: $store.theme.isDark)
        Toggle("By binder", isOn: Binding(store.binder.theme).isDark)
      }
    }
    let host = Host(SettingsView())
    host.toggle("Dark")?.wrappedValue = true
    host.update()
    #expect(host.texts == ["dark"])
    host.toggle("By binder")?.wrappedValue = false
    host.update()
    #expect(host.texts == ["light"])
  }
}
