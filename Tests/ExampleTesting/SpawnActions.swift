#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Starts a program with the descriptors it is to have.
///
/// Foundation's `Process` starts none in a session of its own, which a terminal needs. Safe,
/// because what the system keeps in here never gets out.
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
    // They are constant here, and the system's functions want variables.
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
    // A session of its own takes the terminal that it opens as its own; and what other tests have
    // open must not stay open in there, or nobody would notice that they closed it.
    #if canImport(Darwin)
    var flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
    // `POSIX_SPAWN_SETSID`, which is not imported everywhere.
    var flags: Int32 = 0x80
    for descriptor: Int32 in 3..<512 {
      _ = unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    #endif
    // Whoever runs the tests in the background lets them ignore signals.
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
