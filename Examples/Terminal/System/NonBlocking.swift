#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Makes a descriptor non-blocking, and keeps other programs from inheriting it.
package func makeNonBlocking(_ descriptor: Int32) throws {
  let flags = fcntl(descriptor, F_GETFL)
  guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0,
    fcntl(descriptor, F_SETFD, FD_CLOEXEC) >= 0
  else { throw SystemError.last }
}
