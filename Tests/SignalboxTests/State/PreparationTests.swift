import Signalbox
import Testing

/// Tests getters, hashes and comparisons that call back while a write is prepared.
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
    var b = 0
    var raw = 0
    var cells: [Int: Int] = [:]

    var asked: Int {
      MainActor.assumeIsolated { Call.once() }
      return raw
    }

    subscript(key: Key) -> Int {
      get { cells[key.number] ?? 0 }
      set { cells[key.number] = newValue }
    }
  }

  private typealias Handle = MutatingStore<Board, Never>

  /// Calls `write` in a run that a getter cancels while the write is prepared.
  private static func cancelled(isInBatch: Bool, _ write: @escaping (Handle) -> Void) -> [Int] {
    let rig = StateRig(Board())
    var kept: [Subscription] = []
    var own = -1
    func writeCancelled(_ run: Handle) {
      Call.back = { rig.store.cancel(id: "own") }
      write(run)
      own = run.b
    }
    if isInBatch {
      rig.write.run(id: "own") { run in
        run.batch {
          kept.append(rig.store.publisher.asked.sink { _ in })
          writeCancelled(run)
        }
      }
    } else {
      // The value of a commit in flight is kept because `combineLatest` may need it.
      kept.append(combineLatest(rig.store.publisher.a, rig.store.publisher.asked).sink { _ in })
      let emitter = Emitter<Int>()
      rig.write.run(id: "own") { run in
        kept.append(
          emitter.sink { _ in
            run.a = 5
            writeCancelled(run)
          })
        emitter.send(1)
      }
    }
    withExtendedLifetime(kept) {}
    return [rig.store.b, own]
  }

  @Test(
    "A6 an assignment whose preparation cancels its writer does not reach the store",
    arguments: [false, true])
  func assignment(isInBatch: Bool) {
    #expect(Self.cancelled(isInBatch: isInBatch) { $0.b = 1 } == [0, 1])
  }

  @Test("A6 S6 an in-place change whose preparation cancels its writer traps with a message")
  func inPlace() async {
    for result in [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { _ = Self.cancelled(isInBatch: true) { $0.b += 1 } }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run { _ = Self.cancelled(isInBatch: false) { $0.update { $0.b = 1 } } }
      },
    ] {
      expectError(
        "was cancelled in the middle of its own change of the state, by a getter", from: result)
    }
  }

  @Test("S3 a getter that subscribes while a write in a batch is prepared is notified of the write")
  func subscribing() {
    let rig = StateRig(Board())
    let seen = StateRecorder<Int>()
    var kept: [Subscription] = []
    rig.write.batch {
      kept.append(rig.store.publisher.asked.sink { _ in })
      Call.back = { kept.append(rig.store.publisher.b.sink { seen.note($0) }) }
      rig.write.b = 1
    }
    #expect(seen.values == [1])
    withExtendedLifetime(kept) {}
  }

  @Test("S6 a hash that writes while a batch records its key path traps with a message")
  func hashInBatch() async {
    expectError(
      "while it was being compared or computed",
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
      "while it was being compared or computed",
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
