import Signalbox
import Testing

/// Tests properties that cannot be compared, such as closures and tuples (M3, M4).
@MainActor struct IncomparableStateTests {
  @Test("M4 properties can be tuples, classes and existentials, which notify at each write")
  func incomparable() {
    struct Mixed {
      var pair = (1, "a")
      var error: any Error = Refused()
      var token = Token()
      var count = 0
    }
    let rig = StateRig(Mixed())
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    let subscriptions = [
      publisher.pair.sink { _ in told.note("pair") },
      publisher.pair.0.sink { told.note("pair.0 \($0)") },
      publisher.pair.1.sink { told.note("pair.1 \($0)") },
      publisher.error.sink { _ in told.note("error") },
      publisher.token.sink { _ in told.note("token") },
      publisher.count.sink { told.note("count \($0)") },
      publisher.sink { _ in told.note("whole") },
    ]
    rig.write.pair = (1, "b")
    #expect(told.take() == ["pair", "pair.1 b", "whole"])
    rig.write.pair.0 = 5
    #expect(told.take() == ["pair", "pair.0 5", "whole"])
    rig.write.token = rig.store.token
    rig.write.error = Refused()
    #expect(told.take() == ["token", "whole", "error", "whole"])
    rig.write.count = 3
    #expect(told.take() == ["count 3", "whole"])
    withExtendedLifetime(subscriptions) {}
  }

  private struct Handler {
    var count = 0
    var action: () -> Int = { 1 }
    var inner = Inner()
    var optional: (() -> Int)?
    var token = Token()
    var computed: Token { token }
    struct Inner { var (number, action): (Int, () -> Int) = (0, { 3 }) }
  }

  @Test(
    "M3 S6 a closure is found by its bytes: only its own observers are notified", .readsKeyPaths)
  func closure() {
    let rig = StateRig(Handler())
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    let subscriptions = [
      publisher.count.sink { told.note("count \($0)") },
      publisher.action.sink { told.note("action \($0())") },
      publisher.action.map { $0() * 10 }.sink { told.note("mapped \($0)") },
      publisher.inner.sink { told.note("inner \($0.action())") },
      publisher.inner.action.sink { told.note("inner.action \($0())") },
      publisher.optional.sink { told.note("optional \($0?() ?? 0)") },
    ]
    rig.write.count = 1
    #expect(told.take() == ["count 1"])
    rig.write.action = { 2 }
    #expect(told.take() == ["action 2", "mapped 20"])
    rig.write.inner.action = { 4 }
    #expect(told.take() == ["inner 4", "inner.action 4"])
    rig.write.inner = Handler.Inner()
    #expect(told.take() == ["inner 3", "inner.action 3"])
    rig.write.optional = { 5 }
    #expect(told.take() == ["optional 5"])
    rig.write.batch {
      rig.write.count = 2
      rig.write.action = { 6 }
      rig.write.action = { 7 }
    }
    #expect(told.take() == ["count 2", "action 7", "mapped 70"])
    rig.write.set(\.action, { 8 }, forceUpdate: true)
    #expect(told.take() == ["action 8", "mapped 80"])
    withExtendedLifetime(subscriptions) {}
    #expect(rig.store.action() == 8)
  }

  @Test(
    "M3 S6 an equal write notifies no observer of a value that cannot be compared", .readsKeyPaths)
  func incomparableUntouched() {
    let rig = StateRig(Handler())
    let told = StateRecorder<String>()
    let publisher = rig.store.publisher
    let subscriptions = [
      publisher.computed.sink { _ in told.note("computed") },
      publisher.action.sink { _ in told.note("action") },
      publisher.token.sink { _ in told.note("token") },
    ]
    rig.write.count = 0
    rig.write.count += 0
    rig.write.batch {
      rig.write.count = 0
      rig.write.count = 1
      rig.write.count = 0
    }
    #expect(told.take() == [])
    rig.write.count = 1
    rig.write.action = { 2 }
    #expect(told.take() == ["computed", "computed", "action"])
    withExtendedLifetime(subscriptions) {}
  }

  private struct Row: Identifiable {
    var (id, number): (Int, Int) = (1, 0)
    var action: () -> Int = { 1 }
  }

  private struct Table {
    var rows = [Row()]
    var row = Row()
  }

  private struct RowKeeper: Interactor {
    enum Turn: Sendable {
      case number(Int)
      case action(Int)
    }

    func onAction(_ turn: Turn, store: MutatingStore<Row, Turn>) {
      switch turn {
      case .number(let number): store.number = number
      case .action(let result): store.action = { result }
      }
    }
  }

  private struct TableKeeper: Interactor {
    func onAction(_ turn: Int, store: MutatingStore<Table, Int>) {
      store.update { $0.row.action = { turn } }
    }

    func children(of store: MutatingStore<Table, Int>) -> Children<Table> {
      Child(\.row) { RowKeeper() }
      Each(\.rows) { _ in RowKeeper() }
    }
  }

  @Test("M3 S6 a closure is found by its bytes in a child and in an element, too", .readsKeyPaths)
  func closureInChild() throws {
    let table = Store(state: Table(), interactor: TableKeeper())
    let element = try #require(table.child(\.rows, id: 1, RowKeeper.self))
    for row in [table.child(\.row, RowKeeper.self), element] {
      let told = StateRecorder<String>()
      let subscriptions = [
        row.publisher.number.sink { told.note("number \($0)") },
        row.publisher.action.sink { told.note("action \($0())") },
        row.publisher.sink { _ in told.note("row") },
      ]
      row.send(.number(0))
      #expect(told.take() == [])
      row.send(.number(1))
      #expect(told.take() == ["number 1", "row"])
      row.send(.action(2))
      #expect(told.take() == ["action 2", "row"])
      withExtendedLifetime(subscriptions) {}
    }
    let told = StateRecorder<String>()
    let subscriptions = [
      table.publisher.row.action.sink { told.note("table \($0())") },
      table.child(\.row, RowKeeper.self).publisher.action.sink { told.note("row \($0())") },
    ]
    table.send(5)
    #expect(told.take() == ["table 5", "row 5"])
    table.child(\.row, RowKeeper.self).send(.action(6))
    #expect(told.take() == ["table 6", "row 6"])
    withExtendedLifetime(subscriptions) {}
  }
}
