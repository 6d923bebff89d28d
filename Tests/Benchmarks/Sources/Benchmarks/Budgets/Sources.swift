import Foundation
import Signalbox
import SignalboxSources

/// Measures event sources: lines of text, and a source that many subscribers share.
@MainActor enum Sources {
  static let comparisons = [
    lines,
    shared(by: 1, "a value of a shared source, one subscriber"),
    shared(by: 1_000, "a value of a shared source, 1,000 subscribers"),
  ]

  // MARK: Lines

  private static let lineCount = 100_000

  /// Makes a file of lines of 40 bytes, which is removed with the process's temporary files.
  private static func makeFile() -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "signalbox-benchmark-lines")
    let line = "a line of text that has a common length\n"
    do {
      try Data(String(repeating: line, count: lineCount).utf8).write(to: url)
    } catch {
      fatalError("The lines cannot be written: \(error)")
    }
    return url
  }

  private static var lines: Comparison {
    Comparison("E5", "100,000 lines of a file") {
      let url = makeFile()
      var peers = [
        Subject(
          "AsyncStream of lines, read on a thread",
          awaiting: { count in
            for _ in 0..<count { await streamed(url) }
          }
        ).atMost(1),
        Subject("LineFramer alone") { count in
          for _ in 0..<count { framed(url) { blackHole($0) } }
        }.unlimited,
      ]
      #if canImport(Darwin)
      peers.insert(
        Subject(
          "FileHandle.bytes.lines",
          awaiting: { count in
            for _ in 0..<count { await bytes(of: url) }
          }
        ).atMost(1), at: 0)
      #endif
      return Sides(
        Subject(
          "lines(of:)",
          awaiting: { count in
            for _ in 0..<count { await delivered(url) }
          }
        ), beside: peers)
    }
  }

  private static func open(_ url: URL) -> FileHandle {
    guard let handle = try? FileHandle(forReadingFrom: url) else { fatalError("no \(url)") }
    return handle
  }

  private static func delivered(_ url: URL) async {
    var subscription = Subscription.empty
    var count = 0
    await withCheckedContinuation { continuation in
      subscription = Signal.lines(of: open(url)).sink(
        receiveCompletion: { continuation.resume() },
        receiveValue: { line in
          blackHole(line)
          count += 1
        })
    }
    subscription.cancel()
    check(count)
  }

  private static func streamed(_ url: URL) async {
    let (stream, source) = AsyncStream.makeStream(of: Result<String, LineError>.self)
    Thread {
      framed(url) { source.yield($0) }
      source.finish()
    }.start()
    var count = 0
    for await line in stream {
      blackHole(line)
      count += 1
    }
    check(count)
  }

  nonisolated private static func framed(_ url: URL, _ receive: (LineFramer.Item) -> Void) {
    guard let handle = try? FileHandle(forReadingFrom: url) else { fatalError("no \(url)") }
    var framer = LineFramer(limit: 1 << 20)
    while let bytes = try? handle.read(upToCount: 64 << 10), !bytes.isEmpty {
      framer.append(bytes)
      while let line = framer.next() { receive(line) }
    }
  }

  #if canImport(Darwin)
  private static func bytes(of url: URL) async {
    var count = 0
    do {
      for try await line in open(url).bytes.lines {
        blackHole(line)
        count += 1
      }
    } catch {
      fatalError("\(error)")
    }
    check(count)
  }
  #endif

  private static func check(_ count: Int) {
    guard count == lineCount else { fatalError("\(count) lines instead of \(lineCount)") }
  }

  // MARK: Shared sources

  private static func shared(by subscribers: Int, _ work: String) -> Comparison {
    Comparison("E1", work) {
      let (shared, alone) = (Emitter<Int>(), Emitter<Int>())
      let subscriptions = subscribe(subscribers, to: shared.share())
      let others = subscribe(subscribers, to: alone.signal)
      let peer = SubscribedSubject(subscribers: subscribers, isShared: true)
      return Sides(
        Subject("share") { count in
          for value in 0..<count { shared.send(value) }
          blackHole(subscriptions)
        }, limits: [.allocations(0)],
        beside: [
          Subject("OpenCombine share") { count in
            for value in 0..<count { peer.send(value) }
          }.atMost(1),
          Subject("an Emitter that is not shared") { count in
            for value in 0..<count { alone.send(value) }
            blackHole(others)
          }.unlimited,
        ])
    }
  }

  private static func subscribe(_ count: Int, to signal: Signal<Int>) -> [Subscription] {
    (0..<count).map { _ in signal.sink { blackHole($0) } }
  }

  /// Sends `count` values to one subscriber of a shared source, for callgrind.
  static func sharedByOne(_ count: Int) {
    let emitter = Emitter<Int>()
    let subscriptions = subscribe(1, to: emitter.share())
    for value in 0..<count { emitter.send(value) }
    blackHole(subscriptions)
  }

  /// Notifies `count` subscribers of a shared source, a thousand with each value.
  static func sharedByMany(_ count: Int) {
    let emitter = Emitter<Int>()
    let subscriptions = subscribe(1_000, to: emitter.share())
    for value in 0..<count / 1_000 { emitter.send(value) }
    blackHole(subscriptions)
  }
}
