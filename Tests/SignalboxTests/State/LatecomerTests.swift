import Observation
import Signalbox
import Testing

/// Tests that code which subscribes or reads inside a batch is notified of what differs later.
@MainActor struct LatecomerTests {
  private let rig = StateRig(Room())

  @Test("S3 S10 a subscriber that joins during a batch is notified of what the rest has changed")
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

  @Test("S3 a subscriber of a share also receives what was sent before and not yet delivered")
  func sharedDelivery() {
    let (source, start) = (Emitter<Int>(), Emitter<Void>())
    let shared = source.share()
    let first = shared.sink { _ in }
    let late = StateRecorder<Int>()
    let starting = start.sink {
      source.send(1)
      late.listen(to: shared)
      source.send(2)
    }
    start.send()
    #expect(late.take() == [1, 2])
    withExtendedLifetime((first, starting)) {}
  }

  @Test("S3 a subscriber of a share that joins during a batch receives a change from before it")
  func sharedBatch() {
    let shared = rig.store.publisher.count.share()
    let first = shared.sink { _ in }
    let late = StateRecorder<Int>()
    rig.write.batch {
      rig.write.count = 5
      late.listen(to: shared)
    }
    #expect(late.take() == [5])
    withExtendedLifetime(first) {}
  }

  @Test("S9 S10 a value from the middle of a batch is corrected when the batch resets it")
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

  @Test("M5 a tracker that reads inside a batch is notified if the batch ends with another value")
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

  @Test("S6 a forced write notifies a subscriber that joined earlier in the same batch")
  func forced() {
    let late = StateRecorder<Int>()
    rig.write.batch {
      late.listen(to: rig.store.publisher.count)
      rig.write.set(\.count, 0, forceUpdate: true)
    }
    #expect(late.values == [0])
  }

  @Test("S3 a subscriber that joins after the last write of a batch is not notified of the batch")
  func afterTheWrite() {
    let early = StateRecorder(rig.store.publisher.person.map(\.name))
    let late = StateRecorder<String>()
    rig.write.batch {
      rig.write.person = Person(name: "b")
      late.listen(to: rig.store.publisher.person.map(\.name))
    }
    #expect(early.values == ["b"])
    #expect(late.values == [])
  }

  @Test("S9 S10 what counts is the value that a subscriber found, not one from later in the batch")
  func setBackTwice() {
    let early = StateRecorder(rig.store.publisher.count)
    let late = StateRecorder<Int>()
    rig.write.batch {
      rig.write.count = 1
      late.listen(to: rig.store.publisher.count)
      rig.write.count = 2
      rig.write.count = 1
    }
    #expect(late.values == [])
    #expect(early.values == [1])
  }

  @Test(
    "S3 H4 a subscriber that joins a batch which changes nothing in the end is notified",
    arguments: [false, true])
  func setBackToTheStart(isRecorded: Bool) {
    var changes = 0
    let events = rig.store.events.sink { event in
      if case .stateChanged = event.kind { changes += 1 }
    }
    if !isRecorded { events.cancel() }
    let late = StateRecorder<Int>()
    rig.write.batch {
      rig.write.count = 1
      late.listen(to: rig.store.publisher.count)
      rig.write.count = 0
    }
    #expect(late.values == [0])
    #expect(changes == 0)
    events.cancel()
  }

  @Test("S3 M5 each tracker that reads during a batch is notified of what changes after its read")
  func eachTracker() {
    let (first, second) = (SharedCount(), SharedCount())
    rig.write.batch {
      rig.write.count = 1
      withObservationTracking {
        _ = rig.store.count
      } onChange: {
        first.increase()
      }
      rig.write.count = 0
      withObservationTracking {
        _ = rig.store.count
      } onChange: {
        second.increase()
      }
    }
    #expect(first.value == 1)
    rig.write.count = 2
    #expect(second.value == 1)
  }
}
