import Signalbox
import Testing

/// How often the user's own code runs: that is what a commit costs beside its observers.
@MainActor struct CostTests {
  /// Counts its comparisons.
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

  @Test("M3 an assignment compares its own property once, whoever observes the others")
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

  @Test("M3 an in-place mutation of what is not trivially copyable compares nothing")
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

  @Test("M3 update compares what is observed, once for each part however many observe it")
  func update() {
    let observers = (0..<10).map { _ in StateRecorder(rig.store.publisher.a) }
    rig.write.update { $0.name = "y" }
    #expect(counter.take() == 1)
    rig.write.update { $0.a.value = 1 }
    #expect(counter.take() == 1)
    #expect(observers.allSatisfy { $0.count == 1 })
  }

  @Test("M3 a computed property is asked a few times a commit, however many observe it")
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

  @Test("M3 nobody is compared with when nobody observes")
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

  @Test("M3 a batch compares nothing but what it assigned to")
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
