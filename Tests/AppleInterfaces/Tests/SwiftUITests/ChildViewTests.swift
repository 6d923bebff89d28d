import Signalbox
import SignalboxUI
import SwiftUI
import Testing

@MainActor struct ChildViewTests {
  private struct BoardView: View {
    @StateStore var store: Store<Board, BoardAction>
    let drawn: Drawings

    var body: some View {
      let _ = drawn.board.increase()
      ForEach(store, \.cards, CardFeature.self) { card in
        CardView(card: card, drawn: drawn)
      }
      Button("Add") { store.dispatch(.add) }
      Button("Swap") { store.dispatch(.swap) }
    }
  }

  private struct CardView: View {
    let card: Store<Card, CardAction>
    let drawn: Drawings

    var body: some View {
      let _ = drawn.cards.increase()
      Text(card.title)
      Button("Delete \(card.id)") { card.dispatch(.delete) }
      TextField("Title \(card.id)", text: Binding(card.binder.title))
    }
  }

  private let drawn = Drawings()

  private func board(_ state: Board) -> (Host, Store<Board, BoardAction>) {
    let store = Store(state: state, interactor: BoardFeature())
    return (Host(BoardView(store: store, drawn: drawn)), store)
  }

  @Test("M5 a change in a row redraws that row, and neither its siblings nor the list")
  func oneRow() {
    let (host, _) = board(Board(cards: [Card(id: 1, title: "a"), Card(id: 2, title: "b")]))
    #expect(host.texts == ["a", "b"])
    #expect(drawn.counts == [1, 2])
    host.field("Title 2")?.wrappedValue = "c"
    host.update()
    #expect(host.texts == ["a", "c"])
    #expect(drawn.counts == [1, 3])
  }

  @Test("C4 a row that comes, moves or goes redraws the list, and no row that stays")
  func membership() {
    let (host, store) = board(Board(cards: [Card(id: 1, title: "a"), Card(id: 2, title: "b")]))
    host.tap("Add")
    host.update()
    #expect(host.texts == ["a", "b", "new"])
    #expect(drawn.counts == [2, 3])
    host.tap("Swap")
    host.update()
    #expect(host.texts == ["b", "a", "new"])
    #expect(drawn.counts == [3, 3])
    host.tap("Delete 1")
    host.update()
    #expect(host.texts == ["b", "new"])
    #expect(drawn.counts == [4, 3])
    #expect(store.cards.map(\.id) == [2, 3])
    #expect(host.faults == [])
  }

  @Test("C8 of two rows with one id, the first is shown")
  func duplicates() {
    let (host, _) = board(Board(cards: [Card(id: 1, title: "a"), Card(id: 1, title: "b")]))
    #expect(host.texts == ["a"])
  }

  private struct SheetsView: View {
    @StateStore var store: Store<Board, BoardAction>
    let drawn: Drawings

    var body: some View {
      let _ = drawn.board.increase()
      Button("Edit") { store.dispatch(.edit) }
        .sheet(item: $store.child(\.editor, CardFeature.self)) { presented in
          CardView(card: presented.store, drawn: drawn)
        }
    }
  }

  @Test("C4 a sheet shows an optional child, and its dismissal ends the child")
  func sheet() throws {
    let store = Store(state: Board(), interactor: BoardFeature())
    let host = Host(SheetsView(store: store, drawn: drawn))
    #expect(host.texts == [])
    host.tap("Edit")
    host.update()
    #expect(host.texts == ["draft"])
    let editor = try #require(store.child(\.editor, CardFeature.self))
    #expect(drawn.counts == [2, 1])
    host.field("Title 0")?.wrappedValue = "changed"
    host.update()
    #expect(host.texts == ["changed"])
    #expect(drawn.counts == [2, 2])
    host.dismissSheet()
    host.update()
    #expect(store.editor == nil)
    #expect(host.texts == [])
    editor.dispatch(.delete)
    #expect(editor.title == "changed")
  }

  private struct LampsView: View {
    @StateStore var store: Store<House, Never>

    var body: some View {
      ForEach(store, \.lamps, Lamp.self) { LampView(lamp: $0) }
      Text("\(store.lamps.count) lamps")
        .sheet(item: $store.child(\.spare, Lamp.self)) { LampView(lamp: $0.store) }
    }
  }

