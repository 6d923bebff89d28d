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
