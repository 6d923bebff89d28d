import Signalbox
import SignalboxTesting
import Testing

/// Tests that texts about children hide what is redacted around a child, in it, and in its id.
@MainActor struct RedactedChildTests {
  fileprivate struct Purse: Equatable, Sendable {
    var note = "s3cret"
    var count = 0
  }

  /// An element whose `id` is stored beside something redacted.
  fileprivate struct Card: Identifiable, Equatable, Sendable {
    var id: Int
    @Redacted var pin = "s3cret"
    var count = 0
  }

  /// An element whose `id` is made of something redacted.
  fileprivate struct Ticket: Identifiable, Equatable, Sendable {
    @Redacted var code = "s3cret"
    var count = 0
    var id: String { code }
  }

  fileprivate struct Bag: Equatable, Sendable {
    var named = Purse()
    var outer = Outer()
    var open = Purse(note: "hello")
    var cards = [Card(id: 7)]
    var tickets = [Ticket()]
    var byCode = ["s3cret": Purse()]
  }

  fileprivate struct Outer: Equatable, Sendable { var inner = Purse() }

  fileprivate enum Turn: Sendable, CancellableAction {
    case write(Redacted<String>)
    case wait
    case fail
    var cancelIdentifier: Int? { if case .wait = self { 1 } else { nil } }
    var overlap: Overlap { .latest }
  }

  fileprivate struct PurseKeeper: Interactor {
    let gate: StoreGate

    func onAction(_ turn: Turn, store: MutatingStore<Purse, Turn>) async throws {
      switch turn {
      case .write(let note): store.note = note.wrappedValue
      case .wait:
        try? await gate.pass("purse")
        store.note = "s3cret, late"
      case .fail: throw Refusal()
      }
    }

    func subscription(for hook: OneHook, store: MutatingStore<Purse, Turn>) -> Subscription {
      store.publisher.note.map { "\($0)!" }.sink { _ in }
    }
  }

  fileprivate struct Counter<State>: Interactor {
    let count: WritableKeyPath<State, Int>

    func onAction(_ turn: Turn, store: MutatingStore<State, Turn>) async throws {
      if case .fail = turn { throw Refusal() }
      store.set(count, 1)
    }
  }

  fileprivate struct BagKeeper: Interactor {
    let gate: StoreGate

    func onAction(_ turn: Turn, store: MutatingStore<Bag, Turn>) async throws {}

    func children(of store: MutatingStore<Bag, Turn>) -> Children<Bag> {
      Child(\.named) { PurseKeeper(gate: gate) }
      Child(\.outer.inner) { PurseKeeper(gate: gate) }
      Child(\.open) { PurseKeeper(gate: gate) }
      Each(\.cards) { _ in Counter(count: \.count) }
      Each(\.tickets) { _ in Counter(count: \.count) }
      Each(\.byCode) { _ in PurseKeeper(gate: gate) }
    }
  }

  init() { Self.redact() }

  /// For all tests of the process, so each test with a bag does it.
  fileprivate static func redact() {
    DebugStore.redact(\Bag.named)
    DebugStore.redact(\Bag.outer.inner.note)
    DebugStore.redact(\Bag.byCode)
  }

