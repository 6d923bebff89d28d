#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Starts a program with the given descriptors.
///
/// Foundation's `Process` cannot start a program in a new session, which a terminal needs. The
/// pointers are safe because the system keeps none of them.
@safe struct SpawnActions: ~Copyable {
  #if canImport(Darwin)
  private var actions: posix_spawn_file_actions_t?
  private var attributes: posix_spawnattr_t?
  #else
  private var actions = unsafe posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()
  #endif

  init() throws {
    guard unsafe posix_spawn_file_actions_init(&actions) == 0,
      unsafe posix_spawnattr_init(&attributes) == 0
    else { throw Program.CannotStart() }
  }

  deinit {
    // These are constants here, but the system's functions need variables.
    var actions = unsafe actions
    var attributes = attributes
    _ = unsafe posix_spawn_file_actions_destroy(&actions)
    _ = unsafe posix_spawnattr_destroy(&attributes)
  }

  mutating func open(_ path: String, as descriptor: Int32) {
    _ = unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
  }

  mutating func duplicate(_ original: Int32, as descriptor: Int32) {
    _ = unsafe posix_spawn_file_actions_adddup2(&actions, original, descriptor)
  }

  mutating func spawn(
    _ path: String, _ arguments: [String], environment: [String]
  ) throws -> pid_t {
    // In a new session, the first terminal that is opened becomes the controlling one. The
    // descriptors of other tests must be closed, because otherwise their end would not be noticed.
    #if canImport(Darwin)
    var flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
    // This is `POSIX_SPAWN_SETSID`, which is not imported on every platform.
    var flags: Int32 = 0x80
    // The whole table, because another test may open one meanwhile.
    let end = min(getdtablesize(), 100_000)
    for descriptor: Int32 in 3..<end {
      _ = unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    #endif
    // A shell that runs the tests in the background makes them ignore signals.
    var signals = sigset_t()
    _ = unsafe sigfillset(&signals)
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    _ = unsafe sigemptyset(&signals)
    _ = unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    flags |= Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    _ = unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var process: pid_t = 0
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    var strings = unsafe words + variables
    defer { while let string = unsafe strings.popLast() { unsafe free(string) } }
    let code = unsafe posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Program.CannotStart() }
    return process
  }
}
