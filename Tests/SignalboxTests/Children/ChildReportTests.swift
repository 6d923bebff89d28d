import SignalboxTesting
import Testing

@testable import Signalbox

/// What analytics and a log can say about children without naming their types.
@MainActor struct ChildReportTests {
  private struct Row: Identifiable, Equatable {
    var id: Int
    var text = ""
    var note = Note()
  }

  private struct Note: Equatable { var text = "" }

  private struct Login: Equatable { var name = "" }

  private struct App: Equatable {
    var login: Login?
    var rows: [Row] = []
    var named: [String: Note] = [:]
    var footer = Note()
    var title = ""
  }

  private enum Step: Equatable {
    case write(String)
    case wait
    case fail
    case leave
  }

  private struct Refused: Error, Equatable {}

  private struct NoteFeature: Interactor {
    func onAction(_ step: Step, store: MutatingStore<Note, Step>) async throws {
      if case .write(let text) = step { store.text = text }
    }
  }

  private struct RowFeature: Interactor {
    let server: TestEndpoint<Int, String>

    func children(of store: MutatingStore<Row, Step>) -> Children<Row> {
      Child(\.note) { NoteFeature() }
    }

    func onAction(_ step: Step, store: MutatingStore<Row, Step>) async throws {
      switch step {
      case .write(let text): store.text = text
      case .wait: store.text = try await server(store.id)
      case .fail: throw Refused()
      case .leave: break
      }
    }

    func onError(_ error: any Error, action: Step, store: MutatingStore<Row, Step>) {}
  }

  private struct LoginFeature: Interactor {
    let done: @MainActor () -> Void

    func onAction(_ step: Step, store: MutatingStore<Login, Step>) async throws { done() }
  }

  private struct AppFeature: Interactor {
    let server: TestEndpoint<Int, String>

    func children(of store: MutatingStore<App, Step>) -> Children<App> {
      Child(\.login) { LoginFeature { store.login = nil } }
      Each(\.rows) { _ in RowFeature(server: server) }
      Child(\.footer) { NoteFeature() }
    }

    func onAction(_ step: Step, store: MutatingStore<App, Step>) async throws {
      if case .write(let title) = step { store.title = title }
    }
  }

  private let server = TestEndpoint<Int, String>("rows")

  private func app(_ state: App) -> Store<App, Step> {
    Store(state: state, interactor: AppFeature(server: server))
  }

  /// What analytics would note of an event: where, which feature, which action, and how it ended.
  private func entry(_ event: ChildEvent) -> String? {
    guard let action = event.action else { return nil }
    let end =
      switch event.kind {
      case .dispatched: "began"
      case .finished: "done"
      case .failed(_, let error): "failed \(error)"
      case .cancelled: "\(event.cancellation.map { "\($0)" } ?? "cancelled")"
      default: "?"
      }
    return "\(event.path) \(event.feature) \(action) \(end)"
  }

