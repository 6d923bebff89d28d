import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@testable import Chat

/// A running Chat, in a terminal of its own or between pipes.
final class Program: Sendable {
  /// What a terminal shows; between pipes, standard output.
  let output = Log<UInt8>()
  let errors = Log<UInt8>()
  private let exits = Log<Int32>()
  private let process: pid_t
  private let input: Locked<Int32>

  struct CannotStart: Error {}

  static func inTerminal(
    _ arguments: [String], drafts: String, columns: UInt16 = 80, user: String = "someone"
  ) throws -> Program {
    let terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0, grantpt(terminal) == 0, unlockpt(terminal) == 0,
      let name = unsafe ptsname(terminal).map({ unsafe String(cString: $0) })
    else { throw CannotStart() }
    let program = try Program(
      arguments, environment: ["CHAT_DRAFTS=\(drafts)", "USER=\(user)", "HOME=/nonexistent"],
      input: terminal
    ) { actions in
      _ = unsafe posix_spawn_file_actions_addopen(actions, 0, name, O_RDWR, 0)
      _ = unsafe posix_spawn_file_actions_adddup2(actions, 0, 1)
      _ = unsafe posix_spawn_file_actions_adddup2(actions, 0, 2)
    }
    program.resize(columns)
    program.output.fill(from: dup(terminal))
    return program
  }

  static func betweenPipes(
    _ arguments: [String], drafts: String = "/nonexistent"
  ) throws -> Program {
    let pipes = try (0..<3).map { _ in try Pipe() }
    let program = try Program(
      arguments, environment: ["CHAT_DRAFTS=\(drafts)", "USER=someone", "HOME=/nonexistent"],
      input: pipes[0].writer
    ) { actions in
      _ = unsafe posix_spawn_file_actions_adddup2(actions, pipes[0].reader, 0)
      _ = unsafe posix_spawn_file_actions_adddup2(actions, pipes[1].writer, 1)
      _ = unsafe posix_spawn_file_actions_adddup2(actions, pipes[2].writer, 2)
    }
    for descriptor in [pipes[0].reader, pipes[1].writer, pipes[2].writer] { _ = close(descriptor) }
    program.output.fill(from: pipes[1].reader)
    program.errors.fill(from: pipes[2].reader)
    return program
  }

  private init(
    _ arguments: [String], environment: [String], input: Int32,
    connect: (UnsafeMutablePointer<FileActions>) -> Void
  ) throws {
    var actions = unsafe Self.noActions()
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe connect(&actions)
    var attributes = unsafe Self.noAttributes()
    _ = unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    // A session of its own takes the terminal that it opens as its own; and what other tests have
    // open must not stay open in here, or nobody would notice that they closed it.
    #if canImport(Darwin)
    let flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
    let flags = POSIX_SPAWN_SETSID
    _ = unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var id: pid_t = 0
    let code = unsafe Self.withCStrings([Self.path] + arguments) { words in
      unsafe Self.withCStrings(environment) { variables in
        unsafe posix_spawn(&id, Self.path, &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw CannotStart() }
    process = id
    self.input = Locked(input)
    Thread.detachNewThread { [exits, id] in
      var status: Int32 = 0
      while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
      // As a shell counts: 128 and the signal, if it was one.
      exits.append([status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)])
    }
  }

  deinit {
    if exits.all.isEmpty { kill(SIGKILL) }
    closeInput()
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    input.withLock { descriptor in
      _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  /// Ends standard input, or closes the window.
  func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { _ = close(descriptor) }
      descriptor = -1
    }
  }

  func resize(_ columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = input.withLock { unsafe ioctl($0, UInt(TIOCSWINSZ), &size) }
  }

  func kill(_ signal: Int32) {
    _ = Glibc.kill(process, signal)
  }

  /// Waits for the end, and returns the exit code.
  func exitCode() async -> Int32? {
    await exits.first { _ in true }
  }

  func shows(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let isShown = await output.has(text)
    #expect(
      isShown, "\(text) is not in \(output.text.debugDescription)", sourceLocation: sourceLocation)
  }

  func complains(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let isShown = await errors.has(text)
    #expect(
      isShown, "\(text) is not in \(errors.text.debugDescription)", sourceLocation: sourceLocation)
  }

  // Built beside the tests.
  private static var path: String {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
    return bundle.bundleURL.deletingLastPathComponent().appending(path: "Chat").path()
    #else
    return Bundle.main.bundleURL.appending(path: "Chat").path()
    #endif
  }

  @unsafe private static func withCStrings<R>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
  ) -> R {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { for unsafe copy in unsafe copies { unsafe free(copy) } }
    return unsafe body(copies + [nil])
  }
}
