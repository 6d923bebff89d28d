import Observation
import Testing

@testable import Signalbox

/// Tasks of code that runs because of what a child's work has done.
@MainActor @Suite(.opensGates) struct NotifiedTaskTests {
  struct Desk: Equatable {
    var form: Form? = Form()
    var log: [String] = []
  }

  struct Form: Equatable {
    var text = ""
    var part: Part?
  }

  struct Part: Equatable {}

  struct Typing: CancellableAction {
    let text: String
    var cancelIdentifier: String? { "type" }
  }

  /// Who starts a task.
  enum Starter: CaseIterable {
    case hook, sink, completion, tracker, interactor

    var texts: [String] {
      switch self {
      case .hook, .sink: ["old", "new"]
      case .completion, .tracker, .interactor: ["\(self)"]
      }
    }
  }

  /// Starts tasks, each of which says something to the parent when its door is opened.
  @MainActor final class Tasks {
    let starter: Starter
    let gate = StoreGate()
    let end = Emitter<Void>()
    var say: @MainActor (String) -> Void = { _ in }
    private var all: [Task<Void, any Error>] = []

    init(_ starter: Starter) { self.starter = starter }

    func start(_ text: String, by starter: Starter) {
      guard starter == self.starter else { return }
      let task = Task { @MainActor in
        try await gate.pass(text)
        say(text)
      }
      all.append(task)
    }

    func finish() async throws {
      for (text, task) in zip(starter.texts, all) {
        await gate.arrival(at: text)
        gate.open(text)
        try await task.value
      }
    }
  }

  private struct DeskFeature: Interactor {
    let tasks: Tasks

    func children(of store: MutatingStore<Desk, Never>) -> Children<Desk> {
      Child(\.form) {
        tasks.say = { store.log.append($0) }
        return FormFeature(tasks: tasks)
      }
    }

    func onAction(_ action: Never, store: MutatingStore<Desk, Never>) {}
  }

  private struct FormFeature: Interactor {
    let tasks: Tasks

    func children(of store: MutatingStore<Form, Typing>) -> Children<Form> {
      Child(\.part) { PartFeature(tasks) }
    }

    func onAction(_ action: Typing, store: MutatingStore<Form, Typing>) async throws {
      store.text = action.text
      store.part = Part()
      tasks.end.finish()
      try await tasks.gate.pass("work")
    }

    func subscription(for hook: OnlyHook, store: MutatingStore<Form, Typing>) -> Subscription {
      store.publisher.text.sink { tasks.start($0, by: .hook) }
    }
  }

  private struct PartFeature: Interactor {
    init(_ tasks: Tasks) { tasks.start("interactor", by: .interactor) }

    func onAction(_ action: Never, store: MutatingStore<Part, Never>) {}

    func subscription(for hook: OnlyHook, store: MutatingStore<Part, Never>) -> Subscription {
      .empty
    }
  }

  @Test(
    "C11 A task of a hook, a sink, a view or an interactor does not act for the work that led to it",
    arguments: Starter.allCases, [false, true])
  func tasks(of starter: Starter, hasEvents: Bool) async throws {
    let tasks = Tasks(starter)
    let store = Store(state: Desk(), interactor: DeskFeature(tasks: tasks))
    let events = hasEvents ? store.events.sink { _ in } : nil
    let form = try #require(store.child(\.form, FormFeature.self))
    let sink = form.publisher.text.sink { tasks.start($0, by: .sink) }
    let end = tasks.end.signal.sink(
      receiveCompletion: { tasks.start("completion", by: .completion) }, receiveValue: {})
    withObservationTracking {
      _ = form.text
    } onChange: {
      MainActor.assumeIsolated { tasks.start("tracker", by: .tracker) }
    }
    form.send(Typing(text: "old"))
    form.send(Typing(text: "new"))  // supersedes the work that led to the tasks
    try await tasks.finish()
    #expect(store.log == starter.texts)
    withExtendedLifetime((events, sink, end)) {}
  }
}
