import Signalbox
import SignalboxUI
import SwiftUI
import Testing

/// Counts, and loads until a gate is opened.
private enum Counter: Transducer {
  struct State: Equatable {
    var count = 0
    var note = ""
  }

  enum Event {
    case add(Int)
    case load
    case loaded(Int)
    case ask
  }

  struct Env {
    let loading: Gate
    var step = 1
  }

  static func update(_ state: inout State, event: Event) -> Effect? {
    switch event {
    case .add(let number):
      state.count += number
      return nil
    case .load:
      return .request(id: "load") { input, env in
        await env.loading.pass()
        return try await input.request(.loaded(10 * env.step))
      }
    case .loaded(let number):
      state.count += number
      return nil
    case .ask: return .event(.add(1))
    }
  }

  static func output(state: State, event: Event) -> Int { state.count }
}

/// Gives the test access to the parts of a view.
@MainActor private final class Probe {
  var input: Input<Counter.Event, Int>?
  let envs = Tally()
  let loading = Gate()
  /// An event that the body of the view sends.
  var eventOfBody: Counter.Event?

  func see(_ input: Input<Counter.Event, Int>) {
    self.input = input
    if let eventOfBody { input.dispatch(eventOfBody) }
  }

  func env(step: Int) -> Counter.Env {
    envs.increase()
    return Counter.Env(loading: loading, step: step)
  }
}

@MainActor struct TransducerViewTests {
  private struct Parent: View {
    @State private var counter = Counter.State(count: 5)
    @State private var other = Counter.State(count: 100)
    @State private var isSwapped = false
    @State private var isShown = true
    @State private var step = 1
    let probe: Probe

    var body: some View {
      Text("parent \(counter.count) \(other.count)")
      Button("Reset") { counter.count = 0 }
      Button("Swap") { isSwapped.toggle() }
      Button("Hide") { isShown.toggle() }
      Button("Step") { step += 1 }
      if isShown {
        TransducerView(
          of: Counter.self, state: isSwapped ? $other : $counter, initialEnv: probe.env(step: step)
        ) { state, input in
          let _ = probe.see(input)
          Text("child \(state.count)")
          Button("Note") { counter.note = "\(state.count)" }
        }
      }
    }
  }

  private let probe = Probe()

  private func send(_ event: Counter.Event) async throws {
    try await #require(probe.input).send(event)
  }

  /// Starts loading before it returns.
  private func load() throws -> Task<Int, any Error> {
    let input = try #require(probe.input)
    return Task.atOnce { try await input.request(.load) }
  }

  @Test("the first frame has the content with the parent's state")
  func firstFrame() {
    let host = Host(Parent(probe: probe))
    #expect(host.texts == ["parent 5 100", "child 5"])
    #expect(probe.input != nil)
    #expect(host.faults == [])
  }

  @Test("an event changes the parent's state before the event's dispatch ends")
  func events() async throws {
    let host = Host(Parent(probe: probe))
    try await send(.add(2))
    host.update()
    #expect(host.texts == ["parent 7 100", "child 7"])
    #expect(try await probe.input?.request(.ask) == 8)
    host.update()
    #expect(host.texts == ["parent 8 100", "child 8"])
    #expect(host.faults == [])
  }

  @Test("a dispatched change is visible on the next line, and withAnimation animates it")
  func dispatch() throws {
    let host = Host(Parent(probe: probe))
    let input = try #require(probe.input)
    withAnimation(.bouncy) { input.dispatch(.ask) }
    let animations = host.update()
    #expect(!animations.isEmpty)
    #expect(animations.allSatisfy { $0 == .bouncy })
    #expect(host.texts == ["parent 6 100", "child 6"])
  }

  @Test("D1 the log calls the state by its own type")
  func log() throws {
    var lines: [String] = []
    let print = DebugStore.print
    DebugStore.print = { lines.append($0) }
    DebugStore.enableLogging(.include([Counter.State.self]))
    defer {
      DebugStore.disableLogging()
      DebugStore.print = print
    }
    let host = Host(Parent(probe: probe))
    host.tap("Reset")
    probe.input?.dispatch(.add(1))
    #expect(lines.contains { $0.contains("count: 5") && $0.contains("started") })
    #expect(lines.contains { $0.contains("changed") && $0.contains("+   count: 1") })
  }

  @Test("the next event starts from what the parent has changed, drawn or not")
  func parentChanges() async throws {
    let host = Host(Parent(probe: probe))
    try await send(.add(2))
    host.tap("Reset")
    try await send(.add(1))
    host.update()
    #expect(host.texts == ["parent 1 100", "child 1"])
    host.tap("Reset")
    host.update()
    #expect(host.texts == ["parent 0 100", "child 0"])
    try await send(.add(3))
    host.update()
    #expect(host.texts == ["parent 3 100", "child 3"])
    #expect(host.update() == [])
    #expect(host.faults == [])
  }

  @Test("an event that a body sends is dropped with SwiftUI's report, and later events are not")
  func duringUpdate() async throws {
    let host = Host(Parent(probe: probe))
    probe.eventOfBody = .add(1)
    host.tap("Reset")
    host.update()
    #expect(host.faults.count == 1)
    #expect(host.texts == ["parent 0 100", "child 0"])
    probe.eventOfBody = nil
    try await send(.add(3))
    host.update()
    #expect(host.texts == ["parent 3 100", "child 3"])
  }

  @Test("the runtime is made once, with the first env, however often the view is made again")
  func once() async throws {
    let host = Host(Parent(probe: probe))
    let loading = try load()
    host.tap("Step")
    host.update()
    #expect(probe.envs.count == 1)
    probe.loading.open()
    #expect(try await loading.value == 15)
    host.update()
    #expect(host.texts == ["parent 15 100", "child 15"])
  }

  @Test("a view that receives a different binding to its state continues there")
  func anotherBinding() async throws {
    let host = Host(Parent(probe: probe))
    host.tap("Swap")
    host.update()
    #expect(host.texts == ["parent 5 100", "child 100"])
    try await send(.add(1))
    host.update()
    #expect(host.texts == ["parent 5 101", "child 101"])
    #expect(probe.envs.count == 1)
  }

  @Test("work continues while the view is hidden")
  func outOfSight() async throws {
    let host = Host(Parent(probe: probe))
    let loading = try load()
    host.disappear()
    probe.loading.open()
    #expect(try await loading.value == 15)
    host.update()
    #expect(host.texts == ["parent 15 100", "child 15"])
  }

  @Test("work ends with the view, its input throws, and the parent's state does not change")
  func identity() async throws {
    let host = Host(Parent(probe: probe))
    let loading = try load()
    host.tap("Hide")
    host.update()
    await #expect(throws: (any Error).self) { try await loading.value }
    await probe.loading.left()
    #expect(throws: StoreReleased.self) { try probe.input?.post(.add(1)) }
    await #expect(throws: StoreReleased.self) { try await send(.add(1)) }
    #expect(host.texts == ["parent 5 100"])
    host.tap("Hide")
    host.update()
    #expect(host.texts == ["parent 5 100", "child 5"])
    #expect(probe.envs.count == 2)
    try await send(.add(1))
    host.update()
    #expect(host.texts == ["parent 6 100", "child 6"])
  }
}
