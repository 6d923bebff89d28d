import Signalbox
import SignalboxUI
import SwiftUI
import Testing

@MainActor struct NavigationTests {
  private struct ShopView: View {
    @StateStore var store: Store<Shop, ShopAction>

    var body: some View {
      NavigationStack(path: $store.path) {
        Text("root")
      } destination: { index, screen in
        switch screen {
        case .item: store.child(\.path, at: index, ItemFeature.self).map { ItemView(item: $0) }
        case .help: Text("help")
        }
      }
      .alert($store.alert)
      .confirmationDialog($store.confirmation)
    }
  }

  private struct ItemView: View {
    let item: Store<Item, ItemAction>

    var body: some View {
      Text("\(item.id) \(item.name)")
      Button("Ask") { item.dispatch(.ask) }
      Text("").alert(item, \.alert)
    }
  }

  private let store = Store(state: Shop(), interactor: ShopFeature())

  private func shop(_ path: [Screen]) -> Host {
    store.binder.path.wrappedValue = path
    return Host(ShopView(store: store))
  }

  @Test("N1 N4 a stack shows the screens of a path, and going back removes the last one")
  func path() {
    let host = shop([.item(Item(id: 1)), .help])
    #expect(host.texts == ["root", "1 new", "", "help"])
    host.goBack()
    #expect(store.path == [.item(Item(id: 1))])
    host.update()
    #expect(host.texts == ["root", "1 new", ""])
    #expect(host.leavingTexts == ["help"])
    store.binder.path.wrappedValue = [.item(Item(id: 1)), .item(Item(id: 1)), .help]
    host.update()
    #expect(host.texts == ["root", "1 new", "", "1 new", "", "help"])
    #expect(host.faults == [])
  }

  @Test("N3 a screen that is popped keeps its last content while it slides away")
  func sliding() throws {
    let host = shop([.item(Item(id: 1, name: "apple"))])
    let item = try #require(store.child(\.path, at: 0, ItemFeature.self))
    item.dispatch(.rename("pear"))
    host.update()
    store.binder.path.wrappedValue = [.item(Item(id: 2))]
    host.update()
    #expect(host.texts == ["root", "2 new", ""])
    #expect(host.leavingTexts == ["1 pear", ""])
    store.binder.path.wrappedValue = []
    host.update()
    #expect(host.leavingTexts == ["1 pear", "", "2 new", ""])
    host.endSliding()
    #expect(host.leavingTexts == [])
    #expect(host.faults == [])
  }

  @Test("N4 a user who goes back from a path that has changed meanwhile changes nothing")
  func lateBack() {
    let host = shop([.item(Item(id: 1))])
    store.binder.path.wrappedValue = [.item(Item(id: 2))]
    host.goBack()
    #expect(store.path == [.item(Item(id: 2))])
    store.binder.path.wrappedValue = [.item(Item(id: 1, name: "changed"))]
    host.goBack()
    #expect(store.path == [])
    host.goBack()
    #expect(store.path == [])
  }

  @Test("N4 a button of an alert removes the alert and sends its action")
  func alert() {
    let host = shop([])
    store.dispatch(.ask)
    host.update()
    #expect(host.dialog == "Buy?")
    #expect(host.texts == ["root", "It is dear."])
    #expect(host.answer("Buy"))
    #expect(store.alert == nil)
    #expect(store.bought == 1)
    host.update()
    #expect(host.dialog == nil)
    store.dispatch(.ask)
    host.update()
    host.answer("Cancel")
    #expect(store.alert == nil)
    #expect(store.bought == 1)
    #expect(host.faults == [])
  }

  @Test("N4 a late dismissal does not remove the next dialog")
  func lateDismissal() {
    let host = shop([])
    store.dispatch(.ask)
    host.update()
    store.binder.alert.wrappedValue = AlertState("Sold out")
    host.answer(nil)
    #expect(store.alert?.title == "Sold out")
    host.update()
    host.answer(nil)
    #expect(store.alert == nil)
    // An action that shows the next one.
    store.binder.confirmation.wrappedValue = ConfirmationState(
      "Empty?", buttons: [.init("Empty", role: .destructive, action: .ask)])
    host.update()
    #expect(host.answer("Empty"))
    #expect(store.confirmation == nil)
    #expect(store.alert?.title == "Buy?")
    host.update()
    #expect(host.dialog == "Buy?")
  }

  @Test("N4 a view that has received a store shows its alert")
  func child() throws {
    let host = shop([.item(Item(id: 1))])
    host.tap("Ask")
    host.update()
    #expect(host.dialog == "Rename?")
    host.answer("Rename")
    host.update()
    #expect(host.texts == ["root", "1 renamed", ""])
    #expect(host.faults == [])
  }
}

private enum Screen: Equatable {
  case item(Item)
  case help
}

private struct Item: Identifiable, Equatable {
  var id: Int
  var name = "new"
  var alert: AlertState<ItemAction>?
}

private struct Shop: Equatable {
  var path: [Screen] = []
  var alert: AlertState<ShopAction>?
  var confirmation: ConfirmationState<ShopAction>?
  var bought = 0
}

private enum ShopAction: Equatable { case ask, buy }
private enum ItemAction: Equatable {
  case ask
  case rename(String)
}

private struct ShopFeature: Interactor {
  func children(of store: MutatingStore<Shop, ShopAction>) -> Children<Shop> {
    Each(\.path) { Case(Screen.item) { ItemFeature() } }
  }

  func onAction(_ action: ShopAction, store: MutatingStore<Shop, ShopAction>) {
    switch action {
    case .ask:
      store.alert = AlertState(
        "Buy?", message: "It is dear.",
        buttons: [.init("Buy", action: .buy), .init("Cancel", role: .cancel)])
    case .buy: store.bought += 1
    }
  }
}

private struct ItemFeature: Interactor {
  func onAction(_ action: ItemAction, store: MutatingStore<Item, ItemAction>) {
    switch action {
    case .ask:
      store.alert = AlertState("Rename?", buttons: [.init("Rename", action: .rename("renamed"))])
    case .rename(let name): store.name = name
    }
  }
}
