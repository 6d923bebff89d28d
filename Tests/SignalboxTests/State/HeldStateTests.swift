import Signalbox
import Testing

/// Tests that accessing the store during exclusive access traps and says what to do instead.
@MainActor struct HeldStateTests {
  private func expectSentence(
    _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectError(
      "The store was accessed while its state was being changed in place", from: result,
      sourceLocation: sourceLocation)
  }

  @Test("S6 reading the store inside update traps with a message")
  func read() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { $0.count = rig.write.level }
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { $0.count = rig.store.level }
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { $0.count = rig.store.binder.level.wrappedValue }
        }
      })
  }

  @Test("S6 writing to the store inside update traps with a message, observed or not")
  func write() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in rig.write.count = 1 }
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          let counts = StateRecorder(rig.store.publisher.count)
          rig.write.update { _ in rig.write.title += "!" }
          withExtendedLifetime(counts) {}
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in rig.write.state = Room() }
        }
      })
  }

  @Test("S6 a batch or an update inside update traps with a message")
  func nested() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in rig.write.batch {} }
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in rig.write.update { _ in } }
        }
      })
  }

  @Test("S6 subscribing to the store inside update traps with a message")
  func subscribe() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in _ = rig.store.publisher.headline.sink { _ in } }
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in _ = rig.store.publisher.count.includingCurrent().sink { _ in } }
        }
      })
  }

  @Test("S6 subscribing to the changes of a stored property inside update traps with a message")
  func subscribeToStored() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in _ = rig.store.publisher.count.sink { _ in } }
        }
      })
  }

  @Test("S6 accessing the store in a closure of an in-place mutation traps with a message")
  func inPlace() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.items.removeAll { _ in rig.write.count == 0 }
        }
      })
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.state.items.removeAll { _ in
            rig.write.count += 1
            return true
          }
        }
      })
  }

  @Test("S6 the store can be accessed after an update that threw, and inside a batch")
  func released() {
    let rig = StateRig(Room())
    #expect(throws: Refused.self) { try rig.write.update { _ in throw Refused() } }
    #expect(throws: Refused.self) { try rig.write.items.appendAndRefuse("c") }
    rig.write.batch { rig.write.count = rig.store.items.count }
    #expect(rig.store.count == 3)
  }

  @Test("S6 another store can be accessed inside update")
  func otherStore() {
    let rig = StateRig(Room())
    let other = StateRig(Room())
    let counts = StateRecorder(other.store.publisher.count)
    rig.write.update {
      other.write.count = 4
      $0.count = other.store.count
    }
    #expect(rig.store.count == 4)
    #expect(counts.values == [4])
  }

  @Test("S6 a second subscriber to an observed property inside update traps with a message")
  func secondSubscriber() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          let first = rig.store.publisher.items.sink { _ in }
          rig.write.update { _ in
            _ = rig.store.publisher.items.includingCurrent().sink { _ in }
          }
          withExtendedLifetime(first) {}
        }
      })
  }

  @Test("S6 writing in == and in a getter of the state traps with a message")
  func writeWhileReading() async {
    let comparing = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Meddler())
        Meddler.meddle = { rig.write.count += 1 }
        let whole = rig.store.publisher.part.sink { _ in }
        rig.write.update { $0.part = Meddler.Part() }
        withExtendedLifetime(whole) {}
      }
    }
    let computing = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Meddler())
        Meddler.meddle = { rig.write.count += 1 }
        _ = rig.store.computed
      }
    }
    expectError("while its state was being compared or computed", from: comparing)
    expectError("while its state was being compared or computed", from: computing)
  }

  @Test("S6 a getter may read the store of its own state")
  func readWhileReading() {
    let rig = StateRig(Meddler())
    var seen: [Int] = []
    Meddler.meddle = { seen.append(rig.store.count) }
    _ = rig.store.computed
    Meddler.meddle = {}
    #expect(Set(seen) == [0])
  }

  @Test("A6 work that is cancelled inside its own update traps with a message")
  func cancelInside() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let rig = StateRig(Room())
        rig.write.run(id: "own") { run in
          run.update { _ in rig.store.cancel(id: "own") }
        }
      }
    }
    expectError("in the middle of its own change of the state", from: result)
  }

  @Test("A6 other work that is cancelled inside an update continues with the state after it")
  func cancelOtherInside() async {
    let rig = StateRig(Room())
    var late: MutatingStore<Room, Never>?
    let gate = StoreGate()
    let task = rig.write.run(id: "late") { run in
      late = run
      try await gate.pass("door")
    }
    rig.write.update { room in
      room.items.removeAll { _ in
        task.cancel()
        return true
      }
      room.count = 2
    }
    #expect(late?.isCurrent == false)
    #expect(late?.count == 2)
    #expect(late?.items.isEmpty == true)
    late?.count = 9
    #expect(rig.store.count == 2)
    gate.open("door")
  }

  @Test("A9 a store that is released inside an update of its own leaves the handle inert")
  func releasedInside() {
    var rig: StateRig? = StateRig(Room())
    let write = rig?.write
    write?.update { room in
      rig = nil
      room.count = 2
    }
    #expect(write?.isCurrent == false)
  }
}

/// A state whose comparison and getter run a closure.
private struct Meddler {
  @MainActor static var meddle: () -> Void = {}

  struct Part: Equatable {
    static func == (l: Self, r: Self) -> Bool {
      MainActor.assumeIsolated { Meddler.meddle() }
      return true
    }
  }

  var part = Part()
  var count = 0
  var computed: Int {
    MainActor.assumeIsolated { Meddler.meddle() }
    return count
  }
}
