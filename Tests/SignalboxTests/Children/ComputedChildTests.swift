import Testing

@testable import Signalbox

/// Children whose states lie behind setters, which decide whether there is a state.
@MainActor struct ComputedChildTests {
  struct CardState: Equatable, Identifiable {
    var id = 0
    var text = ""
    var isDone = false
    /// The id of another card that is hidden together with a change of this one.
    var hides: Int?
    var inner = StationDepthState()
  }

  struct BoardState: Equatable {
    private var draft = CardState()
    private var all = [CardState(id: 1), CardState(id: 2), CardState(id: 3)]
    private var byName = ["a": CardState(id: 1), "b": CardState(id: 2)]
    var count = 0

    var editor: CardState? {
      get { draft.isDone ? nil : draft }
      set { draft = newValue ?? CardState(isDone: true) }
    }

    var cards: [CardState] {
      get {
        let hidden = all.compactMap(\.hides)
        return all.filter { !$0.isDone && !hidden.contains($0.id) }
      }
      set {
        count += 1
        all = all.map { card in newValue.first { $0.id == card.id } ?? card }
      }
    }

    var named: [String: CardState] {
      get { byName.filter { !$1.isDone } }
      set { byName = newValue }
    }
  }

  enum CardAction { case touch }

  struct Card: Interactor {
    var journal = StationJournal()

    func children(of store: MutatingStore<CardState, CardAction>) -> Children<CardState> {
      Child(\.inner) { StationDepth() }
    }

    func onAction(_ action: CardAction, store: MutatingStore<CardState, CardAction>) {
      store.text += "touched"
    }

    func subscription(for hook: OnlyHook, store: MutatingStore<CardState, CardAction>)
      -> Subscription
    {
      let id = store.id
      journal.add("begins \(id)")
      return Subscription { [journal] in journal.add("ends \(id)") }
    }
  }

  struct Board: Interactor {
    let journal: StationJournal

    func children(of store: MutatingStore<BoardState, Never>) -> Children<BoardState> {
      Child(\.editor) { Card() }
      Each(\.cards) { _ in Card(journal: journal) }
      Each(\.named) { _ in Card() }
    }

    func onAction(_ action: Never, store: MutatingStore<BoardState, Never>) {}
  }

  private typealias CardStore = Store<CardState, CardAction>

  private static let ways: [@MainActor (MutatingStore<CardState, CardAction>) -> Void] = [
    { $0.isDone = true }, { $0.isDone.toggle() }, { $0.state.isDone = true },
    { store in store.update { $0.isDone = true } },
    { store in store.batch { store.isDone = true } },
    { $0.set(\.isDone, true, forceUpdate: true) },
  ]

  private static let children: [@MainActor (Store<BoardState, Never>) -> CardStore?] = [
    { $0.child(\.editor, Card.self) }, { $0.child(\.cards, id: 2, Card.self) },
    { $0.child(\.named, id: "a", Card.self) },
  ]

  private let journal = StationJournal()
  private let store: Store<BoardState, Never>

  init() { store = Store(state: BoardState(), interactor: Board(journal: journal)) }

  @Test("C6 A child that a setter takes away with the child's own write keeps its last value")
  func ownWrite() throws {
    for child in Self.children {
      for way in Self.ways {
        for isObserved in [false, true] {
          let store = Store(state: BoardState(), interactor: Board(journal: journal))
          let card = try #require(child(store))
          let late = card.instruments.arranging
          card.dispatch(.touch)
          let subscription = isObserved ? card.publisher.sink { _ in } : nil
          way(late)
          #expect(child(store) == nil)
          #expect(card.isDone)
          #expect(card.text == "touched")
          late.text = "late"
          late.update { $0.text = "late" }
          #expect(card.text == "touched")
          withExtendedLifetime(subscription) {}
        }
      }
    }
  }

  @Test("C4 C6 A child of such a child ends with it by its own write, and so does a sibling")
  func others() throws {
    let card = try #require(store.child(\.cards, id: 1, Card.self))
    let other = try #require(store.child(\.cards, id: 2, Card.self))
    let inner = other.child(\.inner, StationDepth.self)
    inner.dispatch(.deepen)
    journal.lines = []
    card.binder.hides.wrappedValue = 2
    #expect(journal.lines == ["ends 2"])
    #expect(store.cards.map(\.id) == [1, 3])
    #expect(other.inner.depth == 1)
    #expect(inner.depth == 1)
    inner.dispatch(.deepen)
    #expect(inner.depth == 1)
    card.binder.hides.wrappedValue = nil
    #expect(journal.lines == ["ends 2", "begins 2"])
  }

