import Signalbox
import Testing

/// Tests that changes made by a setter or a property observer notify their observers.
@MainActor struct SetterTests {
  private struct Dial {
    var raw = 15
    var label = "a"
    var clamped: Int {
      get { min(raw, 10) }
      set { raw = newValue }
    }
    var counted = 0 { didSet { writes += 1 } }
    var writes = 0
    var user = User()
    var items = ["a", "b"]
    var guest: User?
  }

  private struct User: Equatable {
    var name = "a"
    var flag = false { didSet {} }
    var shout: String {
      get { name.uppercased() }
      set { name = newValue.lowercased() }
    }
  }

  private let rig = StateRig(Dial())

  @Test("S6 a setter that changes another property notifies its observers and those of the whole")
  func otherProperty() {
    let whole = StateRecorder(rig.store.publisher)
    rig.write.clamped = 20
    #expect(whole.values.map(\.raw) == [20])
    let raw = StateRecorder(rig.store.publisher.raw)
    let label = StateRecorder(rig.store.publisher.label)
    let clamped = StateRecorder(rig.store.publisher.clamped)
    rig.write.clamped = 30
    #expect(raw.values == [30])
    #expect(whole.count == 2)
    #expect(label.count == 0)
    #expect(clamped.count == 0)
  }

  @Test(
    "S6 H4 an equal assignment through a setter notifies of and records what the setter changed")
  func equalAssignment() {
    let raw = StateRecorder(rig.store.publisher.raw)
    var events: [[Int]] = []
    let log = rig.store.events.sink {
      if case .stateChanged(let before, let after) = $0.kind {
        events.append([before.raw, after.raw])
      }
    }
    rig.write.clamped = 10
    #expect(rig.store.raw == 10)
    #expect(raw.values == [10])
    #expect(events == [[15, 10]])
    withExtendedLifetime(log) {}
  }

  @Test("S6 an in-place change through a setter notifies the observers of what it changed")
  func inPlace() {
    let raw = StateRecorder(rig.store.publisher.raw)
    let writes = StateRecorder(rig.store.publisher.writes)
    let whole = StateRecorder(rig.store.publisher)
    rig.write.clamped += 0
    #expect(raw.values == [10])
    #expect(whole.count == 1)
    rig.write.counted = 0
    rig.write.counted += 0
    #expect(writes.values == [1, 2])
    #expect(whole.count == 3)
  }

  @Test(
    "S6 forceUpdate of a computed part or an element notifies only what contains it", .readsKeyPaths
  )
  func forced() {
    let user = StateRecorder(rig.store.publisher.user)
    let name = StateRecorder(rig.store.publisher.user.name)
    let items = StateRecorder(rig.store.publisher.items)
    let whole = StateRecorder(rig.store.publisher)
    rig.write.set(\.user.shout, "A", forceUpdate: true)
    #expect([user.count, items.count, whole.count] == [1, 0, 1])
    rig.write.set(\.user.flag, false, forceUpdate: true)
    #expect([user.count, items.count, whole.count] == [2, 0, 2])
    rig.write.set(\.items[0], "a", forceUpdate: true)
    #expect([user.count, items.count, whole.count] == [2, 1, 3])
    #expect(name.count == 0)
  }

  @Test("S6 an assignment that == considers equal still notifies the parts that differ")
  func equalByIdentifier() {
    struct Shelf { var book = Tagged(id: 1, label: "old") }
    let rig = StateRig(Shelf())
    let label = StateRecorder(rig.store.publisher.book.label)
    let book = StateRecorder(rig.store.publisher.book)
    rig.write.book = Tagged(id: 1, label: "new")
    #expect(label.values == ["new"])
    #expect(book.count == 0)
  }

  @Test("S6 an optional chain that ends at nil changes nothing and notifies no observer")
  func chainToNil() {
    let guest = StateRecorder(rig.store.publisher.guest)
    let whole = StateRecorder(rig.store.publisher)
    rig.write.guest?.name = "x"
    #expect(guest.count == 0)
    #expect(whole.count == 0)
    rig.write.guest = User()
    rig.write.guest?.name = "x"
    #expect(guest.values.map { $0?.name } == ["a", "x"])
  }
}
