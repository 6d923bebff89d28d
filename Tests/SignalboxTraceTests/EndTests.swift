import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxInspection
import Testing

@testable import SignalboxTrace

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a recording leaves when its program or its file ends.
@MainActor struct EndTests {
  @Test("R1 a process that is killed while it records leaves a file that can be read")
  func killed() async throws {
    let folder = try TemporaryFolder()
    for seed: UInt64 in 1...3 {
      let url = folder.url.appending(path: "\(seed).jsonl")
      await #expect(processExitsWith: .signal(SIGKILL)) {
        @MainActor [path = url.path as String, seed = seed as UInt64] in
        let file = try Recording.start(to: URL(filePath: path), limit: 20_000)
        var random = SeededRandom(seed: seed)
        let sensor = Emitter<Double>()
        let store = Store(
          state: RoomState(), hookable: Heating(sensor: sensor.signal), name: "killed")
        for turn in 0..<1_000 {
          sensor.send(Double(random.below(30)))
          if turn == 200 { file.flush() }
          if turn > 200, random.oneIn(50) { break }
        }
        kill(getpid(), SIGKILL)
        withExtendedLifetime(store) {}
      }
      let (reader, events) = try TraceReader.read(try Data(contentsOf: url))
      #expect(reader.problems.isEmpty && reader.skipped == 0)
      #expect(!events.of("killed").isEmpty)
    }
  }

  @Test("R1 a process that exits leaves all that it has recorded")
  func exits() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "run.jsonl")
    await #expect(processExitsWith: .exitCode(0)) { @MainActor [path = url.path as String] in
      try Recording.start(to: URL(filePath: path))
      let store = Store(state: RoomState(), name: "exits")
      for turn in 1...100 { store.binder.celsius.wrappedValue = Double(turn) + 20 }
      exit(0)
    }
    let (reader, events) = try TraceReader.read(try Data(contentsOf: url))
    #expect(reader.problems.isEmpty)
    #expect(events.of("exits").filter { $0.kind.name == "changed" }.count == 100)
  }

  @Test("R4 what does not fit into memory is counted as lost, and the state is right after it")
  func lost() throws {
    let file = try RecordedFile(mostWeight: 20_000)
    let store = Store(state: Zoo(), name: "lost")
    var random = SeededRandom(seed: 1)
    file.recording.hold()
    for _ in 0..<300 { store.instruments.arranging.state.change(&random) }
    let before = ValueTree(store.state)
    file.recording.release()
    file.recording.flush()
    for _ in 0..<3 { store.instruments.arranging.state.change(&random) }
    let (reader, events) = try file.read()
    #expect(reader.problems.isEmpty)
    let own = events.of("lost")
    let lost = own.compactMap { event in
      if case .lost(let count, _) = event.kind { count } else { nil }
    }
    let changes = own.count { $0.kind.name == "changed" }
    #expect(lost.count == 1 && lost[0] > 100)
    #expect(lost.reduce(0, +) + changes > 200)
    var read = ValueTree.null
    for event in own {
      switch event.kind {
      case .started(let state): read = state
      case .changed(let edits): try read.apply(edits)
      case .lost(_, let edits):
        try read.apply(edits)
        #expect(read.matches(before))
      default: break
      }
    }
    let state = try #require(own.first?.store.flatMap { reader.states[$0] })
    #expect(state.matches(ValueTree(store.state)))
  }

  @Test("R4 D5 nothing is reflected, copied or formatted while nothing is recorded")
  func off() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      let store = Store(state: Reflected(), name: "off")
      let write = { store.instruments.arranging.state.list.append(1) }
      write()
      guard Reflected.mirrors == 0 else { fatalError("reflected before") }
      let recording = try Recording.start(to: folder.url.appending(path: "run.jsonl"))
      write()
      guard Reflected.mirrors > 0 else { fatalError("not reflected") }
      recording.stop()
      Reflected.mirrors = 0
      let place = unsafe store.state.list.withUnsafeBufferPointer {
        UInt(bitPattern: $0.baseAddress)
      }
      write()
      guard Reflected.mirrors == 0 else { fatalError("reflected after") }
      let now = unsafe store.state.list.withUnsafeBufferPointer {
        UInt(bitPattern: $0.baseAddress)
      }
      guard place == now else { fatalError("copied after") }
    }
  }

  @Test("R4 a change costs the same beside 10 elements and beside 10,000, which are not looked at")
  func cost() async {
    // In a process of its own, because other recordings look at the elements, too.
    await #expect(processExitsWith: .success) { @MainActor in
      let file = try RecordedFile(of: Shelf.self)
      var mirrors: [Int] = []
      for count in [10, 10_000] {
        let store = Store(
          state: Shelf(books: Array(repeating: Book(), count: count)), name: "shelf \(count)")
        // The whole first state is recorded.
        (Book.mirrors, Book.comparisons) = (0, 0)
        store.binder.label.wrappedValue = "new"
        guard Book.mirrors == 0, Book.comparisons == 0 else { fatalError("books were looked at") }
        store.instruments.arranging.books[count / 2].title = "new"
        mirrors.append(Book.mirrors)
      }
      // Only the element before and after, each twice at most.
      guard mirrors[0] == mirrors[1], mirrors[0] < 5 else { fatalError("\(mirrors)") }
      let changes = try file.events(of: "shelf 10000").filter { $0.kind.name == "changed" }
      let texts = changes.map(\.kind.text)
      guard texts == [#"label "" → "new""#, #"books[5000].title "" → "new""#] else {
        fatalError("\(texts)")
      }
    }
  }

  @Test("R4 a file that cannot be written any more ends the recording, and nothing else")
  func full() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "run.jsonl")
    await #expect(processExitsWith: .success) { @MainActor [path = url.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let recording = try Recording.start(to: URL(filePath: path))
      limitFileSize(to: 4_000)
      let store = Store(state: RoomState(), name: "full")
      for turn in 1...200 { store.binder.celsius.wrappedValue = Double(turn) }
      recording.flush()
      guard recording.failure != nil, store.celsius == 200 else { fatalError("no failure") }
      recording.stop()
    }
    let (reader, events) = try TraceReader.read(try Data(contentsOf: url))
    #expect(reader.problems.isEmpty && events.of("full").count > 2)
  }
}

/// A state that counts how often it is reflected.
private struct Reflected: CustomReflectable {
  @MainActor static var mirrors = 0

  var list: [Int] = {
    var list: [Int] = []
    list.reserveCapacity(100)
    return list
  }()

  var customMirror: Mirror {
    MainActor.assumeIsolated { Self.mirrors += 1 }
    return Mirror(self, children: ["list": list])
  }
}

private struct Shelf: Equatable {
  var books: [Book]
  var label = ""
}

/// An element that counts how often elements are looked at.
private struct Book: Equatable, CustomReflectable {
  @MainActor static var mirrors = 0
  @MainActor static var comparisons = 0

  var title = ""

  static func == (left: Book, right: Book) -> Bool {
    MainActor.assumeIsolated { comparisons += 1 }
    return left.title == right.title
  }

  var customMirror: Mirror {
    MainActor.assumeIsolated { Self.mirrors += 1 }
    return Mirror(self, children: ["title": title])
  }
}
