import RandomPrograms
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Compares what comes of small programs and faults with an enumeration that knows only the promises of
/// a storage.
@Suite(.timeLimit(.minutes(60))) @MainActor struct StorageFaultLaws {
  private enum Step {
    case write(String, String)
    case read(String)
  }

  /// What came of an order.
  private struct End: Hashable {
    var log: [String]
    var words: [String?]
  }

  private static let names = ["a", "b"]

  private func program(_ seed: UInt64) -> [Step] {
    var random = SeededRandom(seed: seed)
    let count = 1 + random.below(3)
    return (0..<count).map { index in
      let name = random.pick(Self.names)
      return random.oneIn(3) ? .read(name) : .write(name, "\(index)")
    }
  }

  // MARK: - The enumeration

  /// The words that processes see, and those that a power cut leaves.
  private struct Disk {
    var seen: [String: String] = [:]
    var durable: [String: String] = [:]
    var hasChanged = false
  }

  private func ends(of program: [Step], faults: Int) -> Set<End> {
    var ends: Set<End> = []
    func end(_ log: [String], _ words: [String: String]) {
      ends.insert(End(log: log, words: Self.names.map { words[$0] }))
    }
    func go(_ steps: ArraySlice<Step>, _ disk: Disk, _ log: [String], _ faults: Int) {
      var disk = disk
      var isRest = true
      if case .read = steps.first { isRest = false }
      if isRest, disk.hasChanged, faults > 0 {
        end(log + ["crash"], disk.seen)
        end(log + ["crash"], disk.durable)
      }
      if isRest { disk.hasChanged = false }
      guard let step = steps.first else { return end(log, disk.seen) }
      let rest = steps.dropFirst()
      switch step {
      case .read(let name):
        go(rest, disk, log + [disk.seen[name] ?? "nothing"], faults)
        if faults > 0 { go(rest, disk, log + ["error"], faults - 1) }
      case .write(let name, let word):
        var named = disk
        named.seen[name] = word
        named.hasChanged = true
        var done = named
        done.durable = done.seen
        go(rest, done, log + ["ok"], faults)
        guard faults > 0 else { return }
        for words in [disk.seen, disk.durable, named.seen] { end(log + ["crash"], words) }
        for failed in [disk, named] { go(rest, failed, log + ["error"], faults - 1) }
        var tried = disk
        tried.hasChanged = true
        go(rest, tried, log + ["error"], faults - 1)
      }
    }
    go(program[...], Disk(), [], faults)
    return ends
  }

  // MARK: - The exploration

  private func explored(
    _ program: [Step], faults: Int, _ check: @escaping @MainActor (End) throws -> Void
  ) async -> ExplorationReport {
    await explore(limit: 100_000, faults: faults) { world in
      let storage = world.storage("words")
      var log: [String] = []
      let store = makeDeskTest { job, store in
        // What comes before the run meets no fault.
        try await world.clock.sleep(for: .seconds(1))
        for step in program {
          do {
            switch step {
            case .write(let name, let word):
              try await storage.put(word, name)
              log.append("ok")
            case .read(let name):
              let data = try storage.read(name)
              log.append(data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
            }
          } catch {
            // The process is gone.
            if error is CancellationError || "\(error)".contains("has crashed") { return }
            log.append("error")
          }
        }
      }
      store.send("run")
      let hasCrashed = await world.runEndsInCrash()
      try check(
        End(log: log + (hasCrashed ? ["crash"] : []), words: Self.names.map { storage.word($0) }))
    }
  }

  @Test(
    "I11 law: programs and faults lead to the ends of an independent enumeration, no more, no less",
    arguments: LawPrograms.seeds(60))
  func outcomes(seed: UInt64) async {
    let program = program(seed)
    for faults in 0...(program.count < 3 ? 2 : 1) {
      var found: Set<End> = []
      let report = await explored(program, faults: faults) { found.insert($0) }
      let wanted = ends(of: program, faults: faults)
      #expect(report.isExhaustive && report.failure == nil)
      let difference = found.symmetricDifference(wanted)
      #expect(difference.isEmpty, "\(program) \(faults): \(difference)")
    }
  }

  @Test(
    "I11 law: an order that fails is shown with the fewest faults that lead to its end",
    arguments: LawPrograms.seeds(30))
  func fewestFaults(seed: UInt64) async {
    let program = program(seed)
    let most = program.count < 3 ? 2 : 1
    let fewest = (0...most).reduce(into: [End: Int]()) { fewest, faults in
      for end in ends(of: program, faults: faults) where fewest[end] == nil { fewest[end] = faults }
    }
    var random = SeededRandom(seed: seed)
    let sorted = fewest.sorted { "\($0.key)" < "\($1.key)" }
    let (end, faults) = random.pick(sorted)
    var report: ExplorationReport?
    _ = await kitFailures {
      report = await explored(program, faults: most) { if $0 == end { throw Refusal() } }
    }
    #expect(report?.failure?.replay.count { $0 == "!" } == faults, "\(program) \(end)")
  }
}
