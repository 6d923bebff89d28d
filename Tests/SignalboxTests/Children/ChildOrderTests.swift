import SignalboxTesting
import Testing

@testable import Signalbox

/// Rows that come, go, move and work, in every order.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ChildOrderTests {
  /// Knows which child has which id.
  @MainActor private final class Register {
    let live = LiveChildren()
    var generation = 0
    /// The generation of the newest child with an id.
    var newest: [Int: Int] = [:]
    var written = 0
  }

  private struct Tray: Interactor {
    let register: Register
    let save: @MainActor (Int) async throws -> Int

    func children(of store: MutatingStore<StationState, Never>) -> Children<StationState> {
      Each(\.rows) { id in
        register.generation += 1
        register.newest[id] = register.generation
        return Row(id: id, generation: register.generation, register: register, save: save)
      }
    }

    func onAction(_ action: Never, store: MutatingStore<StationState, Never>) {}
  }

  private struct Row: Interactor {
    let id: Int
    let generation: Int
    let register: Register
    let save: @MainActor (Int) async throws -> Int

    func onAction(
      _ action: StationRowAction, store: MutatingStore<StationRowState, StationRowAction>
    ) async throws {
      store.mark(\.isSaving)
      let answer = try await save(generation)
      if store.isCurrent { register.written += 1 }
      store.text = "\(answer)"
    }

    func subscription(
      for hook: OnlyHook, store: MutatingStore<StationRowState, StationRowAction>
    ) -> Subscription {
      .all(
        register.live.track("\(id)"),
        store.publisher.text.map(\.count).assign(to: \.length, using: store))
    }
  }

  @Test("C4 C5 In every order, a late answer reaches no row, and the live rows are those there")
  func lateAnswers() async {
    let report = await explore { world in
      let register = Register()
      var answers = 0
      var dropped = 0
      let save = world.endpoint("save", heedsCancellation: false) { (generation: Int) in generation
      }
      let store = TestStore(
        state: StationState(rows: [StationRowState(id: 1), StationRowState(id: 2)]),
        interactor: Tray(
          register: register,
          save: {
            let answer = try await save($0)
            answers += 1
            return answer
          }))
      let subscription = store.events.sink { event in
        guard case .child(let child) = event.kind, case .dropped(.change) = child.kind
        else { return }
        dropped += 1
      }
      @MainActor func send(_ id: Int) { store.child(\.rows, id: id, Row.self)?.send(.save) }
      world.may("remove") { store.rows.removeAll { $0.id == 1 } }
      world.may("move") { store.rows.reverse() }
      world.may("add") {
        guard !store.rows.contains(where: { $0.id == 1 }) else { return }
        store.rows.append(StationRowState(id: 1))
        send(1)
      }
      world.always("the live children are those that are there") {
        register.live.names == Set(store.rows.map { "\($0.id)" })
      }
      world.always("a row has what its own child has saved") {
        store.rows.allSatisfy { row in
          row.text == "" || row.text == register.newest[row.id].map { "\($0)" }
        }
      }
      world.finally("nothing is saving, and each answer was written or dropped") {
        !store.rows.contains(where: \.isSaving) && register.written + dropped == answers
          && store.rows.allSatisfy { $0.text != "" && $0.length == $0.text.count }
      }
      send(1)
      send(2)
      await world.run()
      subscription.cancel()
    }
    #expect(report.isExhaustive)
    #expect(report.orders == 280)
  }
}
