#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How much of the stack is taken by work that starts within other work, before that suspends.
///
/// A stack that overflows ends the program without a word. So the work that comes near its end is
/// stopped with a sentence.
@MainActor enum Nesting {
  // One for all stores, whose work lies on one stack.
  @safe @exclusivity(unchecked) private static var depth = 0
  /// Where the stack was when the outermost work started.
  @safe @exclusivity(unchecked) private static var outermost: UInt = 0

  @inline(__always) static func enter() {
    let here = Self.address
    depth += 1
    if depth == 1 { outermost = here } else if limit.contains(outermost &- here) { stop() }
  }

  /// Where the stack is now.
  // Not isolated: each time its closure would look whether this is the main actor.
  @inline(__always) private nonisolated static var address: UInt {
    var local: UInt8 = 0
    return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }

  @inline(__always) static func leave() { depth -= 1 }

  @inline(never) private static func stop() -> Never {
    fatalError(
      """
      Signalbox: \(depth) actions, runs or effects were started from within one another, none of \
      which has suspended, and the stack is nearly full. Await something before the next one is \
      dispatched, such as Task.yield(), or write a loop.
      """)
  }

  /// What the outermost work must not use of the stack, in bytes.
  ///
  /// It has an end, too: with an address sanitizer locals may be somewhere else altogether.
  private static let limit: Range<UInt> = stackSize / 4 * 3..<stackSize * 4

  private static var stackSize: UInt {
    #if canImport(Darwin)
    return UInt(unsafe pthread_get_stacksize_np(pthread_self()))
    #else
    // The main actor has no thread of its own: all that it may be on have this size, or if there is
    // no limit, that of the C library.
    #if canImport(Glibc)
    let resource = Int32(RLIMIT_STACK.rawValue)
    #else
    let resource = RLIMIT_STACK
    #endif
    var size = rlimit()
    guard unsafe getrlimit(resource, &size) == 0, size.rlim_cur < 1 << 30 else { return 2 << 20 }
    return UInt(size.rlim_cur)
    #endif
  }
}
