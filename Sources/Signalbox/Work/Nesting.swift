#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Stops the program with a message before nested work (A1) or nested children (C4) overflow the
/// stack, because an overflow ends it without one.
@MainActor enum Nesting {
  // One for all stores, because their work shares one stack.
  @safe @exclusivity(unchecked) private static var depth = 0
  /// How many of these are children.
  @safe @exclusivity(unchecked) private static var children = 0
  private static let childLimit = 256
  /// The address of the top of the stack when the outermost work started.
  @safe @exclusivity(unchecked) private static var outermost: UInt = 0

  @inline(__always) static func enter() {
    let here = Self.address
    depth += 1
    if depth == 1 { outermost = here } else if limit.contains(outermost &- here) { stop() }
  }

  // Not isolated, because an isolated closure would check the actor at each call.
  @inline(__always) private nonisolated static var address: UInt {
    var local: UInt8 = 0
    return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }

  @inline(__always) static func leave() { depth -= 1 }

  static func child<Record>(_ begin: () -> Record) -> Record {
    children += 1
    // Each child is looked for through all those around it. Far more would take minutes to begin.
    if children > childLimit { stop() }
    enter()
    defer {
      leave()
      children -= 1
    }
    return begin()
  }

  @inline(never) private static func stop() -> Never {
    if children > min(childLimit, depth / 2) {
      fatalError(
        """
        Signalbox: \(children) children were begun within one another, of which at most \
        \(childLimit) are possible. If an interactor declares a child that declares such a child \
        again, declare it for an optional or a collection that is empty at the end. If the states \
        are nested that deeply, keep them side by side in a dictionary of one parent, and let each \
        of them contain the keys of those below it.
        """)
    }
    fatalError(
      """
      Signalbox: \(depth) actions, runs or effects were started from within one another. None of \
      them has suspended, and the stack is nearly full. Await something before the next one is \
      dispatched, such as Task.yield(), or write a loop.
      """)
  }

  /// The distances in bytes at which the program stops, with an upper bound because an address
  /// sanitizer may place locals outside of the stack.
  private static let limit: Range<UInt> = stackSize / 4 * 3..<stackSize * 4

  private static var stackSize: UInt {
    #if canImport(Darwin)
    return UInt(unsafe pthread_get_stacksize_np(pthread_self()))
    #else
    // The main actor may run on any thread. The stacks of all these threads have the size that
    // `RLIMIT_STACK` sets or, if it sets none, the default size of the C library.
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
