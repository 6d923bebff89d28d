import Signalbox
import Synchronization
import Testing

@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct CompositionTests {
  private let gate = StoreGate()
  private let store: Store<Pair.State, Pair.Event>
  private let input: Input<Pair.Event, String>

  init() {
    store = Store(state: .init(), transducer: Pair.self, env: .init(gate: gate))
    input = store.input(of: Pair.self)
  }

  @Test("X3 children of one type have separate names, and their events are mapped to the parent's")
  func siblings() async {
    store.send(.left(Clockwork.Event("a") { wait("a") }))
    store.send(.right(Clockwork.Event("b") { wait("b") }))
    #expect(store.runningCount == 2)
    store.send(.left(Clockwork.Event("c") { .cancel("work") }))
    #expect(store.runningCount == 1)
    await gate.arrival(at: "b")
    gate.open("b")
    await store.settle()
    try? await input.send(.right("end"))
    #expect(store.left.log == ["a", "c"])
    #expect(store.right.log == ["b", "b is over", "end"])
  }

  @Test("X2 X5 all kinds of effects of a child are carried out as effects of the parent")
  func effects() async throws {
    let answer = try await input.request(
      .left(
        Clockwork.Event("a") {
          .sequence([
            .event("b"), .action { _ in "c" },
            .merge([.task { _ in "d" }, .events { _ in AsyncStream { $0.finish() } }]),
            .request(id: "ask") { input, _ in try await input.request("e") },
          ])
        }))
    await store.settle()
    #expect(answer == "left: e of \(store.left.log.firstIndex(of: "e").map { $0 + 1 } ?? 0)")
    #expect(Set(store.left.log) == ["a", "b", "c", "d", "e"])
    let caught = wait("f").catch { _ in "caught" }
    store.send(.right(Clockwork.Event("f") { caught.debounce(for: .zero, id: "late") }))
    await gate.arrival(at: "f")
    gate.fail("f")
    await store.settle()
    #expect(store.right.log == ["f", "caught"])
  }

  private struct Ticket: Hashable, Sendable { var holder: String }

  @Test("D4 the name of a child's work hides what is redacted in it")
  func redactedName() {
    DebugStore.redact(\Ticket.holder)
    var names: [String] = []
    let events = store.events.sink {
      if case .runStarted(let id?) = $0.kind { names.append(Dump.description(of: id)) }
    }
    store.send(.left(Clockwork.Event("a") { .run(id: Ticket(holder: "bob")) { _, _ in } }))
    #expect(names.count == 1)
    #expect(names.allSatisfy { $0.contains(Redaction.text) && !$0.contains("bob") }, "\(names)")
    events.cancel()
  }

  @Test("X1 an event for a missing child changes nothing")
  func absent() {
    store.send(.guest("a"))
    #expect(store.guest == nil)
    store.send(.invite)
    store.send(.guest(Clockwork.Event("b") { .event("c") }))
    #expect(store.guest?.log == ["b", "c"])
  }

  @Test("X1 work in flight for a removed child does not change its successor")
  func gone() async {
    store.send(.invite)
    store.send(.guest(Clockwork.Event("a") { wait("a") }))
    store.send(.leave)
    await gate.arrival(at: "a")
    gate.open("a")
    await gate.departure(from: "a")
    await store.settle()
    try? await input.send(.guest("late"))
    #expect(store.guest == nil)
    store.send(.invite)
    store.send(.guest(Clockwork.Event("b") { wait("b") }))
    #expect(store.runningCount == 1)
    store.cancelAll()
  }

  @Test("X3 elements of a list and children of children have separate names")
  func nested() async {
    let gate = gate
    let store = Store(state: .init(), transducer: Hall.self, env: .init(gate: gate))
    var names: Set<String> = []
    let watching = store.events.sink {
      if case .runStarted(let id?) = $0.kind { names.insert("\(id)") }
    }
    for row in 0..<3 { store.send(.row(row, Clockwork.Event("a\(row)") { wait("a\(row)") })) }
    store.send(.pair(.left(Clockwork.Event("b") { wait("b") })))
    store.send(.pair(.right(Clockwork.Event("c") { wait("c") })))
    #expect(store.runningCount == 5)
    store.send(.row(1, Clockwork.Event("d") { .cancel("work") }))
    store.send(.pair(.left(Clockwork.Event("e") { wait("e") })))
    #expect(store.runningCount == 4)
    for door in ["a0", "a1", "a2", "b", "c", "e"] {
      await gate.arrival(at: door)
      gate.open(door)
      await gate.departure(from: door)
    }
    await store.settle()
    try? await store.input(of: Hall.self).send(.row(0, "end"))
    #expect(
      store.rows.map(\.log) == [["a0", "a0 is over", "end"], ["a1", "d"], ["a2", "a2 is over"]])
    #expect(store.pair.left.log == ["b", "e", "e is over"])
    #expect(store.pair.right.log == ["c", "c is over"])
    // The name shows no list index, because a key path does not reveal it, and no code address.
    #expect(
      names == [
        #"work at \State.rows[…]"#, #"work at \State.left at \State.pair"#,
        #"work at \State.right at \State.pair"#,
      ])
    watching.cancel()
  }

  @Test("X3 A4 an optional that contains a name is that name, in a child as in a store")
  func optionalNames() {
    for number in 0..<100 {
      let name: Int? = number
      store.send(
        .left(Clockwork.Event("go") { .run(id: name) { _, gate in try await gate.pass("x") } }))
      #expect(store.runningCount == 1)
      #expect(Clockwork.Effect.cancel(name).id == AnyHashable(number))
      store.send(.left(Clockwork.Event("stop") { .cancel(Optional(name)) }))
      #expect(store.runningCount == 0)
    }
  }

  @Test("M2 a child, optional or not, changes its state in place")
  func inPlace() {
    let store = Store(state: .init(), transducer: Cupboard.self, env: ())
    for _ in 0..<10 {
      store.send(.always(.add))
      store.send(.maybe(.add))
    }
    #expect(store.always.books.count == 10 && store.maybe?.books.count == 10)
    #expect(store.always.moves == 0 && store.maybe?.moves == 0)
  }

  @Test("A5 X3 the work of a child has the priority that it was given")
  func priority() async {
    let priorities = Mutex<[TaskPriority?]>([])
    for priority in [TaskPriority.background, .high] {
      store.send(
        .left(
          Clockwork.Event("a") {
            .run(priority: priority) { _, _ in
              priorities.withLock { $0.append(Task.basePriority) }
            }
          }))
      await store.settle()
    }
    #expect(priorities.withLock { $0 } == [.background, .high])
  }
}

