import Observation
import Signalbox
import Testing

/// Who subscribes or reads inside a batch is told what differs from then on.
@MainActor struct LatecomerTests {
  private let rig = StateRig(Room())

  @Test("S3 S10 a subscriber that comes during a batch is told what the rest of it has changed")
  func subscribing() {
    let others = [
      rig.store.publisher.person.sink { _ in }, rig.store.publisher.count.sink { _ in },
    ]
    let names = StateRecorder<String>()
    rig.write.batch {
      rig.write.update { $0.person.name = "b" }
      names.listen(to: rig.store.publisher.person.name)
      rig.write.person.name = "c"
    }
    #expect(names.take() == ["c"])
    names.cancel()
    rig.write.batch {
      rig.write.person = Person(name: "d")
      names.listen(to: rig.store.publisher.person.name)
    }
    #expect(names.take() == [])
    names.cancel()
    rig.write.batch {
      rig.write.person = Person(name: "e")
      names.listen(to: rig.store.publisher.person.name)
      rig.write.person = Person(name: "f")
    }
    #expect(names.take() == ["f"])
    withExtendedLifetime(others) {}
  }

  @Test("S9 S10 a value of the middle of a batch is taken back when the batch takes it back")
  func setBack() {
    let early = StateRecorder(rig.store.publisher.count)
    let late = StateRecorder<Int>()
    rig.write.batch {
      rig.write.count = 1
      late.listen(to: rig.store.publisher.count.includingCurrent())
      rig.write.count = 0
    }
    #expect(late.values == [1, 0])
    #expect(early.values == [])
  }

  @Test("M5 who reads in the middle of a batch is told if its end leaves another value")
  func tracked() {
    func isTold(_ end: Int) -> Bool {
      let told = StateRecorder<Void>()
      rig.write.count = 0
      _ = rig.store.count
      rig.write.batch {
        rig.write.count = 1
        withObservationTracking {
          _ = rig.store.count
        } onChange: {
          MainActor.assumeIsolated { told.note(()) }
        }
        rig.write.count = end
      }
      return told.count == 1
    }
    #expect(isTold(0))
    #expect(isTold(2))
  }

  @Test("S6 a forced write after it is told to a subscriber that came during the batch")
  func forced() {
    let late = StateRecorder<Int>()
    rig.write.batch {
      late.listen(to: rig.store.publisher.count)
      rig.write.set(\.count, 0, forceUpdate: true)
    }
    #expect(late.values == [0])
  }
}
