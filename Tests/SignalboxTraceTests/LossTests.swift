import ExampleTesting
import Foundation
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a recording says of events for which it had no room, and what it costs when it has failed.
@MainActor @Suite(.timeLimit(.minutes(60))) struct LossTests {
  @Test("R4 flush says what was lost, though nothing has happened since")
  func flush() throws {
    let file = try RecordedFile(mostWeight: 5_000, of: Counter.self)
    let store = Store(state: Counter(), name: "flushed")
    file.recording.hold()
    for count in 1...100 { store.binder.count.wrappedValue = count }
    file.recording.release()
    file.recording.flush()
    try Self.check(file.url, "flushed")
    withExtendedLifetime(store) {}
  }

  @Test("R1 R4 a process that exits says what was lost")
  func exits() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "run.jsonl")
    await #expect(processExitsWith: .exitCode(0)) { @MainActor [path = url.path as String] in
      let recording = try Recording.start(
        to: URL(filePath: path), limit: 64_000_000, checkpoint: 262_144, mostWeight: 5_000)
      let store = Store(state: Counter(), name: "exits")
      recording.hold()
      for count in 1...100 { store.binder.count.wrappedValue = count }
      recording.release()
      exit(0)
    }
    try Self.check(url, "exits")
  }

  /// Checks that a file accounts for 100 changes of a store.
  private static func check(_ url: URL, _ name: String) throws {
    let (reader, events) = try TraceReader.read(try Data(contentsOf: url))
    #expect(reader.problems.isEmpty)
    let own = events.of(name)
    #expect(own.lost.count == 1 && own.lost.first ?? 0 > 50, "\(own.lost)")
    #expect(own.lost.reduce(0, +) + own.count { $0.kind.name == "changed" } == 100)
    let state = own.first?.store.flatMap { reader.states[$0] }
    #expect(state == ValueTree(Counter(count: 100)))
  }

  @Test("R4 what was lost is said as soon as there is room, without a further event")
  func room() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let file = try RecordedFile(mostWeight: 5_000, of: Reflected.self)
      let store = Store(state: Reflected(), name: "room")
      file.recording.hold()
      for count in 1...100 { store.instruments.arranging.state.count = count }
      await withCheckedContinuation { continuation in
        // The difference between the recorded state and the current one is found by reflection.
        Reflected.onMirror = { continuation.resume() }
        file.recording.release()
      }
      withExtendedLifetime(store) {}
    }
  }

  @Test("R4 stores that begin without room wait for it, and those that end meanwhile are counted")
  func stores() throws {
    let file = try RecordedFile(mostWeight: 5_000, of: Counter.self)
    let first = Store(state: Counter(), name: "first")
    file.recording.hold()
    for count in 1...100 { first.binder.count.wrappedValue = count }
    for _ in 1...1_000 { _ = Store(state: Counter(), name: "gone") }
    let last = Store(state: Counter(count: 7), name: "last")
    last.binder.count.wrappedValue = 8
    file.recording.release()
    file.recording.flush()
    last.binder.count.wrappedValue = 9
    let (reader, events) = try file.read()
    #expect(reader.problems.isEmpty)
    #expect(events.of("gone").isEmpty)
    #expect(
      events.of("last").texts == [
        "store", "started Counter(count: 7, isFull: false)", "lost", "count 8 → 9",
      ])
    #expect(events.filter { $0.store == nil }.lost == [1_000])
    #expect(events.of("first").lost.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test("R4 moves within a list, texts and places count as memory that an event takes")
  func weight() {
    var elements = ValueEdit.Elements()
    elements.moved = (0..<1_000).map { ValueEdit.Elements.Move(old: $0, new: 999 - $0) }
    let path = Array(repeating: ValueEdit.Step.field("name"), count: 1_000)
    let kinds: [TraceEvent.Kind] = [
      .changed([ValueEdit([], .elements(elements))]),
      .changed([ValueEdit(path, .inserted(.null))]),
      .loopStopped(Array(repeating: "name", count: 1_000)),
    ]
    for kind in kinds { #expect(TraceEvent(store: 1, time: 0, kind: kind).weight > 16_000) }
  }

  @Test("R4 a recording that has failed costs nothing any more")
  func failed() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      let store = Store(state: Reflected(), name: "failed")
      signal(SIGXFSZ, SIG_IGN)
      try await withCheckedThrowingContinuation { continuation in
        do {
          // What asks whether a store is recorded is released with the recording.
          let filter = Filter { continuation.resume() }
          _ = try Recording.start(
            to: folder.url.appending(path: "run.jsonl"), limit: 64_000_000, checkpoint: 262_144,
            mostWeight: 32_000_000, isRecorded: { type, _ in filter.includes(type) })
          limitFileSize(to: 4_000)
          for count in 1...200 { store.instruments.arranging.state.count = count }
        } catch {
          continuation.resume(throwing: error)
        }
      }
      Reflected.mirrors = 0
      store.instruments.arranging.state.count = 0
      guard Reflected.mirrors == 0 else { fatalError("reflected") }
    }
  }

  @Test("R4 a list that is too large is left out, and the rest of its state is recorded")
  func large() throws {
    let file = try RecordedFile(of: Large.self)
    let store = Store(state: Large(), name: "large")
    store.binder.label.wrappedValue = "new"
    store.instruments.arranging.state.bytes.append(1)
    let (reader, events) = try file.read()
    #expect(reader.problems.isEmpty)
    let own = events.of("large")
    #expect(own.map(\.line).joined().utf8.count < 10_000)
    let state = try #require(own.first?.store.flatMap { reader.states[$0] })
    #expect(state.text() == #"Large(bytes: …, label: "new")"#)
    withExtendedLifetime(store) {}
  }
}

private struct Counter: Equatable {
  var count = 0
  var isFull = false
}

private struct Large: Equatable {
  var bytes = [UInt8](repeating: 0, count: ValueTree.mostParts + 1)
  var label = ""
}

/// A state that tells when it is reflected.
private struct Reflected: CustomReflectable {
  @MainActor static var mirrors = 0
  @MainActor static var onMirror: (() -> Void)?

  var count = 0

  var customMirror: Mirror {
    MainActor.assumeIsolated {
      Self.mirrors += 1
      Self.onMirror.take()?()
    }
    return Mirror(self, children: ["count": count])
  }
}

/// Includes the stores of a recording, and tells when it is released.
private final class Filter {
  private let onRelease: () -> Void

  init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }

  func includes(_ type: Any.Type) -> Bool { type == Reflected.self }
}

extension [TraceEvent] {
  /// The numbers in the lines that say how many events were lost.
  fileprivate var lost: [Int] {
    compactMap { event in if case .lost(let count, _) = event.kind { count } else { nil } }
  }
}