  @Test("C1 S7 The observers of a sibling are told of what a setter changes in it")
  func siblings() throws {
    struct MirrorState {
      var all = [CardState(id: 1), CardState(id: 2)]
      var cards: [CardState] {
        get { all }
        set { all = newValue.map { CardState(id: $0.id, text: newValue[0].text) } }
      }
    }
    struct Mirror: Interactor {
      func children(of store: MutatingStore<MirrorState, Never>) -> Children<MirrorState> {
        Each(\.cards) { _ in Card() }
      }
      func onAction(_ action: Never, store: MutatingStore<MirrorState, Never>) {}
    }
    let store = Store(state: MirrorState(), interactor: Mirror())
    var seen: [String] = []
    let cards = [1, 2].compactMap { store.child(\.cards, id: $0, Card.self) }
    let subscriptions = cards.map { card in
      card.publisher.text.sink { seen.append("\(card.id) \($0)") }
    }
    cards[0].dispatch(.touch)
    #expect(seen == ["1 touched", "2 touched"])
    cards[0].binder.text.wrappedValue = "again"
    #expect(seen.suffix(2) == ["1 again", "2 again"])
    withExtendedLifetime(subscriptions) {}
  }

  struct DeckState: Equatable {
    var all = [CardState(id: 1), CardState(id: 2), CardState(id: 3)]

    var cards: [CardState] {
      get { all.filter { !$0.isDone } }
      set { all = newValue }
    }
  }

  struct Deck: Interactor {
    func children(of store: MutatingStore<DeckState, Never>) -> Children<DeckState> {
      Each(\.cards) { _ in PlainCard() }
    }
    func onAction(_ action: Never, store: MutatingStore<DeckState, Never>) {}
  }

  struct PlainCard: Interactor {
    func onAction(_ action: CardAction, store: MutatingStore<CardState, CardAction>) {}
  }

  @Test("C1 C5 In a batch, a child whose place has changed before writes to its own state")
  func movedInBatch() throws {
    let ways: [@MainActor (MutatingStore<CardState, CardAction>) -> Void] = [
      { $0.text = "x" }, { $0.text.append("x") }, { store in store.update { $0.text = "x" } },
    ]
    for way in ways {
      for isObserved in [false, true] {
        let store = Store(state: DeckState(), interactor: Deck())
        let parent = store.instruments.arranging
        let card = try #require(store.child(\.cards, id: 3, PlainCard.self))
        let writer = card.instruments.arranging
        let subscription = isObserved ? card.publisher.text.sink { _ in } : nil
        parent.batch {
          parent.all = parent.all.reversed()
          way(writer)
        }
        #expect(store.all.map(\.text) == ["x", "", ""])
        writer.text = ""
        parent.all = [CardState(id: 1), CardState(id: 2), CardState(id: 3)]
        parent.batch {
          parent.all = [CardState(id: 3)]
          way(writer)
        }
        #expect(store.all == [CardState(id: 3, text: "x")])
        #expect(card.text == "x")
        withExtendedLifetime(subscription) {}
      }
    }
  }

  @Test("S6 C1 A change in place of a whole state that is trivial and behind a setter is told")
  func trivialState() {
    struct Volume: Equatable { var level = 0 }
    struct Box { var volume = Volume() { didSet {} } }
    struct Knob: Interactor {
      func onAction(_ action: Never, store: MutatingStore<Volume, Never>) {}
    }
    struct Radio: Interactor {
      func children(of store: MutatingStore<Box, Never>) -> Children<Box> {
        Child(\.volume) { Knob() }
      }
      func onAction(_ action: Never, store: MutatingStore<Box, Never>) {}
    }
    let store = Store(state: Box(), interactor: Radio())
    let knob = store.child(\.volume, Knob.self)
    var told: [Int] = []
    let subscription = knob.publisher.sink { told.append($0.level) }
    knob.instruments.arranging.state.level += 1
    knob.instruments.arranging.state.level += 0
    knob.instruments.arranging.state.level += 1
    #expect(told == [1, 2])
    #expect(store.volume.level == 2)
    withExtendedLifetime(subscription) {}
  }
}