  @Test("C16 The flattened events name each place, feature and action, and how the action ended")
  func flattened() throws {
    let store = app(App(rows: [Row(id: 3)]))
    var entries: [String] = []
    var ids: [Int] = []
    let subscription = store.events.flattened.sink {
      ids.append($0.id)
      if let entry = entry($0) { entries.append(entry) }
    }
    let row = try #require(store.child(\.rows, id: 3, RowFeature.self))
    store.send(.write("a"))
    row.child(\.note, NoteFeature.self).send(.write("b"))
    row.send(.fail)
    let wait = row.send(.wait)
    wait.cancel()
    #expect(
      entries == [
        #" AppFeature write("a") began"#, #" AppFeature write("a") done"#,
        #"\.rows[id: 3].note NoteFeature write("b") began"#,
        #"\.rows[id: 3].note NoteFeature write("b") done"#,
        #"\.rows[id: 3] RowFeature fail began"#, #"\.rows[id: 3] RowFeature fail failed Refused()"#,
        #"\.rows[id: 3] RowFeature wait began"#,
        #"\.rows[id: 3] RowFeature wait requested(by: nil)"#,
      ])
    #expect(ids == ids.sorted())
    subscription.cancel()
  }

  @Test("C16 An event of a child has its causes, and its action as a value of the action's type")
  func typed() throws {
    let store = app(App(rows: [Row(id: 3)]))
    var numbers: [(id: Int, work: Int?)] = []
    var actions: [Step] = []
    let subscription = store.events.sink {
      guard case .child(let child) = $0.kind else { return }
      #expect(child.event.id == $0.id && child.cause == $0.cause && child.work == $0.work)
      numbers.append((child.id, child.work))
      if let action = child.action as? Step { actions.append(action) }
    }
    store.child(\.rows, id: 3, RowFeature.self)?.send(.write("x"))
    #expect(actions == [.write("x"), .write("x")])
    #expect(numbers.map(\.work) == [numbers.first?.id, numbers.first?.id])
    subscription.cancel()
  }

  @Test("C16 A transducer, a store without children and one without an interactor have names, too")
  func features() {
    enum Counter: Transducer {
      struct State { var count = 0 }
      enum Event { case next }

      static func update(_ state: inout State, event: Event) -> Effect? { nil }
    }
    struct Loud: Middleware {
      func onAction(
        _ action: Step, store: MutatingStore<App, Step>,
        next: @MainActor (Step) async throws -> Void
      ) async throws { try await next(action) }
    }
    func feature<S, A>(_ store: Store<S, A>) -> [String] {
      var names: [String] = []
      store.events.flattened.prefix(1).sink { names.append($0.feature) }.cancel()
      return names
    }
    #expect(feature(Store(state: Counter.State(), transducer: Counter.self)) == ["Counter"])
    let wrapped = Store(
      state: App(), interactor: AppFeature(server: server), middleware: Loud(), Loud())
    #expect(feature(wrapped) == ["AppFeature"])
    #expect(feature(Store<App, Never>(state: App())) == ["App"])
  }

  @Test("C16 C4 Work that ends with the state of its child says so, and only a request is a cancel")
  func endsWithState() throws {
    var state = App(rows: [Row(id: 1), Row(id: 2)])
    state.login = Login()
    var store: Store<App, Step>? = app(state)
    var lines: [String] = []
    let subscription = store?.events.flattened.sink { event in
      if event.cancellation != nil { lines.append("\(event)") }
    }
    func row(_ id: Int) -> Store<Row, Step>? { store?.child(\.rows, id: id, RowFeature.self) }
    store?.child(\.login, LoginFeature.self)?.send(.write("ann"))
    row(1)?.send(.wait)
    row(2)?.send(.wait)
    store?.binder.rows.wrappedValue.removeFirst()
    row(2)?.cancelAll()
    row(2)?.send(.wait)
    store = nil
    #expect(
      lines == [
        #"\.login: ended Step.write("ann") with its state"#,
        #"\.rows[id: 1]: ended Step.wait with its state"#,
        #"\.rows[id: 2]: cancelled Step.wait"#,
        #"\.rows[id: 2]: ended Step.wait: the store is gone"#,
      ])
    subscription?.cancel()
  }

  @Test("C16 D4 The text of an event shows no value of a hook and nothing that is redacted")
  func text() {
    struct Lamp: Interactor {
      enum Hook: CaseIterable { case lit }

      func onAction(_ action: Redacted<String>, store: MutatingStore<Note, Redacted<String>>) {
        store.text = action.wrappedValue
      }

      func subscription(
        for hook: Hook, store: MutatingStore<Note, Redacted<String>>
      ) -> Subscription { store.publisher.text.sink { _ in } }
    }
    let store = Store(state: Note(), interactor: Lamp())
    var lines: [String] = []
    let subscription = store.events.flattened.sink { lines.append("\($0)") }
    store.dispatch(Redacted(wrappedValue: "s3cret"))
    #expect(lines.first == "started")
    #expect(lines.contains("hook lit received <redacted>"), "\(lines)")
    #expect(lines.contains("dispatched <redacted>"), "\(lines)")
    subscription.cancel()
  }

  @Test("C16 Middleware wraps the actions of a child, the first one outermost")
  func middleware() {
    struct Sign<State>: Middleware {
      let mark: String
      let note: @MainActor (String) -> Void

      func onAction(
        _ action: Step, store: MutatingStore<State, Step>,
        next: @MainActor (Step) async throws -> Void
      ) async throws {
        note("\(mark) \(action)")
        guard case .write(let text) = action else { throw Refused() }
        try await next(.write(text + mark))
      }
    }
    struct Parent: Interactor {
      let note: @MainActor (String) -> Void

      func children(of store: MutatingStore<App, Step>) -> Children<App> {
        Child(\.footer, middleware: Sign(mark: "1", note: note), Sign(mark: "2", note: note)) {
          NoteFeature()
        }
        Child(\.login, middleware: Sign(mark: "3", note: note)) { LoginFeature {} }
        Each(\.named, middleware: Sign(mark: "4", note: note)) { _ in NoteFeature() }
        Each(\.rows, middleware: Sign(mark: "5", note: note)) { _ in
          RowFeature(server: TestEndpoint("rows"))
        }
      }

      func onAction(_ step: Step, store: MutatingStore<App, Step>) {}
    }
    var notes: [String] = []
    var state = App(rows: [Row(id: 1)], named: ["a": Note()])
    state.login = Login()
    let store = Store(state: state, interactor: Parent { notes.append($0) })
    store.child(\.footer, NoteFeature.self).dispatch(.write("x"))
    store.child(\.login, LoginFeature.self)?.dispatch(.write("x"))
    store.child(\.named, id: "a", NoteFeature.self)?.dispatch(.write("y"))
    let row = store.child(\.rows, id: 1, RowFeature.self)
    row?.dispatch(.write("z"))
    row?.dispatch(.leave)
    #expect(store.footer.text == "x12")
    #expect(store.named["a"]?.text == "y4")
    #expect(store.rows[0].text == "z5")
    #expect(
      notes == [
        #"1 write("x")"#, #"2 write("x1")"#, #"3 write("x")"#, #"4 write("y")"#, #"5 write("z")"#,
        "5 leave",
      ])
  }
}

// There is only one log. This test runs after the others of it.
extension DebugStoreTests {
  @Test("C16 D1 The log says that work of a child has ended with its state, which is no cancel")
  func endsWithState() async {
    struct Login: Equatable { var name = "" }
    struct Porch: Equatable { var login: Login? = Login() }
    struct LoginFeature: Interactor {
      let done: @MainActor () -> Void

      func onAction(_ name: String, store: MutatingStore<Login, String>) { done() }
    }
    struct PorchFeature: Interactor {
      func children(of store: MutatingStore<Porch, Never>) -> Children<Porch> {
        Child(\.login) { LoginFeature { store.login = nil } }
      }

      func onAction(_ action: Never, store: MutatingStore<Porch, Never>) {}
    }
    let lines = await logged(.include([Porch.self])) {
      let store = Store(state: Porch(), interactor: PorchFeature())
      store.child(\.login, LoginFeature.self)?.send("ann")
    }
    #expect(heads(lines).contains(#"Porch: \.login: "ann" ended with its state"#), "\(lines)")
    #expect(!lines.contains { $0.contains("cancelled") }, "\(lines)")
  }
}
