import Signalbox
import Testing

/// Touching the store while its state is held traps, and says what to do instead.
@MainActor struct HeldStateTests {
  private static let sentence = "The store was touched while its state is being changed in place"

  private func expectSentence(_ result: ExitTest.Result?) {
    let output = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(output?.contains(Self.sentence) == true)
  }

  @Test("S6 reading the store inside update traps with a sentence")
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

  @Test("S6 writing to the store inside update traps with a sentence, observed or not")
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

  @Test("S6 a batch or an update inside update traps with a sentence")
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

  @Test("S6 subscribing to the store inside update traps with a sentence")
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

  @Test(
    "S6 subscribing to the changes of a stored property inside update traps with a sentence")
  func subscribeToStored() async {
    expectSentence(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Room())
          rig.write.update { _ in _ = rig.store.publisher.count.sink { _ in } }
        }
      })
  }

  @Test("S6 touching the store inside a closure of an in-place mutation traps with a sentence")
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

  @Test("S6 after an update that threw, and inside a batch, the store can be touched")
  func released() {
    let rig = StateRig(Room())
    #expect(throws: Refused.self) { try rig.write.update { _ in throw Refused() } }
    #expect(throws: Refused.self) { try rig.write.items.appendAndRefuse("c") }
    rig.write.batch { rig.write.count = rig.store.items.count }
    #expect(rig.store.count == 3)
  }

  @Test("S6 another store can be touched inside update")
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
}
