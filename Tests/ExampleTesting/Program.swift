package import Foundation
import Terminal
package import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A running example, in its own terminal or between pipes.
///
/// If it still runs when the object is released, it is killed.
package final class Program: Sendable {
  /// What the terminal shows or, between pipes, standard output.
  package let output = Log<UInt8>()
  package let errors = Log<UInt8>()
  private let screen: Locked<Recording>
  private let exits = Log<Int32>()
  private let process: pid_t
  private let input: Locked<Int32>
  private let isClosed: Waker

  package struct CannotStart: Error {}

  /// Starts a program in a terminal.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - arguments: its arguments.
  ///   - environment: its environment, as in `NAME=value`.
  ///   - folder: its current folder; by default that of the tests.
  ///   - screen: the size of the terminal.
  ///   - isStuck: whether the terminal accepts no output.
  package static func inTerminal(
    _ name: String, _ arguments: [String], environment: [String] = [], in folder: String? = nil,
    screen: Screen = Screen(), isStuck: Bool = false
  ) throws -> Program {
    var terminal: Int32 = -1
    var window: Int32 = -1
    var path = [CChar](repeating: 0, count: 256)
    let capacity = path.count
    var size = winsize(
      ws_row: UInt16(screen.rows), ws_col: UInt16(screen.columns), ws_xpixel: 0, ws_ypixel: 0)
    guard unsafe openpty(&terminal, &window, nil, nil, &size) == 0,
      unsafe ttyname_r(window, &path, capacity) == 0
    else { throw CannotStart() }
    defer { _ = close(window) }
    var actions = try SpawnActions()
    let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    actions.open(String(decoding: bytes, as: UTF8.self), as: 0)
    actions.duplicate(0, as: 1)
    actions.duplicate(0, as: 2)
    let command = [Self.path(of: name)] + arguments
    let program = try Program(
      // Not every C library can start a program in another folder, but every shell can.
      folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + command } ?? command,
      environment, input: terminal, screen: screen, &actions)
    if !isStuck { program.output.fill(from: dup(terminal), until: program.isClosed) }
    return program
  }

  package static func betweenPipes(
    _ name: String, _ arguments: [String], environment: [String] = []
  ) throws -> Program {
    let pipes = try (0..<3).map { _ in try makePipe() }
    var actions = try SpawnActions()
    actions.duplicate(pipes[0].reader, as: 0)
    actions.duplicate(pipes[1].writer, as: 1)
    actions.duplicate(pipes[2].writer, as: 2)
    let program = try Program(
      [path(of: name)] + arguments, environment, input: pipes[0].writer, &actions)
    for descriptor in [pipes[0].reader, pipes[1].writer, pipes[2].writer] { _ = close(descriptor) }
    program.output.fill(from: pipes[1].reader)
    program.errors.fill(from: pipes[2].reader)
    return program
  }

  private init(
    _ command: [String], _ environment: [String], input: Int32,
    screen: Screen = Screen(), _ actions: inout SpawnActions
  ) throws {
    // Typing into a program that has just ended must not end the test process.
    ignoreBrokenPipes()
    isClosed = try Waker()
    process = try actions.spawn(
      command[0], Array(command.dropFirst()),
      // A program that exits releases nothing first, which the address sanitizer reports as a leak.
      environment: ["HOME=/dev/null", "ASAN_OPTIONS=detect_leaks=0"] + environment)
    self.input = Locked(input)
    self.screen = Locked(Recording(screen: screen))
    Thread.detachNewThread { [exits, process] in
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
      // A signal is counted as in a shell, as 128 plus its number.
      exits.append([status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)])
      exits.finish()
    }
  }

  deinit {
    if exits.all.isEmpty { signal(SIGKILL) }
    // Otherwise the program might write into a folder that the test has just removed.
    exits.waitForEnd()
    closeInput()
  }

  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    input.withLock { descriptor in
      _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  /// Closes standard input or the terminal.
  package func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { _ = close(descriptor) }
      descriptor = -1
    }
    isClosed.wake()
  }

  /// Changes the size of the window.
  ///
  /// The program must have come to rest, because the window shows its later output in the new size.
  package func resize(columns: UInt16, rows: UInt16 = 24) {
    screen.withLock {
      $0.add(output.all)
      $0.screen.resize(columns: Int(columns), rows: Int(rows))
    }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = input.withLock { unsafe ioctl($0, UInt(TIOCSWINSZ), &size) }
  }

  package func signal(_ number: Int32) {
    _ = kill(process, number)
  }

  /// Waits for the program to end and returns its exit code.
  package func exitCode() async -> Int32? {
    await exits.first { _ in true }
  }

  package func shows(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    let isShown = await output.has(text)
    let all = output.text.debugDescription
    #expect(isShown, "\(text) is not in \(all)", sourceLocation: sourceLocation)
  }

  /// Waits until the window shows exactly this.
  ///
  /// The cursor is the ▏, and inverse text is between « and ». The program must come to rest there.
  package func looks(
    like text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let isSeen = await output.becomes { [screen] bytes in
      screen.withLock {
        $0.add(bytes)
        return $0.screen.text == text
      }
    }
    let seen = screen.withLock(\.screen.text)
    #expect(isSeen, "The window shows:\n\(seen)", sourceLocation: sourceLocation)
  }

  package func complains(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    let isShown = await errors.has(text)
    let all = errors.text.debugDescription
    #expect(isShown, "\(text) is not in \(all)", sourceLocation: sourceLocation)
  }

  private static func path(of name: String) -> String {
    name.hasPrefix("/") ? name : url(of: name).path(percentEncoded: false)
  }

  /// The program with a name, which is built beside the tests.
  package static func url(of name: String) -> URL {
    #if os(Linux)
    let bundle = Bundle.main.bundleURL
    #else
    let bundle = (Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main)
      .bundleURL.deletingLastPathComponent()
    #endif
    return bundle.appending(path: name)
  }
}

/// A screen, and how much of the output it shows.
private struct Recording {
  var screen: Screen
  private var count = 0

  init(screen: Screen) {
    self.screen = screen
  }

  mutating func add(_ output: [UInt8]) {
    screen.show(output[count...])
    count = output.count
  }
}

/// A separate function, because `signal` is a method here.
private func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

private func makePipe() throws -> (reader: Int32, writer: Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe pipe(&ends) == 0 else { throw Program.CannotStart() }
  return (ends[0], ends[1])
}

extension Log<UInt8> {
  /// Reads on its own thread until the end of the data, and closes the descriptor.
  fileprivate func fill(from descriptor: Int32, until isClosed: Waker? = nil) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4 << 10)
      while true {
        var poll = Poll()
        _ = poll.add(descriptor, for: .read)
        let closed = isClosed.map { poll.add($0.descriptor, for: .read) }
        poll.wait(until: nil)
        if let closed, poll.isReady(closed) { break }
        let capacity = buffer.count
        let count = unsafe read(descriptor, &buffer, capacity)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        append(buffer[..<count])
      }
      _ = close(descriptor)
      finish()
    }
  }
}