  /// The texts of what happens in the children, as the failure of a test shows them.
  private func lines(_ body: (TestStore<Bag, Turn>, StoreGate) async -> Void) async -> [String] {
    let gate = StoreGate()
    let store = TestStore(state: Bag(), interactor: BagKeeper(gate: gate))
    let found = await failures {
      await body(store, gate)
      store.expect { $0.open.count = 5 }
    }
    store.cancelAll()
    return found.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  /// Each child in a redacted place.
  private static let hidden: [@MainActor (TestStore<Bag, Turn>) -> TestStore<Purse, Turn>?] = [
    { $0.child(\.named, PurseKeeper.self) },
    { $0.child(\.outer.inner, PurseKeeper.self) },
    { $0.child(\.byCode, id: "s3cret", PurseKeeper.self) },
  ]

  @Test("D4 the hooks of a child in a redacted place are hidden, and others are not")
  func hooks() async {
    for child in Self.hidden {
      let lines = await lines { store, _ in
        child(store)?.send(.write(Redacted(wrappedValue: "s3cret, new")))
      }
      #expect(lines.contains { $0.contains("hook only received <redacted>") }, "\(lines)")
      #expect(!lines.contains { $0.contains("s3cret") }, "\(lines)")
    }
    let open = await lines { store, _ in
      store.child(\.open, PurseKeeper.self).send(.write(Redacted(wrappedValue: "bye")))
    }
    #expect(open.contains { $0.contains(#"\.open: hook only received "bye!""#) }, "\(open)")
  }

  @Test("D4 what late work of a child in a redacted place writes is hidden")
  func dropped() async {
    for child in Self.hidden {
      let lines = await lines { store, gate in
        child(store)?.send(.wait)
        child(store)?.send(.wait)
        for _ in 0..<2 { gate.open("purse") }
        await store.settle()
      }
      #expect(lines.contains { $0.contains("dropped change <redacted>") }, "\(lines)")
      #expect(!lines.contains { $0.contains("s3cret") }, "\(lines)")
    }
  }

  fileprivate struct Shelf: Equatable, Sendable {
    var hidden = Purse()
    var open = Purse(note: "hello")
  }

  /// A purse whose hook receives the note of another one.
  fileprivate struct Reader: Interactor {
    let note: @MainActor () -> Signal<String>

    func onAction(_ turn: Turn, store: MutatingStore<Purse, Turn>) async throws {}

    func subscription(for hook: OneHook, store: MutatingStore<Purse, Turn>) -> Subscription {
      note().sink { _ in }
    }
  }

  fileprivate struct ShelfKeeper: Interactor {
    func onAction(_ turn: Turn, store: MutatingStore<Shelf, Turn>) async throws {}

    func children(of store: MutatingStore<Shelf, Turn>) -> Children<Shelf> {
      Child(\.hidden) { PurseKeeper(gate: StoreGate()) }
      Child(\.open) {
        Reader { store.child(\.hidden, PurseKeeper.self).publisher.note.share() }
      }
    }
  }

  @Test("D4 what a hook receives from another child in a redacted place is hidden")
  func otherChild() async {
    DebugStore.redact(\Shelf.hidden)
    let store = TestStore(state: Shelf(), interactor: ShelfKeeper())
    let found = await failures {
      await store.child(\.hidden, PurseKeeper.self)
        .dispatch(.write(Redacted(wrappedValue: "s3cret, new")))
      store.expect { $0.open.count = 5 }
    }
    let text = found.joined(separator: "\n")
    #expect(text.contains(#"\.open: hook only received <redacted>"#), "\(text)")
    #expect(!text.contains("s3cret"), "\(text)")
  }

  @Test("D4 an id that is made of something redacted is hidden, and one beside it is shown")
  func ids() async {
    let lines = await lines { store, _ in
      store.child(\.cards, id: 7, Counter<Card>.self)?.send(.write(Redacted(wrappedValue: "")))
      store.child(\.tickets, id: "s3cret", Counter<Ticket>.self)?
        .send(.write(Redacted(wrappedValue: "")))
    }
    #expect(lines.contains { $0.contains(#"\.cards[id: 7]: dispatched"#) }, "\(lines)")
    #expect(lines.contains { $0.contains(#"\.tickets[id: <redacted>]: dispatched"#) }, "\(lines)")
    #expect(lines.contains { $0.contains("cards[0, id: 7].count") }, "\(lines)")
    #expect(!lines.contains { $0.contains("s3cret") }, "\(lines)")
  }

  @Test("D4 C8 the report of two elements with one id hides the id")
  func duplicates() {
    let store = Store(state: Bag(), interactor: BagKeeper(gate: StoreGate()))
    var reports: [String] = []
    let events = store.events.sink { event in
      if case .duplicateChild(let text) = event.kind { reports.append(text) }
    }
    store.binder.tickets.wrappedValue += [Ticket(), Ticket(code: "s3cret-2")]
    _ = store.child(\.tickets, id: "s3cret", Counter<Ticket>.self)
    #expect(reports == [#"\.tickets[id: <redacted>]"#])
    events.cancel()
  }

  @Test("D4 the id of a child is hidden from when it is redacted")
  func later() {
    struct Late: Identifiable, Equatable, Sendable {
      var id = "s3cret"
      var count = 0
    }
    struct Drawer: Equatable, Sendable { var all = [Late()] }
    struct Keeper: Interactor {
      func onAction(_ turn: Turn, store: MutatingStore<Drawer, Turn>) async throws {}
      func children(of store: MutatingStore<Drawer, Turn>) -> Children<Drawer> {
        Each(\.all) { _ in Counter(count: \.count) }
      }
    }
    let store = Store(state: Drawer(), interactor: Keeper())
    var paths: [String] = []
    let events = store.events.sink { event in
      if case .child(let child) = event.kind { paths.append(child.path) }
    }
    let child = store.child(\.all, id: "s3cret", Counter<Late>.self)
    child?.send(.write(Redacted(wrappedValue: "")))
    #expect(paths.first == #"\.all[id: "s3cret"]"#)
    DebugStore.redact(\Late.id)
    paths = []
    child?.send(.write(Redacted(wrappedValue: "")))
    #expect(paths.first == #"\.all[id: <redacted>]"#)
    events.cancel()
  }
}

// There is only one log. This test runs after the others of it.
extension DebugStoreTests {
  @Test("D4 the log hides what late work of a child in a redacted place writes")
  func lateWorkInRedacted() async {
    RedactedChildTests.redact()
    let lines = await logged(.include([RedactedChildTests.Bag.self])) {
      let gate = StoreGate()
      let store = Store(
        state: RedactedChildTests.Bag(), interactor: RedactedChildTests.BagKeeper(gate: gate))
      let purse = store.child(\.named, RedactedChildTests.PurseKeeper.self)
      let first = purse.send(.wait)
      purse.send(.wait)
      for _ in 0..<2 { gate.open("purse") }
      await first.settled
      await store.settle()
    }
    #expect(lines.contains { $0.contains("late") || $0.contains("dropped") }, "\(lines)")
    #expect(!lines.contains { $0.contains("s3cret") }, "\(lines)")
  }
}
