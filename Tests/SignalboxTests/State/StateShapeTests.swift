import Signalbox
import Testing

/// Tests states of every kind, which need not be comparable, sendable or structs (M4).
@MainActor struct StateShapeTests {
  @Test("M4 a state can be an Int")
  func int() {
    let rig = StateRig(1)
    let values = StateRecorder(rig.store.publisher)
    rig.write.state = 1
    rig.write.state = 2
    rig.write.state += 1
    rig.write.update { $0 *= 2 }
    #expect(values.values == [2, 3, 6])
    #expect(rig.store.state == 6)
  }

  @Test("M4 a state can be an enum that is observed through its computed properties")
  func enumeration() {
    enum Phase: Equatable {
      case idle
      case loading(Int)

      var progress: Int? { if case .loading(let progress) = self { progress } else { nil } }
    }
    let rig = StateRig(Phase.idle)
    let phases = StateRecorder(rig.store.publisher)
    let progress = StateRecorder(rig.store.publisher.progress)
    rig.write.state = .loading(1)
    rig.write.state = .loading(1)
    rig.write.update { $0 = .loading(2) }
    rig.write.state = .idle
    #expect(phases.values == [.loading(1), .loading(2), .idle])
    #expect(progress.values == [1, 2, nil])
  }

  @Test("M4 a state can be an enum that is not comparable")
  func plainEnumeration() {
    enum Phase {
      case idle
      case holding(Token)
    }
    let rig = StateRig(Phase.idle)
    let phases = StateRecorder(rig.store.publisher)
    rig.write.state = .holding(Token())
    rig.write.state = .idle
    rig.write.state = .idle
    #expect(phases.count == 3)
  }

  @Test("M4 a state can be a generic struct")
  func generic() {
    struct Pair<A: Equatable, B> {
      var left: A
      var right: B
    }
    func check<B>(_ second: B, _ other: B) {
      let rig = StateRig(Pair(left: "a", right: second))
      let firsts = StateRecorder(rig.store.publisher.left)
      let seconds = StateRecorder(rig.store.publisher.right)
      rig.write.left = "b"
      rig.write.right = other
      rig.write.left.append("c")
      #expect(firsts.values == ["b", "bc"])
      #expect(seconds.count == 1)
    }
    check(1, 2)
    check("x", "y")
    check(Token(), Token())
    check((1, "x"), (2, "y"))
  }

  @Test("M4 a value that is Equatable only at run time is compared")
  func foundEquality() {
    struct Holder<T> { var value: T }
    func check<T>(_ value: T, _ expected: Int) {
      let rig = StateRig(Holder(value: value))
      let values = StateRecorder(rig.store.publisher.value)
      rig.write.value = value
      rig.write.set(\.value, value)
      rig.write.update { $0.value = value }
      #expect(values.count == expected)
    }
    check("a", 0)
    check([1, 2], 0)
    check(Optional("a"), 0)
    check(Token(), 3)
    check([Token()], 3)
  }

  @Test("M4 a state can be a class", .readsKeyPaths)
  func reference() {
    final class Machine {
      var count = 0
      var name = "a"
    }
    let rig = StateRig(Machine())
    let whole = StateRecorder(rig.store.publisher)
    let counts = StateRecorder(rig.store.publisher.count)
    let names = StateRecorder(rig.store.publisher.name)
    rig.write.count = 1
    rig.write.count += 1
    rig.write.count = 2
    rig.write.update { $0.name = "b" }
    rig.write.state = Machine()
    #expect(counts.values == [1, 2, 0])
    #expect(names.values == ["b", "a"])
    #expect(whole.count == 4)
  }

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

  @Test("M4 equality affects only notifications: an equal value is still assigned")
  func equalIsAssigned() {
    struct Badge {
      var tag = Tagged(id: 1, label: "old")
      var counted = Counted(id: 1, hits: 1)
    }
    let rig = StateRig(Badge())
    let badges = StateRecorder(rig.store.publisher.tag)
    rig.write.tag = Tagged(id: 1, label: "new")
    rig.write.counted = Counted(id: 1, hits: 2)
    #expect(badges.count == 0)
    #expect(rig.store.tag.label == "new")
    #expect(rig.store.counted.hits == 2)
  }

  @Test("M4 a state that is equal by its own == is still assigned as a whole")
  func equalStateIsAssigned() {
    let rig = StateRig(Tagged(id: 1, label: "old"))
    let labels = StateRecorder(rig.store.publisher)
    rig.write.state = Tagged(id: 1, label: "new")
    #expect(labels.count == 0)
    #expect(rig.store.label == "new")
  }

  @Test("M4 observers of a property that the state's == ignores are notified as others are")
  func ignoredProperty() {
    let rig = StateRig(Tagged(id: 1, label: "old"))
    let labels = StateRecorder(rig.store.publisher.label)
    rig.write.label = "new"
    rig.write.update { $0.label = "newer" }
    rig.write.label.append("!")
    #expect(labels.values == ["new", "newer", "newer!"])
  }

  @Test("M4 a NaN counts as a change because it is not equal to itself")
  func notANumber() {
    struct Gauge { var value = 0.0 }
    let rig = StateRig(Gauge())
    let values = StateRecorder(rig.store.publisher.value)
    rig.write.value = .nan
    rig.write.value = .nan
    rig.write.value = 0
    rig.write.value = -0.0
    #expect(values.count == 3)
  }

  @Test("M4 a property without size is observed like any other")
  func withoutSize() {
    struct Nothing: Equatable {}
    struct Sparse {
      var nothing = Nothing()
      var marker: Void = ()
      var count = 0
    }
    let rig = StateRig(Sparse())
    let nothings = StateRecorder(rig.store.publisher.nothing)
    let counts = StateRecorder(rig.store.publisher.count)
    rig.write.nothing = Nothing()
    rig.write.count = 1
    #expect(nothings.count == 0)
    rig.write.set(\.nothing, Nothing(), forceUpdate: true)
    #expect(nothings.count == 1)
    #expect(counts.values == [1])
  }

  @Test("S6 a difference that == ignores is a change of values around it that cannot be compared")
  func aroundIgnored() {
    struct Shelf {
      var tagged = Tagged()
      var count = 0
    }
    let rig = StateRig(Shelf())
    let labels = StateRecorder(rig.store.publisher.tagged.label)
    let shelves = StateRecorder(rig.store.publisher)
    rig.write.tagged = Tagged(label: "x")
    #expect(labels.values == ["x"])
    #expect(shelves.values.map(\.tagged.label) == ["x"])
  }
}
