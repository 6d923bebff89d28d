import Signalbox
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct CompositionTests {
  private let doors = Doors()
  private let store: Store<Pair.State, Pair.Event>
  private let input: Input<Pair.Event, String>

  init() {
    store = Store(state: .init(), transducer: Pair.self, env: .init(doors: doors))
    input = store.input(of: Pair.self)
  }

  @Test("X3 siblings of one type have names of their own, and their events are the parent's")
  func siblings() async {
    store.send(.left(Clockwork.Event("a") { wait("a") }))
    store.send(.right(Clockwork.Event("b") { wait("b") }))
    #expect(store.runningCount == 2)
    store.send(.left(Clockwork.Event("c") { .cancel("work") }))
    #expect(store.runningCount == 1)
    await doors.knock("b")
    doors.open("b")
    await store.settle()
    try? await input.send(.right("end"))
    #expect(store.left.log == ["a", "c"])
    #expect(store.right.log == ["b", "b is over", "end"])
  }

  @Test("X2 X5 all kinds of effects of a child are carried out as the parent's")
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
    await doors.knock("f")
    doors.fail("f")
    await store.settle()
    #expect(store.right.log == ["f", "caught"])
  }

  @Test("X1 an event for a child that is not there changes nothing")
  func absent() {
    store.send(.guest("a"))
    #expect(store.guest == nil)
    store.send(.invite)
    store.send(.guest(Clockwork.Event("b") { .event("c") }))
    #expect(store.guest?.log == ["b", "c"])
  }
}

private func wait(_ name: String) -> Clockwork.Effect {
  .run(id: "work") { input, doors in
    try await doors.pass(name)
    try input.post(Clockwork.Event("\(name) is over") { nil })
  }
}

/// Two of a kind, and one that may be there.
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
    case invite
  }
  struct Env { let doors: Doors }
  typealias Output = String

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .left(let event):
      return forward(event, to: Clockwork.self, at: \.left, in: &state, as: Event.left) {
        $0.doors
      }
    case .right(let event):
      return forward(event, to: Clockwork.self, at: \.right, in: &state, as: Event.right) {
        $0.doors
      }
    case .guest(let event):
      return forward(event, to: Clockwork.self, at: \.guest, in: &state, as: Event.guest) {
        $0.doors
      }
    case .invite:
      state.guest = Clockwork.State()
      return nil
    }
  }

  static func output(state: State, event: Event) -> String {
    switch event {
    case .left(let event): "left: " + Clockwork.output(state: state.left, event: event)
    case .right(let event): "right: " + Clockwork.output(state: state.right, event: event)
    case .guest, .invite: "\(event)"
    }
  }
}
