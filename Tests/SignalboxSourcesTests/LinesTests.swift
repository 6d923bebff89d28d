import ExampleTesting
import Foundation
import Signalbox
import SignalboxSources
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Not parallel, because the tests count the descriptors of the process.
@Suite(.serialized, .timeLimit(.minutes(60))) @MainActor struct LinesTests {
  private typealias Line = Result<String, any Error>

  private func texts(_ log: SourceLog<Line>) -> [String] {
    log.entries.map { (try? $0.get()) ?? "error" }
  }

  private func lines(of handle: FileHandle) async -> [String] {
    let log = SourceLog<Line>()
    let subscription = log.record(Signal.lines(of: handle))
    await log.finish()
    withExtendedLifetime(subscription) {}
    return texts(log)
  }

  @Test("E5 lines that arrive byte by byte, and the last one when the pipe is closed")
  func bytes() async throws {
    let pipe = Pipe()
    let log = SourceLog<Line>()
    let subscription = log.record(Signal.lines(of: pipe.fileHandleForReading))
    for byte in "ü€\r\n😀\nlast".utf8 { try pipe.fileHandleForWriting.write(contentsOf: [byte]) }
    await log.reach(2)
    #expect(!log.isFinished)
    try pipe.fileHandleForWriting.close()
    await log.finish()
    #expect(texts(log) == ["ü€", "😀", "last"])
    withExtendedLifetime(subscription) {}
  }

  @Test("E5 a line of 5 MB and bytes that are not UTF-8 are errors, and reading goes on")
  func errors() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "lines")
    var data = Data(repeating: 0x78, count: 1 << 20)
    data += Data("\n".utf8) + Data(repeating: 0x79, count: 5_000_000) + Data("\nb\n".utf8)
    data += Data([0xFF, 0x0A]) + Data("c".utf8)
    try data.write(to: url)
    let log = SourceLog<Line>()
    let subscription = log.record(Signal.lines(of: try FileHandle(forReadingFrom: url)))
    await log.finish()
    #expect(log.entries.count == 5)
    #expect(try log.entries[0].get().utf8.count == 1 << 20)
    #expect(throws: LineError.tooLong(limit: 1 << 20)) { try log.entries[1].get() }
    #expect(throws: LineError.notUTF8(bytes: [0xFF])) { try log.entries[3].get() }
    #expect(texts(log).suffix(3) == ["b", "error", "c"])
    withExtendedLifetime(subscription) {}
  }

  @Test("E4 30,000 lines arrive in order while other tasks run")
  func manyLines() async throws {
    let pipe = Pipe()
    let log = SourceLog<Line>()
    let subscription = log.record(Signal.lines(of: pipe.fileHandleForReading))
    let text = (1...30_000).map { "\($0)\n" }.joined()
    Thread.detachNewThread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    await log.finish()
    #expect(texts(log) == (1...30_000).map { "\($0)" })
    withExtendedLifetime(subscription) {}
  }

  @Test("E5 devices and empty files end, and a terminal gives its lines until it is hung up")
  func kinds() async throws {
    let null = try #require(FileHandle(forReadingAtPath: "/dev/null"))
    #expect(await lines(of: null) == [])
    var (main, terminal): (Int32, Int32) = (-1, -1)
    #expect(unsafe openpty(&main, &terminal, nil, nil, nil) == 0)
    let log = SourceLog<Line>()
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
    let subscription = log.record(Signal.lines(of: handle))
    _ = unsafe write(main, "hello\n", 6)
    await log.reach(1)
    #expect(texts(log) == ["hello"])
    _ = close(main)
    await log.finish()
    #expect(texts(log) == ["hello"])
    withExtendedLifetime(subscription) {}
  }

  @Test("E4 subscribers share the lines, and the next one continues where the last one stopped")
  func sharing() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("1\n2\n3\n4\n5\n".utf8))
    let signal = Signal.lines(of: pipe.fileHandleForReading)
    for number in 1...3 {
      let line = await signal.first()
      #expect(try line?.get() == "\(number)")
    }
    let (a, b) = (SourceLog<Line>(), SourceLog<Line>())
    let subscriptions = [a.record(signal), b.record(signal)]
    try pipe.fileHandleForWriting.close()
    await a.finish()
    await b.finish()
    #expect(texts(a) == ["4", "5"] && texts(b) == ["4", "5"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("E4 cancelling while lines are on their way neither loses nor reorders any")
  func restarts() async throws {
    let pipe = Pipe()
    let signal = Signal.lines(of: pipe.fileHandleForReading)
    Thread.detachNewThread {
      for number in 1...2_000 {
        try? pipe.fileHandleForWriting.write(contentsOf: Data("\(number)\n".utf8))
      }
      try? pipe.fileHandleForWriting.close()
    }
    var told: [String] = []
    while let line = await signal.first() { told.append(try line.get()) }
    #expect(told == (1...2_000).map { "\($0)" })
  }

  #if os(Linux)
  @Test("E4 the last line is kept if its subscriber leaves while the end is on its way")
  func leavingAtTheEnd() async {
    var pair: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &pair) == 0)
    let (reading, writing) = (pair[0], pair[1])
    let signal = Signal.lines(of: FileHandle(fileDescriptor: reading, closeOnDealloc: true))
    let (first, second) = (SourceLog<Line>(), SourceLog<Line>())
    let subscription = first.record(signal)
    _ = unsafe send(writing, "first\nlast", 10, 0)
    await first.reach(1)
    // An empty datagram is an end. It is read on another thread, before this one lets go of the main
    // actor, on which the reader's task would continue.
    _ = unsafe send(writing, "", 0, 0)
    var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&entry, 1, 0) > 0 {}
    subscription.cancel()
    let next = second.record(signal)
    _ = unsafe send(writing, "", 0, 0)
    await second.finish()
    #expect(texts(first) == ["first"] && texts(second) == ["last"])
    _ = close(writing)
    withExtendedLifetime(next) {}
  }
  #endif

  @Test("E4 10,000 subscriptions in one turn of the main actor need one descriptor")
  func manyInOneTurn() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let pipe = Pipe()
      let signal = Signal.lines(of: pipe.fileHandleForReading)
      Descriptors.limit(to: 64)
      for _ in 1...10_000 { signal.sink { _ in }.cancel() }
      let log = SourceLog<Line>()
      let subscription = log.record(signal)
      try pipe.fileHandleForWriting.write(contentsOf: Data("a\n".utf8))
      await log.reach(1)
      if try log.entries[0].get() != "a" { exit(1) }
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("E5 a descriptor that is only for writing is a failure")
  func writeOnly() throws {
    let pipe = Pipe()
    let log = SourceLog<Line>()
    let subscription = log.record(Signal.lines(of: pipe.fileHandleForWriting))
    try #require(log.isFinished && log.entries.count == 1)
    #expect(throws: LineError.self) { try log.entries[0].get() }
    withExtendedLifetime(subscription) {}
  }

  @Test("E4 the descriptor is let go of, and the handle stays its owner's")
  func descriptors() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let pipe = Pipe()
      let before = Descriptors.count
      for _ in 1...1_000 { Signal.lines(of: pipe.fileHandleForReading).sink { _ in }.cancel() }
      #expect(await Descriptors.fall(to: before))
      try pipe.fileHandleForWriting.write(contentsOf: Data("still open".utf8))
      #expect(try pipe.fileHandleForReading.read(upToCount: 10) == Data("still open".utf8))
    }
  }

  // A read source of Dispatch crashes here on Linux, under the thread sanitizer or with
  // `GLIBC_TUNABLES=glibc.malloc.perturb=165`.
  @Test("E4 many pipes whose writers hang up while they are read end, each with its last line")
  func hangUps() async throws {
    for _ in 1...20 {
      let pipes = (1...50).map { _ in Pipe() }
      let logs = pipes.map { _ in SourceLog<Line>() }
      let subscriptions = zip(pipes, logs).map { pipe, log in
        log.record(Signal.lines(of: pipe.fileHandleForReading))
      }
      for pipe in pipes { try pipe.fileHandleForWriting.write(contentsOf: Data("first\n".utf8)) }
      for log in logs { await log.reach(1) }
      Thread.detachNewThread {
        for pipe in pipes {
          try? pipe.fileHandleForWriting.write(contentsOf: Data("last\n".utf8))
          try? pipe.fileHandleForWriting.close()
        }
      }
      for log in logs {
        await log.finish()
        #expect(texts(log) == ["first", "last"])
      }
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("E4 closing the handle does not disturb a subscription, and a closed one is an error")
  func closedHandle() async throws {
    let pipe = Pipe()
    let signal = Signal.lines(of: pipe.fileHandleForReading)
    let log = SourceLog<Line>()
    let subscription = log.record(signal)
    try pipe.fileHandleForReading.close()
    try pipe.fileHandleForWriting.write(contentsOf: Data("a\n".utf8))
    try pipe.fileHandleForWriting.close()
    await log.finish()
    #expect(texts(log) == ["a"])
    #if os(Linux)
    let late = SourceLog<Line>()
    let second = late.record(signal)
    #expect(late.isFinished && late.entries.count == 1)
    #expect(throws: LineError.unreadable(reason: "Bad file descriptor")) {
      try late.entries[0].get()
    }
    withExtendedLifetime((subscription, second)) {}
    #endif
  }

  @Test("E5 what cannot be read is a failure, after which the signal finishes")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    let descriptor = unsafe open(folder.url.path, O_RDONLY)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let log = SourceLog<Line>()
    let subscription = log.record(Signal.lines(of: handle))
    await log.finish()
    #expect(texts(log) == ["error"])
    #expect(throws: LineError.unreadable(reason: "Is a directory")) { try log.entries[0].get() }
    withExtendedLifetime(subscription) {}
  }
}
