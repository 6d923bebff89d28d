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

/// The file of a recording: how large it becomes, and whose it is.
struct FileTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: "run.jsonl")
  }

  private func writer(_ program: String, limit: Int = 100_000) throws -> TraceWriter {
    let header = TraceHeader(started: "now", program: program, process: 1)
    return try TraceWriter(url: url, header: header, limit: limit, checkpoint: limit)
  }

  /// The first lines of a store, whose state has a size in bytes.
  private func beginning(size: Int) -> [TraceEvent] {
    let words = Array(
      repeating: ValueTree.string(String(repeating: "x", count: 97)), count: size / 100)
    return [
      TraceEvent(
        store: 1, time: 0, kind: .store(.init(name: "s", state: "Words", action: "Never"))),
      TraceEvent(store: 1, id: 1, time: 0, kind: .started(.list(type: nil, words))),
    ]
  }

  /// Changes of the first word.
  private func changes(from first: Int) -> [TraceEvent] {
    (first..<first + 100).map { id in
      let edit = ValueEdit(
        [.index(0, id: nil)], .replaced(.string("word \(id - 1)"), by: .string("word \(id)")))
      return TraceEvent(store: 1, id: id, time: Double(id), kind: .changed([edit]))
    }
  }

  private func read() throws -> TraceReader {
    let reader = try TraceReader.read(try Data(contentsOf: url)).reader
    #expect(reader.problems.isEmpty && reader.skipped == 0)
    return reader
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("R4 a file stays below its limit, however often its newer half replaces it")
  func limit() throws {
    let limit = 100_000
    var writer = try writer("limited", limit: limit)
    try writer.write(beginning(size: limit / 10))
    let turns = 25 * limit / changes(from: 2).reduce(0) { $0 + $1.bytes.count }
    for turn in 0..<turns {
      try writer.write(changes(from: 2 + 100 * turn))
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
      // What was written at once is added to a file that was not full.
      #expect(size <= limit + 131_072)
    }
    writer.close()
    let words = try #require(try read().states[1])
    #expect(words.text().hasPrefix(#"["word \#(turns * 100 + 1)", "xxx"#))
    #expect(try names == ["run.jsonl"])
  }

  @Test("R4 a file whose states exceed the limit becomes no larger than it needs to be")
  func largeStates() throws {
    var writer = try writer("large", limit: 10_000)
    try writer.write(beginning(size: 50_000))
    for turn in 0..<100 {
      try writer.write(changes(from: 2 + turn * 100))
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
      #expect(size <= 4 * 60_000 + 131_072)
    }
    writer.close()
    _ = try read()
  }

  @Test("R1 a program whose file another one has taken stops, and leaves that file alone")
  func taken() throws {
    var first = try writer("first")
    try first.write(beginning(size: 100))
    var second = try writer("second")
    try second.write(beginning(size: 100))
    var id = 2
    let error = #expect(throws: RecordingError.self) {
      for _ in 0..<100 {
        try first.write(changes(from: id))
        id += 100
      }
    }
    #expect(error?.description.contains("another program records into it") == true)
    // What was written into a file without a name would be lost.
    #expect(id == 2)
    for turn in 0..<100 { try second.write(changes(from: 2 + turn * 100)) }
    second.close()
    #expect(try read().header?.program == "second")
    #expect(try names == ["run.jsonl"])
  }

  @Test("R1 a file that was removed is missed, and no other file is made for it")
  func removed() throws {
    var writer = try writer("removed")
    try FileManager.default.removeItem(at: url)
    #expect(throws: RecordingError.self) { try writer.write(changes(from: 2)) }
    #expect(try names.isEmpty)
  }

  @Test("R1 files beside a recording are left alone")
  func neighbors() throws {
    let next = folder.url.appending(path: "run.jsonl.next/notes")
    try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
    var writer = try writer("neighbor")
    for turn in 0..<50 { try writer.write(changes(from: 2 + turn * 100)) }
    writer.close()
    #expect(try names == ["run.jsonl", "run.jsonl.next"])
    #expect(FileManager.default.fileExists(atPath: next.path))
  }

  @Test("R1 a file into which this program records is known by all of its names")
  @MainActor func links() throws {
    let recording = try start(at: url)
    let link = folder.url.appending(path: "link.jsonl")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let other = folder.url.appending(path: "folder")
    try FileManager.default.createSymbolicLink(at: other, withDestinationURL: folder.url)
    let same = folder.url.appending(path: "same.jsonl")
    try FileManager.default.linkItem(at: url, to: same)
    for name in [url, link, other.appending(path: "run.jsonl"), same] {
      let error = #expect(throws: RecordingError.self) { try start(at: name) }
      #expect(error?.description.contains("this program is recording into it") == true, "\(name)")
    }
    recording.stop()
    // A link stays one.
    try start(at: link).stop()
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
    #expect(target.hasSuffix("run.jsonl"))
  }

  @Test("R1 a pipe or a device is no recording, and is neither read nor removed")
  @MainActor func pipe() throws {
    try #require(unsafe mkfifo(url.path, 0o600) == 0)
    #expect(throws: RecordingError.self) { try start(at: url) }
    #expect(try names == ["run.jsonl"])
    let link = folder.url.appending(path: "link.jsonl")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(filePath: "/dev/null"))
    #expect(throws: RecordingError.self) { try start(at: link) }
  }

  @Test("R1 a link to a file that does not exist stays, and leads to the recording and the page")
  @MainActor func danglingLinks() throws {
    let files = FileManager.default
    let below = folder.url.appending(path: "below")
    try files.createDirectory(at: below, withIntermediateDirectories: true)
    for (name, target) in [("a", "../run.jsonl"), ("b", url.path), ("c", "a")] {
      let link = below.appending(path: name)
      try files.createSymbolicLink(atPath: link.path, withDestinationPath: target)
      try start(at: link).stop()
      _ = try read()
      let page = folder.url.appending(path: "\(name).html")
      let pageLink = below.appending(path: "\(name).html")
      try files.createSymbolicLink(
        atPath: pageLink.path, withDestinationPath: "../\(name).html")
      try Recording.page(of: link, to: pageLink)
      #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!doctype html>"))
      #expect(try files.destinationOfSymbolicLink(atPath: link.path) == target)
      #expect(try files.destinationOfSymbolicLink(atPath: pageLink.path) == "../\(name).html")
      try files.removeItem(at: url)
    }
  }

  @Test("R1 links without an end and URLs of no files are refused, and stay as they are")
  @MainActor func nowhere() throws {
    for (name, target) in [("a", "b"), ("b", "a")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: target)
    }
    #expect(throws: RecordingError.self) { try start(at: folder.url.appending(path: "a")) }
    #expect(try names == ["a", "b"])
    let web = try #require(URL(string: "https://example.com\(url.path)"))
    let error = #expect(throws: RecordingError.self) { try start(at: web) }
    #expect(error?.description.contains("this is not a file URL") == true)
    #expect(try names == ["a", "b"])
  }

  @MainActor private func start(at url: URL) throws -> Recording {
    try Recording.start(
      to: url, limit: 1_000_000, checkpoint: 1_000, mostWeight: 1_000_000,
      isRecorded: { _, _ in false })
  }
}
