import Signalbox
import Testing

/// Tests how often user code runs, which is the cost of a commit besides its observers.
@MainActor struct CostTests {
  /// A value that counts its comparisons.
  struct Weighed: Equatable {
    var value = 0
    let comparisons: StateCounter

    static func == (l: Self, r: Self) -> Bool {
      l.comparisons.count += 1
      return l.value == r.value
    }
  }

  struct Load {
    let counter: StateCounter
    let getter = StateCounter()
    var a: Weighed
    var b: Weighed
    var name = "x"

    init(_ counter: StateCounter) {
      self.counter = counter
      a = Weighed(comparisons: counter)
      b = Weighed(comparisons: counter)
    }

    var computed: Int {
      getter.count += 1
      return a.value
    }
  }

  private let counter = StateCounter()
  private let rig: StateRig<Load>

  init() { rig = StateRig(Load(counter)) }

  @Test("M3 an assignment compares its own property once, however many observe others")
  func assignment() {
    let a = StateRecorder(rig.store.publisher.a)
    let others = (0..<10).map { _ in StateRecorder(rig.store.publisher.b) }
    rig.write.a.value = 1
    _ = counter.take()
    rig.write.a = Weighed(value: 2, comparisons: counter)
    #expect(counter.take() == 1)
    rig.write.name = "y"
    #expect(counter.take() == 0)
    #expect(a.values.map(\.value) == [1, 2])
    #expect(others.allSatisfy { $0.count == 0 })
  }

  @Test("M3 an in-place mutation of a value that is not trivially copyable compares nothing")
  func inPlace() {
    let a = StateRecorder(rig.store.publisher.a)
    let b = StateRecorder(rig.store.publisher.b)
    let values = StateRecorder(rig.store.publisher.a.value)
    rig.write.a.value = 1
    rig.write.a.value = 1
    #expect(counter.count == 0)
    #expect(a.count == 2)
    #expect(values.values == [1])
    #expect(b.count == 0)
  }

  @Test("M3 update compares each observed part once, however many observers it has")
  func update() {
    let observers = (0..<10).map { _ in StateRecorder(rig.store.publisher.a) }
    rig.write.update { $0.name = "y" }
    #expect(counter.take() == 1)
    rig.write.update { $0.a.value = 1 }
    #expect(counter.take() == 1)
    #expect(observers.allSatisfy { $0.count == 1 })
  }

  @Test("M3 a computed property is read a few times per commit, however many observers it has")
  func computed() {
    let observers = (0..<100).map { _ in StateRecorder(rig.store.publisher.computed) }
    let getter = rig.store.getter
    _ = getter.take()
    rig.write.name = "y"
    #expect(getter.take() == 1)
    rig.write.a.value = 1
    #expect(getter.take() <= 2)
    #expect(observers.allSatisfy { $0.values == [1] })
  }

  @Test("M3 without observers nothing is compared")
  func unobserved() {
    rig.write.a.value = 1
    rig.write.a = Weighed(value: 1, comparisons: counter)
    rig.write.update { $0.a.value = 2 }
    #expect(counter.count == 0)
    let observer = StateRecorder(rig.store.publisher.computed)
    observer.cancel()
    let getter = rig.store.getter
    _ = getter.take()
    rig.write.a.value = 3
    #expect(getter.count == 0)
  }

  @Test("M3 a map of an unchanged property does not run")
  func map() {
    let runs = StateCounter()
    let mapped = StateRecorder(
      rig.store.publisher.a.value.map {
        runs.count += 1
        return $0
      })
    rig.write.name = "y"
    rig.write.b.value = 1
    #expect(runs.count == 0)
    rig.write.a.value = 1
    #expect(runs.count == 1)
    #expect(mapped.values == [1])
  }

  @Test("M3 a batch compares only what it assigned")
  func batch() {
    let a = StateRecorder(rig.store.publisher.a)
    rig.write.batch {
      rig.write.name = "y"
      rig.write.name = "z"
    }
    #expect(counter.count == 0)
    #expect(a.count == 0)
  }
}
