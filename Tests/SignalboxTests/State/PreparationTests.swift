import Signalbox
import Testing

/// Tests hashes and comparisons that call back while a write is prepared.
@MainActor struct PreparationTests {
  @MainActor private enum Call {
    static var back: () -> Void = {}

    /// Runs the closure once.
    static func once() {
      let body = back
      back = {}
      body()
    }
  }

  private struct Key: Hashable, Sendable {
    var number: Int

    static func == (l: Self, r: Self) -> Bool {
      MainActor.assumeIsolated { Call.once() }
      return l.number == r.number
    }

    func hash(into hasher: inout Hasher) {
      MainActor.assumeIsolated { Call.once() }
      hasher.combine(number)
    }
  }

  private struct Board {
    var a = 0
    var cells: [Int: Int] = [:]

    subscript(key: Key) -> Int {
      get { cells[key.number] ?? 0 }
      set { cells[key.number] = newValue }
    }
  }

  @Test("S6 a hash that writes while a batch records its key path traps with a message")
  func hashInBatch() async {
    expectError(
      "while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Board())
          let kept = rig.store.publisher.a.sink { _ in }
          rig.write.batch {
            Call.back = {}
            let path = \Board.[Key(number: 1)]
            rig.write[dynamicMember: path] = 4
            Call.back = { rig.write.a = 1 }
            rig.write[dynamicMember: path] = 5
          }
          withExtendedLifetime(kept) {}
        }
      })
  }

  @Test("S6 a comparison of indices that writes while a commit is made traps with a message")
  func comparisonInCommit() async {
    expectError(
      "while its state was being compared or computed",
      from: await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let rig = StateRig(Board())
          let kept = [1, 2].map {
            rig.store.publisher[dynamicMember: \.[Key(number: $0)]].sink { _ in }
          }
          Call.back = { rig.write[dynamicMember: \.[Key(number: 1)]] = 97 }
          rig.write.set(\.[Key(number: 1)], 1, forceUpdate: true)
          withExtendedLifetime(kept) {}
        }
      })
  }
}