  private struct LampView: View {
    let lamp: Store<Lamp.State, Lamp.Event>

    var body: some View {
      Text(lamp.isOn ? "\(lamp.id) on" : "\(lamp.id) off")
      Button("Toggle \(lamp.id)") { lamp.dispatch(.toggle) }
    }
  }

  @Test("C10 children whose events transducers handle are shown in a list and in a sheet")
  func transducers() {
    let store = Store(state: House(), interactor: HouseFeature())
    let host = Host(LampsView(store: store))
    #expect(host.texts == ["1 off", "2 off", "2 lamps", "3 off"])
    host.tap("Toggle 2")
    host.tap("Toggle 3")
    host.update()
    #expect(host.texts == ["1 off", "2 on", "2 lamps", "3 on"])
    host.dismissSheet()
    host.update()
    #expect(store.spare == nil)
    #expect(host.texts == ["1 off", "2 on", "2 lamps"])
  }

  private struct DestinationView: View {
    @StateStore var store: Store<Board, BoardAction>

    var body: some View {
      Button("Note") { store.binder.destination.wrappedValue = .note("n") }
        .sheet(item: $store.case(\.destination, Board.Destination.card)) { Text("card \($0.id)") }
      Button("Help") { store.binder.destination.wrappedValue = .help }
        .sheet(isPresented: $store.case(\.destination, .help)) { Text("help") }
    }
  }

  @Test("$store.case is a binding to the value of one case")
  func destination() {
    let store = Store(state: Board(), interactor: BoardFeature())
    let host = Host(DestinationView(store: store))
    host.tap("Note")
    host.update()
    #expect(host.texts == [])
    host.tap("Help")
    host.update()
    #expect(host.texts == ["help"])
    host.dismissSheet()
    host.update()
    #expect(store.destination == nil)
    store.binder.destination.wrappedValue = .card(Card(id: 7, title: ""))
    host.update()
    #expect(host.texts == ["card 7"])
    host.dismissSheet()
    #expect(store.destination == nil)
  }
}

@MainActor private final class Drawings {
  let board = Tally()
  let cards = Tally()

  var counts: [Int] { [board.count, cards.count] }
}

private struct Card: Identifiable, Equatable {
  var id = 0
  var title = "draft"
}

private struct Board: Equatable {
  enum Destination: Equatable {
    case card(Card)
    case note(String)
    case help
  }

  var cards: [Card] = []
  var editor: Card?
  var destination: Destination?
}

private enum BoardAction { case add, swap, edit }
private enum CardAction { case delete }

private struct BoardFeature: Interactor {
  func children(of store: MutatingStore<Board, BoardAction>) -> Children<Board> {
    Each(\.cards) { id in CardFeature { store.cards.removeAll { $0.id == id } } }
    Child(\.editor) { CardFeature { store.editor = nil } }
  }

  func onAction(_ action: BoardAction, store: MutatingStore<Board, BoardAction>) {
    switch action {
    case .add: store.cards.append(Card(id: store.cards.count + 1, title: "new"))
    case .swap: store.cards.swapAt(0, 1)
    case .edit: store.editor = Card()
    }
  }
}

private enum Lamp: Transducer {
  struct State: Identifiable, Equatable { var id: Int, isOn = false }
  enum Event { case toggle }

  static func update(_ state: inout State, event: Event) -> Effect? {
    state.isOn.toggle()
    return nil
  }
}

private struct House {
  var lamps = [Lamp.State(id: 1), Lamp.State(id: 2)]
  var spare: Lamp.State? = Lamp.State(id: 3)
}

private struct HouseFeature: Interactor {
  func children(of store: MutatingStore<House, Never>) -> Children<House> {
    Each(\.lamps) { _ in Lamp.feature() }
    Child(\.spare) { Lamp.feature() }
  }

  func onAction(_ action: Never, store: MutatingStore<House, Never>) {}
}

private struct CardFeature: Interactor {
  let onDelete: @MainActor () -> Void

  func onAction(_ action: CardAction, store: MutatingStore<Card, CardAction>) { onDelete() }
}