private func wait(_ name: String) -> Clockwork.Effect {
  .run(id: "work") { input, gate in
    try await gate.pass(name)
    try input.post(Clockwork.Event("\(name) is over") { nil })
  }
}

/// Two children of one type, and an optional one.
private enum Pair: Transducer {
  struct State {
    var left = Clockwork.State()
    var right = Clockwork.State()
    var guest: Clockwork.State?
  }
  enum Event {
    case left(Clockwork.Event)
    case right(Clockwork.Event)
    case guest(Clockwork.Event)
    case invite, leave
  }
  struct Env { let gate: StoreGate }
  typealias Output = String

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .left(let event):
      return forward(event, to: Clockwork.self, at: \.left, in: &state, as: Event.left) {
        $0.gate
      }
    case .right(let event):
      return forward(event, to: Clockwork.self, at: \.right, in: &state, as: Event.right) {
        $0.gate
      }
    case .guest(let event):
      return forward(event, to: Clockwork.self, at: \.guest, in: &state, as: Event.guest) {
        $0.gate
      }
    case .invite:
      state.guest = Clockwork.State()
      return nil
    case .leave:
      state.guest = nil
      return nil
    }
  }

  static func output(state: State, event: Event) -> String {
    switch event {
    case .left(let event): "left: " + Clockwork.output(state: state.left, event: event)
    case .right(let event): "right: " + Clockwork.output(state: state.right, event: event)
    case .guest, .invite, .leave: "\(event)"
    }
  }
}

/// Children in a list, and children of a child.
private enum Hall: Transducer {
  struct State {
    var rows = Array(repeating: Clockwork.State(), count: 3)
    var pair = Pair.State()
  }
  enum Event {
    case row(Int, Clockwork.Event)
    case pair(Pair.Event)
  }
  typealias Env = Pair.Env
  typealias Output = String

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .row(let row, let event):
      forward(
        event, to: Clockwork.self, at: \.rows[row], in: &state, as: { .row(row, $0) },
        env: { $0.gate })
    case .pair(let event):
      forward(event, to: Pair.self, at: \.pair, in: &state, as: Event.pair) { $0 }
    }
  }

  static func output(state: State, event: Event) -> String { "" }
}

/// Counts how often its array was copied although it had room for more.
private enum Bookshelf: Transducer {
  struct State {
    var books: [Int] = []
    var moves = 0
    init() { books.reserveCapacity(100) }
    var address: UInt { unsafe books.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
  }
  enum Event { case add }

  static func update(_ state: inout State, event: Event) -> Effect? {
    let address = state.address
    state.books.append(0)
    if state.address != address { state.moves += 1 }
    return nil
  }
}

private enum Cupboard: Transducer {
  struct State {
    var always = Bookshelf.State()
    var maybe: Bookshelf.State? = Bookshelf.State()
  }
  enum Event {
    case always(Bookshelf.Event)
    case maybe(Bookshelf.Event)
  }

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .always(let event):
      forward(event, to: Bookshelf.self, at: \.always, in: &state, as: Event.always)
    case .maybe(let event):
      forward(event, to: Bookshelf.self, at: \.maybe, in: &state, as: Event.maybe) { _ in }
    }
  }
}
